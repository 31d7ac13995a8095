//! Legible: no words of a picture stand over others, and all are on the page.

use crate::markup::{attribute, unescaped};
use ab_glyph::{Font, FontRef, PxScale, ScaleFont};

static FONT: &[u8] = include_bytes!("../../assets/DejaVuSans.ttf");

/// Clear space at every edge of a page [px].
const EDGE: f64 = 10.0;

/// Width of a line of text [px].
fn width(words: &str, size: f64) -> f64 {
    let font = FontRef::try_from_slice(FONT).unwrap();
    // Height of a line of the font per em.
    let font = font.as_scaled(PxScale::from((1.164_062_5 * size) as f32));
    let glyphs: Vec<_> = words.chars().map(|letter| font.glyph_id(letter)).collect();
    let advances = glyphs.iter().map(|glyph| font.h_advance(*glyph));
    let kerns = glyphs.windows(2).map(|pair| font.kern(pair[0], pair[1]));
    f64::from(advances.chain(kerns).sum::<f32>())
}

/// Left, top, right and bottom of the ink of a text, roughly [px].
fn bounds(text: &str, words: &str) -> [f64; 4] {
    let [size, x, y] = ["font-size", "x", "y"].map(|name| {
        let tenths: f64 = attribute(text, name).parse().unwrap();
        0.1 * tenths
    });
    let width = width(words, size);
    let before = match attribute(text, "text-anchor") {
        "start" => 0.0,
        "middle" => 0.5 * width,
        _ => width,
    };
    // Digits and capitals; what hangs below the baseline may reach into the line spacing.
    let (baseline, above, below) = (0.76 * size, 0.73 * size, 0.1 * size);
    if text.contains("rotate(270") {
        let x = x + baseline;
        [x - above, y - (width - before), x + below, y + before]
    } else {
        let y = y + baseline;
        [x - before, y - above, x + width - before, y + below]
    }
}

/// Panics where a text of an SVG leaves the page or stands over another.
pub fn check(svg: &str) {
    let lines: Vec<&str> = svg.lines().collect();
    let sides = attribute(lines[0], "viewBox").split(' ').skip(2);
    let sides: Vec<f64> = sides
        .map(|side| 0.1 * side.parse::<f64>().unwrap())
        .collect();
    let texts = lines.windows(2).filter(|pair| pair[0].starts_with("<text"));
    let texts = texts.map(|pair| (pair[1], bounds(pair[0], &unescaped(pair[1]))));
    let texts: Vec<(&str, [f64; 4])> = texts.collect();
    for (index, (words, a)) in texts.iter().enumerate() {
        let far = a[2] <= sides[0] - EDGE && a[3] <= sides[1] - EDGE;
        assert!(
            a[0] >= EDGE && a[1] >= EDGE && far,
            "{words} leaves the page: {a:?}"
        );
        for (other, b) in &texts[..index] {
            let clear = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
            assert!(clear, "{words} {a:?} stands over {other} {b:?}");
        }
    }
}

#[test]
#[should_panic(expected = "stands over a")]
fn words_over_others_are_found() {
    let text = |x: u32, words: &str| {
        let start = format!("<text x=\"{x}\" y=\"400\" text-anchor=\"start\" font-size=\"120\">");
        format!("{start}\n{words}\n</text>\n")
    };
    let texts = [text(200, "a"), text(300, "c"), text(212, "b")].concat();
    check(&format!("<svg viewBox=\"0 0 1000 1000\">\n{texts}</svg>"));
}

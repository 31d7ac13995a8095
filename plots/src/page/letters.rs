//! Letters: the embedded font, how wide a line of text is in it, text broken and cut so that it fits, and
//! where its ink lies, point by point. The only file that uses ab_glyph, the font library that plotters
//! draws with. plotters itself begins every letter at its ink, as if none had space before it, and so
//! sets letters unevenly.

use ab_glyph::{Font, FontRef, OutlineCurve, Point, PxScale, ScaleFont, point};

/// The embedded font.
pub static FONT: &[u8] = include_bytes!("../../assets/DejaVuSans.ttf");

/// Height of a line of the font per em: ascent 0.928, descent 0.236.
pub const HEIGHT_PER_EM: f64 = 1.1640625;

/// Width of a line of text \[px\], by the advances and kerning of the embedded font.
pub fn text_width(words: &str, size: f64) -> f64 {
    // Measured large and cut to whole units: widths do not hang on the last digits of a sum.
    const ENLARGED: f64 = 16.0;
    let height = size * ENLARGED * HEIGHT_PER_EM;
    let Ok(font) = FontRef::try_from_slice(FONT) else {
        return 0.0;
    };
    let scaled = font.as_scaled(PxScale::from(height as f32));
    let (mut right, mut before) = (0.0_f32, None);
    for letter in words.chars() {
        let glyph = scaled.glyph_id(letter);
        right += scaled.h_advance(glyph);
        if let Some(before) = before.replace(glyph) {
            right += scaled.kern(before, glyph);
        }
    }
    f64::from(right.trunc()) / ENLARGED
}

/// Goes through the points of a line of text in a TrueType font that is `height` points high, from
/// the ascent to the descent, and begins `from` points right of the place its baseline begins at:
/// for each point with ink, how far right of that place it is, how far below the baseline, and the
/// part of it that is covered, from 0 to 1. Nothing where the font is not one.
pub fn ink(font: &[u8], words: &str, height: f64, from: f64, mut at: impl FnMut(i32, i32, f64)) {
    let Ok(font) = FontRef::try_from_slice(font) else {
        return;
    };
    let scale = PxScale::from(height as f32);
    let scaled = font.as_scaled(scale);
    let (mut right, mut before) = (from as f32, None);
    for letter in words.chars() {
        let glyph = scaled.glyph_id(letter);
        if let Some(before) = before.replace(glyph) {
            right += scaled.kern(before, glyph);
        }
        let placed = glyph.with_scale_and_position(scale, point(right, 0.0));
        if let Some(outline) = scaled.outline_glyph(placed) {
            let corner = outline.px_bounds().min;
            outline.draw(|x, y, covered| {
                let (x, y) = (corner.x as i32 + x as i32, corner.y as i32 + y as i32);
                at(x, y, f64::from(covered).min(1.0));
            });
        }
        right += scaled.h_advance(glyph);
    }
}

/// A piece of the outline of a letter, which is filled by the rule of the winding number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Piece {
    /// A closed curve begins here, and the one before it ends.
    Begin([f64; 2]),
    /// A cubic Bézier curve goes on: its two control points and its end.
    Curve([[f64; 2]; 3]),
}

/// The outlines of a line of text in the embedded font \[px\], as measured by [`text_width`], from where its
/// baseline begins: to the right, and down.
pub fn outlines(words: &str, size: f64) -> Vec<Piece> {
    let Ok(font) = FontRef::try_from_slice(FONT) else {
        return Vec::new();
    };
    let scaled = font.as_scaled(PxScale::from((size * HEIGHT_PER_EM) as f32));
    let factor = scaled.scale_factor();
    let mut pieces = Vec::new();
    let (mut right, mut before, mut end) = (0.0_f32, None, None);
    for letter in words.chars() {
        let glyph = scaled.glyph_id(letter);
        if let Some(before) = before.replace(glyph) {
            right += scaled.kern(before, glyph);
        }
        let place = |at: Point| {
            let at = [right + at.x * factor.horizontal, -at.y * factor.vertical];
            at.map(f64::from)
        };
        let outline = font.outline(glyph);
        for curve in outline.into_iter().flat_map(|outline| outline.curves) {
            let [from, one, two, to] = cubic(curve).map(place);
            if end != Some(from) {
                pieces.push(Piece::Begin(from));
            }
            pieces.push(Piece::Curve([one, two, to]));
            end = Some(to);
        }
        right += scaled.h_advance(glyph);
    }
    pieces
}

/// The four points of a piece of an outline as a cubic curve.
fn cubic(curve: OutlineCurve) -> [Point; 4] {
    let towards = |from: Point, to: Point, part: f32| {
        point(
            from.x + part * (to.x - from.x),
            from.y + part * (to.y - from.y),
        )
    };
    match curve {
        OutlineCurve::Line(from, to) => [from, from, to, to],
        OutlineCurve::Quad(from, control, to) => [
            from,
            towards(from, control, 2.0 / 3.0),
            towards(to, control, 2.0 / 3.0),
            to,
        ],
        OutlineCurve::Cubic(from, one, two, to) => [from, one, two, to],
    }
}

/// Breaks text at white space into lines of at most `width` px. What does not fit into `most`
/// lines is cut, and an ellipsis says so. Line breaks count as white space.
pub fn wrap(text: &str, size: f64, width: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let cut = lines.len() > most;
    lines.truncate(most);
    let last = lines.len().wrapping_sub(1);
    for (index, line) in lines.iter_mut().enumerate() {
        if (cut && index == last) || text_width(line, size) > width {
            shorten(line, size, width);
        }
    }
    lines
}

/// The text on one line of at most `width` px, cut where it is longer.
pub fn on_one_line(text: &str, size: f64, width: f64) -> String {
    let lines = wrap(text, size, width, 1);
    lines.into_iter().next().unwrap_or_default()
}

/// Cuts letters from the end until the line fits with an ellipsis.
fn shorten(line: &mut String, size: f64, width: f64) {
    let ends: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
    let fits = |&end: &usize| text_width(&format!("{}…", &line[..end]), size) <= width;
    // Halving: measuring once for each letter takes a minute for the longest names.
    let most = ends.partition_point(fits);
    line.truncate(most.checked_sub(1).map_or(0, |last| ends[last]));
    line.truncate(line.trim_end().len());
    line.push('…');
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The columns with ink, ascending, each once.
    fn columns(words: &str, from: f64) -> Vec<i32> {
        let mut columns = Vec::new();
        ink(
            FONT,
            words,
            1000.0 * HEIGHT_PER_EM,
            from,
            |x, _, covered| {
                if covered > 0.5 {
                    columns.push(x);
                }
            },
        );
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    #[test]
    fn outlines_enclose_what_is_inked() {
        for words in ["H", "dil-gp", "σ ± 2"] {
            let mut inked = 0.0;
            ink(FONT, words, 100.0 * HEIGHT_PER_EM, 0.0, |_, _, covered| {
                inked += covered;
            });
            // Green's theorem, along eighths of each curve.
            let (mut area, mut at, mut right) = (0.0, [0.0; 2], 0.0_f64);
            for piece in outlines(words, 100.0) {
                let curve = match piece {
                    Piece::Begin(place) => {
                        at = place;
                        continue;
                    }
                    Piece::Curve(curve) => curve,
                };
                let from = at;
                for eighth in 1..=8 {
                    let (t, s) = (f64::from(eighth) / 8.0, 1.0 - f64::from(eighth) / 8.0);
                    let to = [0, 1].map(|k| {
                        let (a, b) = (3.0 * s * s * t * curve[0][k], 3.0 * s * t * t * curve[1][k]);
                        s.powi(3) * from[k] + a + b + t.powi(3) * curve[2][k]
                    });
                    area += 0.5 * (at[0] * to[1] - at[1] * to[0]);
                    at = to;
                    right = right.max(at[0]);
                }
            }
            assert!(
                (area.abs() / inked - 1.0).abs() < 0.01,
                "{words} {area} {inked}"
            );
            assert!(right <= text_width(words, 100.0), "{words} {right}");
        }
    }

    #[test]
    fn a_letter_keeps_the_space_before_it() {
        // The font's own measures of "l", in thousandths of an em: a stem from 94 to 184, and 278
        // to the next letter.
        let alone = columns("l", 0.0);
        assert!((alone[0] - 94).abs() <= 1, "{}", alone[0]);
        assert!((alone[alone.len() - 1] - 183).abs() <= 1);
        let twice = columns("ll", 500.0);
        let second = twice
            .windows(2)
            .find(|pair| pair[1] - pair[0] > 10)
            .unwrap()[1];
        assert!((second - 500 - 278 - 94).abs() <= 1, "{second}");
    }

    #[test]
    fn widths_grow_with_the_size() {
        let (small, large) = (text_width("metres", 20.0), text_width("metres", 40.0));
        assert!((large / small - 2.0).abs() < 0.01);
        assert_eq!(text_width("", 20.0), 0.0);
    }

    #[test]
    fn ink_lies_above_the_baseline_and_no_font_leaves_none() {
        let mut lowest = i32::MIN;
        ink(FONT, "H", 1164.0, 0.0, |_, y, _| lowest = lowest.max(y));
        assert!((-2..=0).contains(&lowest), "{lowest}");
        ink(b"no font", "H", 1164.0, 0.0, |_, _, _| panic!("ink"));
    }

    #[test]
    fn wrapped_lines_fit_and_lose_no_word() {
        let text = "tuned gains of the outer loop in a gust of ten metres per second";
        let lines = wrap(text, 24.0, 300.0, 99);
        assert!(lines.len() > 2);
        assert!(lines.iter().all(|line| text_width(line, 24.0) <= 300.0));
        assert_eq!(lines.join(" "), text);
    }

    #[test]
    fn a_title_of_sixty_thousand_letters_is_cut_at_once() {
        let started = std::time::Instant::now();
        let lines = wrap(&"w".repeat(60_000), 24.0, 300.0, 2);
        assert!(lines[0].ends_with('…') && text_width(&lines[0], 24.0) <= 300.0);
        let longer = lines[0].replace('…', "w…");
        assert!(
            text_width(&longer, 24.0) > 300.0,
            "no letter too many is cut"
        );
        // Letter by letter it takes minutes.
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }

    #[test]
    fn what_does_not_fit_is_cut_with_an_ellipsis() {
        let lines = wrap(&"word ".repeat(60), 24.0, 300.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…') && !lines[0].ends_with('…'));
        assert!(lines.iter().all(|line| text_width(line, 24.0) <= 300.0));
        let unbroken = wrap(&"w".repeat(400), 24.0, 300.0, 2);
        assert_eq!(unbroken.len(), 1);
        assert!(unbroken[0].ends_with('…') && text_width(&unbroken[0], 24.0) <= 300.0);
        assert!(wrap(" \n ", 24.0, 300.0, 2).is_empty());
    }
}

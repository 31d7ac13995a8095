//! Page: what is drawn, in which style, and with which pen.

pub mod curve;
pub mod ink;
pub mod letters;
pub mod sheet;
pub mod style;

/// Whether the words of a sheet can be read: none stands over another, and all are on the page.
#[cfg(test)]
pub mod legible {
    use crate::page::letters::text_width;
    use crate::page::sheet::{Anchor, Mark, Sheet, Text};

    /// Clear space at every edge of a page \[px\].
    const EDGE: f64 = 10.0;

    /// Left, top, right and bottom of the ink of a text, roughly.
    fn bounds(text: &Text) -> [f64; 4] {
        let width = text_width(&text.words, text.size);
        let before = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5 * width,
            Anchor::End => width,
        };
        // Digits and capitals; what hangs below the baseline may reach into the line spacing.
        let (above, below) = (0.73 * text.size, 0.1 * text.size);
        let [x, y] = text.at;
        if text.upwards {
            [x - above, y - (width - before), x + below, y + before]
        } else {
            [x - before, y - above, x + width - before, y + below]
        }
    }

    /// Panics where a text leaves the page or stands over another.
    pub fn check(sheet: &Sheet) {
        let texts: Vec<(&str, [f64; 4])> = (sheet.marks.iter())
            .filter_map(|mark| match mark {
                Mark::Text(text) => Some((text.words.as_str(), bounds(text))),
                _ => None,
            })
            .collect();
        let (width, height) = (f64::from(sheet.width), f64::from(sheet.height));
        for (index, (words, a)) in texts.iter().enumerate() {
            let on_page =
                a[0] >= EDGE && a[1] >= EDGE && a[2] <= width - EDGE && a[3] <= height - EDGE;
            assert!(on_page, "{words} leaves the page: {a:?}");
            for (other, b) in &texts[..index] {
                let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                assert!(apart, "{words} {a:?} stands over {other} {b:?}");
            }
        }
    }
}

//! Chart: a frame with axes into which marks are put, written as SVG that stands in the page.
//!
//! Lengths are in units of the drawing, which is [`WIDTH`] wide; the page scales it. Letters are
//! large enough to be read at half size. Colours are those of `plots`: Okabe and Ito's, which the
//! colour-blind tell apart; shape or place always says the same as colour.

mod axis;

pub use axis::{Axis, Kind};

use super::html::escape;
use std::fmt::Write;

/// Width of every drawing.
pub const WIDTH: f64 = 620.0;

/// Size of the letters.
const LETTERS: f64 = 17.0;

/// Colour of the default gains: vermilion.
pub const DEFAULT: &str = "#d55e00";
/// Colour of the recommended gains: blue.
pub const RECOMMENDED: &str = "#0072b2";
/// Colour of the best observed gains: green.
pub const OBSERVED: &str = "#007a5a";
/// Colour of notes and of lines that explain.
pub const GREY: &str = "#5a5a5a";
/// Colour of what is lost: dark red.
pub const LOST: &str = "#8c0020";

const GRID: &str = "#dedee2";
const INK: &str = "#141414";

/// What a mark looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mark {
    /// A filled disc.
    Dot,
    /// A ring.
    Ring,
    /// A cross.
    Cross,
    /// A triangle that points up.
    Up,
    /// A triangle that points down.
    Down,
    /// A diamond.
    Diamond,
    /// A line.
    Line,
    /// A dashed line.
    Dashes,
}

/// A drawing under way.
pub struct Chart {
    svg: String,
    x: Axis,
    y: Axis,
    height: f64,
    left: f64,
    legend_at: f64,
    legend_row: f64,
}

const TOP: f64 = 40.0;
const RIGHT: f64 = 18.0;
const BOTTOM: f64 = 62.0;

impl Chart {
    /// An empty frame of that height. `says` is what it shows, for those who cannot see it.
    pub fn new(says: &str, height: f64, x: Axis, y: Axis) -> Chart {
        let rows = matches!(y.kind, Kind::Rows(_));
        let longest = y
            .ticks()
            .iter()
            .map(|t| t.1.chars().count())
            .max()
            .unwrap_or(0);
        let left = 16.0 + 0.56 * LETTERS * longest as f64 + if rows { 0.0 } else { 30.0 };
        let mut svg = String::new();
        let says = escape(says);
        // Writing to a String cannot fail.
        let _ = write!(
            svg,
            "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{says}\" font-size=\"{LETTERS}\">"
        );
        let mut chart = Chart {
            svg,
            x,
            y,
            height,
            left,
            legend_at: left,
            legend_row: 0.0,
        };
        chart.frame();
        chart
    }

    fn frame(&mut self) {
        let (left, right, bottom) = (self.left, WIDTH - RIGHT, self.height - BOTTOM);
        let ticks = self.x.ticks();
        for (value, label) in ticks {
            let x = self.x(value);
            self.rule([x, TOP], [x, bottom], GRID, 1.0, false);
            self.text([x, bottom + 22.0], "middle", INK, &label);
        }
        for (value, label) in self.y.ticks() {
            let y = self.y(value);
            self.rule([left, y], [right, y], GRID, 1.0, false);
            self.text([left - 8.0, y + 6.0], "end", INK, &label);
        }
        let name = self.x.name.clone();
        self.text(
            [0.5 * (left + right), self.height - 12.0],
            "middle",
            INK,
            &name,
        );
        let name = escape(&self.y.name);
        let middle = 0.5 * (TOP + bottom);
        let _ = write!(
            self.svg,
            "<text transform=\"translate(18 {middle:.1}) rotate(-90)\" text-anchor=\"middle\" fill=\"{INK}\">{name}</text>"
        );
        let (width, tall) = (right - left, bottom - TOP);
        let _ = write!(
            self.svg,
            "<rect x=\"{left:.1}\" y=\"{TOP}\" width=\"{width:.1}\" height=\"{tall:.1}\" fill=\"none\" stroke=\"{INK}\"/>"
        );
    }

    /// Where `value` lies across.
    pub fn x(&self, value: f64) -> f64 {
        self.left + (WIDTH - RIGHT - self.left) * self.x.place(value).clamp(0.0, 1.0)
    }

    /// Where `value` lies downwards.
    pub fn y(&self, value: f64) -> f64 {
        let bottom = self.height - BOTTOM;
        bottom + (TOP - bottom) * self.y.place(value).clamp(0.0, 1.0)
    }

    /// A mark at a point of the axes, moved down by `down` units of the drawing.
    pub fn mark(&mut self, mark: Mark, [x, y]: [f64; 2], down: f64, colour: &str, opacity: f64) {
        let at = [self.x(x), self.y(y) + down];
        self.put(mark, at, colour, opacity);
    }

    fn put(&mut self, mark: Mark, [x, y]: [f64; 2], colour: &str, opacity: f64) {
        let path = |d: String| format!("<path d=\"{d}\" fill=\"{colour}\" opacity=\"{opacity}\"/>");
        let shape = match mark {
            Mark::Dot => format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{colour}\" opacity=\"{opacity}\"/>"
            ),
            Mark::Ring => format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" opacity=\"{opacity}\"/>"
            ),
            Mark::Cross => format!(
                "<path d=\"M{:.1} {:.1}l11 11m0 -11l-11 11\" stroke=\"{colour}\" stroke-width=\"2.4\" opacity=\"{opacity}\"/>",
                x - 5.5,
                y - 5.5
            ),
            Mark::Up => path(format!("M{x:.1} {:.1}l6.5 12h-13z", y - 7.0)),
            Mark::Down => path(format!("M{x:.1} {:.1}l6.5 -12h-13z", y + 7.0)),
            Mark::Diamond => path(format!("M{x:.1} {:.1}l7 7l-7 7l-7 -7z", y - 7.0)),
            Mark::Line | Mark::Dashes => {
                let dash = if mark == Mark::Dashes {
                    " stroke-dasharray=\"8 5\""
                } else {
                    ""
                };
                format!(
                    "<path d=\"M{:.1} {y:.1}h24\" stroke=\"{colour}\" stroke-width=\"2.6\"{dash}/>",
                    x - 12.0
                )
            }
        };
        self.svg.push_str(&shape);
    }

    /// A line from point to point of the drawing.
    fn rule(
        &mut self,
        [x0, y0]: [f64; 2],
        [x1, y1]: [f64; 2],
        colour: &str,
        width: f64,
        dashed: bool,
    ) {
        let dash = if dashed {
            " stroke-dasharray=\"8 5\""
        } else {
            ""
        };
        let _ = write!(
            self.svg,
            "<path d=\"M{x0:.1} {y0:.1}L{x1:.1} {y1:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}/>"
        );
    }

    /// A curve through points of the axes.
    pub fn curve(&mut self, points: &[[f64; 2]], colour: &str, width: f64, dashed: bool) {
        let place = |(k, [x, y]): (usize, &[f64; 2])| {
            let letter = if k == 0 { 'M' } else { 'L' };
            format!("{letter}{:.1} {:.1}", self.x(*x), self.y(*y))
        };
        let path: String = points.iter().enumerate().map(place).collect();
        let dash = if dashed {
            " stroke-dasharray=\"8 5\""
        } else {
            ""
        };
        let _ = write!(
            self.svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{dash}/>"
        );
    }

    /// A horizontal bar from `low` to `high` at `y`, moved down by `down` units of the drawing.
    pub fn across(&mut self, low: f64, high: f64, y: f64, down: f64, colour: &str) {
        let (x0, x1, y) = (self.x(low), self.x(high), self.y(y) + down);
        self.rule([x0, y], [x1, y], colour, 3.0, false);
    }

    /// An upright bar from `low` to `high` at `x`.
    pub fn upright(&mut self, x: f64, low: f64, high: f64, colour: &str, width: f64, opacity: f64) {
        let (x, y0, y1) = (self.x(x), self.y(low), self.y(high));
        let _ = write!(
            self.svg,
            "<path d=\"M{x:.1} {y0:.1}V{y1:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\" opacity=\"{opacity}\"/>"
        );
    }

    /// Words at a point of the drawing.
    fn text(&mut self, [x, y]: [f64; 2], anchor: &str, colour: &str, words: &str) {
        let words = escape(words);
        let _ = write!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{words}</text>"
        );
    }

    /// Words at shares of the frame's width and height.
    pub fn note(&mut self, across: f64, down: f64, anchor: &str, words: &str) {
        let x = self.left + across * (WIDTH - RIGHT - self.left);
        let y = TOP + down * (self.height - BOTTOM - TOP);
        self.text([x, y], anchor, GREY, words);
    }

    /// An entry of the legend above the frame.
    pub fn legend(&mut self, mark: Mark, colour: &str, words: &str) {
        let gap = if matches!(mark, Mark::Line | Mark::Dashes) {
            26.0
        } else {
            20.0
        };
        let width = gap + 4.0 + 0.61 * LETTERS * words.chars().count() as f64;
        if self.legend_at + width > WIDTH && self.legend_at > self.left {
            self.legend_at = self.left;
            self.legend_row += 1.0;
        }
        let y = 16.0 + 20.0 * self.legend_row - if self.legend_row > 0.0 { 4.0 } else { 0.0 };
        let x = self.legend_at;
        self.put(mark, [x + 8.0, y], colour, 1.0);
        self.text([x + gap, y + 6.0], "start", INK, words);
        self.legend_at += width + 8.0;
    }

    /// The finished drawing.
    pub fn finish(self) -> String {
        self.svg + "</svg>"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lands_in_the_frame_and_the_ends_on_its_edges() {
        let x = Axis::linear("x", 1.0, 3.0);
        let y = Axis::log_around("y", [0.1, 10.0]);
        let chart = Chart::new("a chart", 400.0, x, y);
        assert_eq!((chart.x(1.0), chart.x(3.0)), (chart.left, WIDTH - RIGHT));
        assert_eq!(chart.x(99.0), WIDTH - RIGHT);
        assert!(chart.y(10.0) < chart.y(1.0) && chart.y(1.0) < chart.y(0.1));
        assert!((chart.y(1.0) - 0.5 * (TOP + 400.0 - BOTTOM)).abs() < 1e-9);
    }

    #[test]
    fn words_are_escaped() {
        let x = Axis::rows(vec!["<b>".to_owned()]);
        let svg = Chart::new("\"><script>", 300.0, Axis::linear("a & b", 0.0, 1.0), x).finish();
        assert!(!svg.contains("<script") && !svg.contains("<b>") && svg.contains("a &amp; b"));
    }
}

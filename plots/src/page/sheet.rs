//! A sheet: everything on one page, as a list of marks in drawing order. Pictures are composed
//! as sheets and name neither pixels nor file formats; `ink` turns a sheet into either.

use crate::page::letters::wrap;
use crate::page::style::{
    BLACK, CURVE_WIDTH, Colour, FIGURE_HEIGHT, FIGURE_WIDTH, GAP, LABEL_SIZE, LEADING, MARGIN,
    PAGE_HEIGHT, PAGE_WIDTH, TITLE_SIZE, series_colour, series_dash,
};

/// A place on the page \[px\]: x to the right, y down, from the upper left corner.
pub type Place = [f64; 2];

/// Which end of a text stands at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins there.
    Start,
    /// The text has its middle there.
    Middle,
    /// The text ends there.
    End,
}

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// Where the anchor is, on the baseline.
    pub at: Place,
    /// What is written.
    pub words: String,
    /// Text size \[px per em\].
    pub size: f64,
    /// Which end stands at `at`.
    pub anchor: Anchor,
    /// Whether the text runs upwards.
    pub upwards: bool,
    /// Its colour.
    pub colour: Colour,
}

/// One mark on the page.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A line through the points.
    Line {
        points: Vec<Place>,
        width: f64,
        colour: Colour,
    },
    /// A filled rectangle with sides along the page.
    Rectangle {
        upper_left: Place,
        lower_right: Place,
        colour: Colour,
    },
    /// A filled convex polygon.
    Polygon { corners: Vec<Place>, colour: Colour },
    /// A filled disc.
    Disc {
        centre: Place,
        radius: f64,
        colour: Colour,
    },
    /// Text.
    Text(Text),
}

/// What a picture is drawn for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// How wide \[px\]; from the width of a figure to that of a file.
    width: u32,
    /// Whether the title stands above.
    titled: bool,
}

impl Page {
    /// A file of its own.
    pub const FILE: Self = Self {
        width: PAGE_WIDTH,
        titled: true,
    };
    /// A place within a page of text, which says what the title would.
    pub const FIGURE: Self = Self {
        width: FIGURE_WIDTH,
        titled: false,
    };

    /// As near to that width \[px\] as letters can still be read.
    pub fn of(width: f64, titled: bool) -> Self {
        let width = (width.round() as u32).clamp(FIGURE_WIDTH, PAGE_WIDTH);
        Self { width, titled }
    }

    /// For a picture that cannot be narrow: several panels stand side by side.
    pub fn wide(self) -> Self {
        Self {
            width: PAGE_WIDTH,
            ..self
        }
    }

    /// Whether there is no room for a second panel or a legend at the side.
    pub fn is_narrow(self) -> bool {
        2 * self.width < FIGURE_WIDTH + PAGE_WIDTH
    }
}

/// Everything on one page.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// What the picture is called, in full.
    pub title: String,
    /// Width of the page \[px\].
    pub width: u32,
    /// Height of the page \[px\].
    pub height: u32,
    /// The marks, the lowest first.
    pub marks: Vec<Mark>,
    /// What a page of text says where the pointer rests: the middle and the radius of a disc, and the words.
    pub notes: Vec<(Place, f64, String)>,
}

impl Sheet {
    /// A page with nothing on it but its title, where it has room for one; returns the page and
    /// where the title ends \[px from the top\].
    /// A title too long for one line takes two, and is cut short there.
    pub fn on(page: Page, title: &str) -> (Self, f64) {
        let height = match page.is_narrow() {
            true => FIGURE_HEIGHT,
            false => PAGE_HEIGHT,
        };
        let mut sheet = Self::sized([page.width, height], title);
        if !page.titled {
            return (sheet, 0.75 * MARGIN);
        }
        let (middle, mut bottom) = (0.5 * f64::from(page.width), MARGIN);
        for line in wrap(title, TITLE_SIZE, 2.0 * (middle - MARGIN), 2) {
            let at = [middle, bottom + 0.8 * TITLE_SIZE];
            sheet.text(at, line, TITLE_SIZE, Anchor::Middle, BLACK);
            bottom += LEADING * TITLE_SIZE;
        }
        (sheet, bottom + GAP)
    }

    /// A page of that width and height with nothing on it.
    pub fn sized([width, height]: [u32; 2], title: &str) -> Self {
        Self {
            title: printable(title),
            width,
            height,
            marks: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The right edge of what is drawn \[px\].
    pub fn right(&self) -> f64 {
        f64::from(self.width) - MARGIN
    }

    /// The lower edge of what is drawn \[px\].
    pub fn bottom(&self) -> f64 {
        f64::from(self.height) - MARGIN
    }

    /// Makes the page as high as its marks need, which end at `bottom`.
    pub fn end_at(&mut self, bottom: f64) {
        self.height = (bottom + MARGIN).ceil() as u32;
    }

    /// Adds a line through the points.
    pub fn line(&mut self, points: Vec<Place>, width: f64, colour: Colour) {
        self.marks.push(Mark::Line {
            points,
            width,
            colour,
        });
    }

    /// Adds a line through the points, dashed; an empty pattern draws it in full.
    pub fn dashed(&mut self, points: Vec<Place>, dash: &[f64], width: f64, colour: Colour) {
        if dash.is_empty() {
            return self.line(points, width, colour);
        }
        let length = |a: Place, b: Place| (b[0] - a[0]).hypot(b[1] - a[1]);
        for piece in dashes(&points, dash, length) {
            self.line(piece, width, colour);
        }
    }

    /// Adds a filled rectangle.
    pub fn rectangle(&mut self, upper_left: Place, lower_right: Place, colour: Colour) {
        self.marks.push(Mark::Rectangle {
            upper_left,
            lower_right,
            colour,
        });
    }

    /// Adds the outline of a rectangle with sides along the page.
    pub fn outline(
        &mut self,
        [left, top]: Place,
        [right, bottom]: Place,
        width: f64,
        colour: Colour,
    ) {
        let corners = [
            [left, top],
            [right, top],
            [right, bottom],
            [left, bottom],
            [left, top],
        ];
        self.line(corners.to_vec(), width, colour);
    }

    /// Adds a filled convex polygon.
    pub fn polygon(&mut self, corners: Vec<Place>, colour: Colour) {
        self.marks.push(Mark::Polygon { corners, colour });
    }

    /// Adds a filled disc.
    pub fn disc(&mut self, centre: Place, radius: f64, colour: Colour) {
        self.marks.push(Mark::Disc {
            centre,
            radius,
            colour,
        });
    }

    /// Says `words` where the pointer rests on the disc.
    pub fn note(&mut self, centre: Place, radius: f64, words: &str) {
        self.notes.push((centre, radius, printable(words)));
    }

    /// Adds a diagonal cross of the given half width.
    pub fn cross(&mut self, [x, y]: Place, half: f64, width: f64, colour: Colour) {
        for rise in [half, -half] {
            let ends = vec![[x - half, y - rise], [x + half, y + rise]];
            self.line(ends, width, colour);
        }
    }

    /// Adds a curve in the colour and dash pattern of that data series.
    pub fn series(&mut self, points: Vec<Place>, index: usize) {
        let (dash, colour) = (series_dash(index), series_colour(index));
        self.dashed(points, dash, CURVE_WIDTH, colour);
    }

    /// Adds a line of text; `at` is on its baseline.
    pub fn text(
        &mut self,
        at: Place,
        words: impl AsRef<str>,
        size: f64,
        anchor: Anchor,
        colour: Colour,
    ) {
        self.marks.push(Mark::Text(Text {
            at,
            words: printable(words.as_ref()),
            size,
            anchor,
            upwards: false,
            colour,
        }));
    }

    /// Adds a line of text in the size of labels.
    pub fn label(&mut self, at: Place, words: impl AsRef<str>, anchor: Anchor) {
        self.text(at, words, LABEL_SIZE, anchor, BLACK);
    }

    /// Adds a line of text that runs upwards; `at` is the middle of its baseline.
    pub fn upward_text(&mut self, at: Place, words: &str, size: f64) {
        self.marks.push(Mark::Text(Text {
            at,
            words: printable(words),
            size,
            anchor: Anchor::Middle,
            upwards: true,
            colour: BLACK,
        }));
    }
}

/// The text with every control character replaced: XML has no place for them.
fn printable(text: &str) -> String {
    text.replace(|letter: char| letter.is_control(), "\u{fffd}")
}

/// Cuts a line into the pieces that a dash pattern leaves, measured by the `length` between neighbours.
pub fn dashes(
    points: &[Place],
    dash: &[f64],
    length: impl Fn(Place, Place) -> f64,
) -> Vec<Vec<Place>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<Place> = points.first().into_iter().copied().collect();
    let (mut phase, mut left) = (0, dash[0]);
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let length = length(from, to);
        let mut travelled = 0.0;
        while length - travelled > left {
            travelled += left;
            let part = travelled / length;
            let at = [0, 1].map(|axis| from[axis] + part * (to[axis] - from[axis]));
            if phase % 2 == 0 {
                if left > 0.0 {
                    piece.push(at);
                }
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![at];
            }
            phase = (phase + 1) % dash.len();
            left = dash[phase];
        }
        left -= length - travelled;
        if phase % 2 == 0 {
            piece.push(to);
        }
    }
    if piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(a: Place, b: Place) -> f64 {
        (b[0] - a[0]).hypot(b[1] - a[1])
    }

    #[test]
    fn dashes_have_the_lengths_of_the_pattern_round_corners() {
        let corner = [[0.0, 0.0], [25.0, 0.0], [25.0, 20.0]];
        let length = |p: &Vec<Place>| p.windows(2).map(|p| apart(p[0], p[1])).sum();
        let pieces = dashes(&corner, &[10.0, 5.0], apart);
        let lengths: Vec<f64> = pieces.iter().map(length).collect();
        assert_eq!(lengths.len(), 3);
        for drawn in lengths {
            assert!((drawn - 10.0).abs() < 1e-12, "{drawn}");
        }
        assert_eq!(pieces[1], vec![[15.0, 0.0], [25.0, 0.0]]);
        assert_eq!(pieces[2], vec![[25.0, 5.0], [25.0, 15.0]]);
    }

    #[test]
    fn a_short_line_keeps_its_part_of_the_first_dash() {
        let line = [[0.0, 0.0], [4.0, 0.0]];
        assert_eq!(dashes(&line, &[10.0, 5.0], apart), [line]);
        assert!(dashes(&[], &[10.0, 5.0], apart).is_empty());
    }
}

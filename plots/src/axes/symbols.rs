//! Symbols: small shapes that stand for one thing wherever they are drawn, in the data and in a legend.

use crate::page::sheet::{Place, Sheet};
use crate::page::style::{
    Colour, DOT_RADIUS, INTERVAL_WIDTH, LABEL_SIZE, LARGE_DOT_RADIUS, RULE_WIDTH, WHITE,
};
use std::f64::consts::TAU;

/// Corners of the polygon that stands for a ring.
const RING_CORNERS: u32 = 16;

/// A small shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// One evaluation of many.
    Dot,
    /// A dot that stands for itself, not for one of many.
    LargeDot,
    /// An evaluation that no search chose: what lies below is seen through it.
    Ring,
    /// A lost evaluation.
    Cross,
    /// A pair of which a value was lost.
    LargeCross,
    /// The start of a path: a ring wide enough to hold the mark of the end.
    Start,
    /// The end of a path.
    End,
    /// A lost flight, with a white edge that sets it off from the path.
    Loss,
    /// The same in a small view.
    SmallLoss,
    /// Where a path leaves the frame.
    Exit,
    /// The same in a small view.
    SmallExit,
    /// A maximum: a wedge that points down.
    Peak,
    /// The same from below: a wedge that points up.
    PeakBelow,
}

impl Symbol {
    /// Draws the symbol with its middle at the place.
    pub fn draw(self, sheet: &mut Sheet, at: Place, colour: Colour) {
        let [x, y] = at;
        match self {
            Self::Dot => sheet.disc(at, DOT_RADIUS, colour),
            Self::LargeDot => sheet.disc(at, LARGE_DOT_RADIUS, colour),
            Self::Ring => ring(sheet, at, LARGE_DOT_RADIUS, colour),
            Self::Cross => sheet.cross(at, 5.0, RULE_WIDTH, colour),
            Self::LargeCross => sheet.cross(at, 7.5, INTERVAL_WIDTH, colour),
            Self::Start => {
                sheet.disc(at, 14.0, colour);
                sheet.disc(at, 11.0, WHITE);
            }
            Self::End => sheet.rectangle([x - 7.0, y - 7.0], [x + 7.0, y + 7.0], colour),
            Self::Loss => {
                sheet.cross(at, 16.0, 10.0, WHITE);
                sheet.cross(at, 14.0, 5.0, colour);
            }
            Self::SmallLoss => {
                sheet.cross(at, 10.0, 8.0, WHITE);
                sheet.cross(at, 8.5, 3.5, colour);
            }
            Self::Exit => diamond(sheet, at, [14.0, 10.0], colour),
            Self::SmallExit => diamond(sheet, at, [9.0, 5.5], colour),
            Self::Peak => wedge(sheet, at, 7.0, colour),
            Self::PeakBelow => wedge(sheet, at, -7.0, colour),
        }
    }
}

/// An upright line, as high as a line of text.
pub fn upright(sheet: &mut Sheet, [x, y]: Place, (colour, width, dash): (Colour, f64, &[f64])) {
    let half = 0.5 * LABEL_SIZE;
    sheet.dashed(vec![[x, y - half], [x, y + half]], dash, width, colour);
}

/// A ring of that radius.
pub fn ring(sheet: &mut Sheet, [x, y]: Place, radius: f64, colour: Colour) {
    let corner = |k: u32| {
        let angle = TAU * f64::from(k) / f64::from(RING_CORNERS);
        [x + radius * angle.cos(), y + radius * angle.sin()]
    };
    let ring = (0..=RING_CORNERS).map(corner).collect();
    sheet.line(ring, RULE_WIDTH, colour);
}

/// The mark of a mean on its interval: a disc, or a ring.
pub fn mean_mark(sheet: &mut Sheet, at: Place, colour: Colour, hollow: bool) {
    sheet.disc(at, 7.5, colour);
    if hollow {
        sheet.disc(at, 4.4, WHITE);
    }
}

/// The head of an arrow whose tip is at the place, to the right, or to the left for -1.
pub fn arrow_head(sheet: &mut Sheet, [x, y]: Place, direction: f64, colour: Colour) {
    let back = x - direction * 15.0;
    sheet.polygon(vec![[x, y], [back, y - 8.5], [back, y + 8.5]], colour);
}

/// A wedge whose tip is so far below its middle.
fn wedge(sheet: &mut Sheet, [x, y]: Place, tip: f64, colour: Colour) {
    let base = y - tip;
    let corners = vec![[x, y + tip], [x - 8.0, base], [x + 8.0, base]];
    sheet.polygon(corners, colour);
}

/// A diamond with a white heart, by the radii of both.
fn diamond(sheet: &mut Sheet, [x, y]: Place, radii: [f64; 2], colour: Colour) {
    for (r, colour) in radii.into_iter().zip([colour, WHITE]) {
        let corners = vec![[x - r, y], [x, y - r], [x + r, y], [x, y + r]];
        sheet.polygon(corners, colour);
    }
}

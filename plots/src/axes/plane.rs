//! The plane of a picture with one panel: as large as the page leaves room, its legend below.

use crate::axes::legend::{self, Entry};
use crate::axes::panel::{MOST_STEPS, room_below, room_left};
use crate::axes::{Axes, Axis};
use crate::page::sheet::Sheet;
use crate::page::style::{FIGURE_HEIGHT, GAP, MARGIN};

/// Least height of the panel, as a part of the height of a figure.
const LEAST_HEIGHT: f64 = 0.68;

/// Draws the legend and makes the page as high as it needs; returns the axes placed between `top`,
/// less the height of a strip above them, and the legend. Where `x` and `y` stand on the page
/// before does not matter.
pub fn plane(
    sheet: &mut Sheet,
    entries: &[Entry],
    [x, y]: [Axis; 2],
    [top, strip]: [f64; 2],
) -> Axes {
    let ends = (MARGIN, sheet.right());
    let legend = legend::rows_height(entries, ends.0, ends.1);
    let least = top + LEAST_HEIGHT * f64::from(FIGURE_HEIGHT);
    let bottom = (sheet.bottom() - legend - GAP - room_below()).max(least);
    let end = bottom + room_below() + GAP + legend;
    legend::rows(sheet, entries, ends.0, ends.1, end);
    sheet.end_at(end);
    Axes {
        x: Axis {
            from: MARGIN + room_left(&y, MOST_STEPS),
            // Half of the last label stands beyond the panel.
            to: ends.1 - 2.0 * GAP,
            ..x
        },
        y: Axis {
            from: bottom,
            to: top + strip,
            ..y
        },
    }
}

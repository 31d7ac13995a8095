//! The layout of an interval picture: the ranges of its panels, and where they stand.

use super::range::shown;
use super::{Estimate, IntervalPanel, IntervalsPicture};
use crate::axes::range::{self, HEADROOM};
use crate::page::letters;
use crate::page::sheet::{Place, Sheet};
use crate::page::style::{GAP, LABEL_SIZE, MARGIN, NAME_SIZE, TICK_LENGTH};

/// Height of the line of one method with one or with two marks \[px\].
const LINE_HEIGHT: [f64; 2] = [34.0, 46.0];
/// Highest line of a method, where there is room \[px\].
const HIGHEST_LINE: f64 = 62.0;
/// Widest column for the names of the methods and the headings of the rows \[px\].
const WIDEST_NAME: f64 = 400.0;
/// Space between panels \[px\].
const BETWEEN: f64 = 26.0;
/// Height of the strip for references beyond the axis \[px\].
pub const OFF_STRIP: f64 = 30.0;

/// Where the rows of panels are, and how wide they are.
pub struct Layout {
    /// Left edge of the first column.
    pub left: f64,
    /// Width of a panel.
    pub width: f64,
    /// Upper edge of the first row.
    pub top: f64,
    /// Height of the line of a method.
    pub line: f64,
    /// Height of the strip above the lines.
    pub strip: f64,
    /// From the top of one row of panels to that of the next.
    pub pitch: f64,
    /// Height of the headings above each row of panels.
    heading: f64,
}

impl Layout {
    /// The layout of a picture whose title ends at `top`.
    pub fn of(sheet: &Sheet, picture: &IntervalsPicture, top: f64, legend_height: f64) -> Self {
        let width_of = |names: &[&str], size: f64| {
            let widths = names.iter().map(|name| letters::text_width(name, size));
            widths.fold(0.0, f64::max)
        };
        let names = width_of(picture.methods, LABEL_SIZE)
            .max(width_of(picture.rows, NAME_SIZE))
            .min(WIDEST_NAME);
        let left = MARGIN + names + 2.0 * GAP;
        let columns = picture.columns.len() as f64;
        let width = (sheet.right() - left - (columns - 1.0) * BETWEEN) / columns;
        let ranges = picture
            .panels
            .iter()
            .map(|panel| (panel, range(picture, panel)));
        let strip = if ranges
            .flat_map(|(panel, range)| off(panel, range))
            .next()
            .is_some()
        {
            OFF_STRIP
        } else {
            0.0
        };
        let mut headings = picture.columns.iter().chain(picture.rows);
        let heading = if headings.any(|heading| !heading.is_empty()) {
            1.5 * NAME_SIZE
        } else {
            0.0
        };
        // Headings above the panels, numbers below.
        let around = heading + strip + 2.0 * TICK_LENGTH + 1.9 * LABEL_SIZE;
        let rows = picture.rows.len() as f64;
        let least = LINE_HEIGHT[usize::from(two_marks(picture))];
        let room = sheet.bottom() - legend_height - GAP - 1.4 * NAME_SIZE - top;
        let line = ((room / rows - around) / picture.methods.len() as f64)
            .min(HIGHEST_LINE)
            .max(least);
        let pitch = around + line * picture.methods.len() as f64;
        Self {
            left,
            width,
            top,
            line,
            strip,
            pitch,
            heading,
        }
    }

    /// The upper left corner of a panel, below its heading.
    pub fn corner(&self, row: usize, column: usize) -> Place {
        [
            self.left + column as f64 * (self.width + BETWEEN),
            self.top + row as f64 * self.pitch + self.heading,
        ]
    }
}

/// The range of the axis of a panel.
pub fn range(picture: &IntervalsPicture, of: &IntervalPanel) -> (f64, f64) {
    if !picture.held.is_empty() {
        let held = picture.held.iter();
        let ends = held.flat_map(|one| [one.low.min(one.mean), one.high.max(one.mean)]);
        return range::range(ends, HEADROOM);
    }
    let estimates = of.estimates.iter().flatten();
    let estimates: Vec<Estimate> = estimates.copied().flatten().collect();
    let references: Vec<Estimate> = of.references.iter().copied().flatten().collect();
    shown(&estimates, &references)
}

/// The references that stand beyond the axis, with their index.
pub fn off<'a>(
    panel: &'a IntervalPanel,
    (low, high): (f64, f64),
) -> impl Iterator<Item = (usize, f64)> + 'a {
    let references = panel.references.iter().enumerate();
    references
        .filter_map(|(index, reference)| reference.map(|one| (index, one.mean)))
        .filter(move |(_, mean)| !(low..=high).contains(mean))
}

/// Whether there are estimates with either mark.
pub fn two_marks(picture: &IntervalsPicture) -> bool {
    has_mark(picture, 0) && has_mark(picture, 1)
}

/// Whether there are estimates with that mark.
pub fn has_mark(picture: &IntervalsPicture, mark: usize) -> bool {
    let mut pairs = picture.panels.iter().flat_map(|panel| panel.estimates);
    pairs.any(|pair| pair[mark].is_some())
}

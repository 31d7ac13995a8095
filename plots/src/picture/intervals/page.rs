//! The page of an interval picture: the grid of panels, the names beside them, and the legend.

use super::panel::{self, UNDECIDED, off, overlap, range, reference_style};
use super::{IntervalPanel, IntervalsPicture};
use crate::axes::legend::{self, Entry, Sample};
use crate::axes::panel::x_name;
use crate::page::letters;
use crate::page::sheet::{Anchor, Place, Sheet, page_height, page_width, wrap};
use crate::page::style::{
    BLACK, DARK_GREY, GAP, HALF_DIGIT, LABEL_SIZE, MARGIN, NAME_SIZE, TICK_LENGTH, series_colour,
};

/// Height of the line of one method with one or with two marks \[px\].
const LINE_HEIGHT: [f64; 2] = [34.0, 46.0];
/// Highest line of a method, where there is room \[px\].
const HIGHEST_LINE: f64 = 62.0;
/// Widest column for the names of the methods \[px\].
const WIDEST_NAME: f64 = 400.0;
/// Space between panels \[px\].
const BETWEEN: f64 = 26.0;
/// Height of the strip for references beyond the axis \[px\].
pub const OFF_STRIP: f64 = 30.0;

/// Where the rows of panels are, and how wide they are.
pub struct Layout {
    left: f64,
    /// Width of a panel.
    pub width: f64,
    top: f64,
    /// Height of the line of a method.
    pub line: f64,
    /// Height of the strip above the lines.
    pub strip: f64,
    /// From the top of one row of panels to that of the next.
    pitch: f64,
}

impl Layout {
    fn of(picture: &IntervalsPicture, top: f64, legend_height: f64) -> Self {
        let widths = picture.methods.iter();
        let names = widths
            .map(|name| letters::text_width(name, LABEL_SIZE))
            .fold(0.0, f64::max)
            .min(WIDEST_NAME);
        let left = MARGIN + names + 2.0 * GAP;
        let columns = picture.columns.len() as f64;
        let width = (page_width() - MARGIN - left - (columns - 1.0) * BETWEEN) / columns;
        let ranges = picture.panels.iter().map(|panel| (panel, range(panel)));
        let strip = if ranges
            .flat_map(|(panel, range)| off(panel, range))
            .next()
            .is_some()
        {
            OFF_STRIP
        } else {
            0.0
        };
        // Headings above the panels, numbers below.
        let around = 1.5 * NAME_SIZE + strip + 2.0 * TICK_LENGTH + 1.9 * LABEL_SIZE;
        let rows = picture.rows.len() as f64;
        let least = LINE_HEIGHT[usize::from(two_marks(picture))];
        let room = page_height() - MARGIN - legend_height - GAP - 1.4 * NAME_SIZE - top;
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
        }
    }

    /// The upper left corner of a panel, below its heading.
    fn corner(&self, row: usize, column: usize) -> Place {
        [
            self.left + column as f64 * (self.width + BETWEEN),
            self.top + row as f64 * self.pitch + 1.5 * NAME_SIZE,
        ]
    }
}

/// The whole page.
pub fn sheet(picture: &IntervalsPicture) -> Sheet {
    let (mut sheet, top) = Sheet::titled(picture.title);
    let entries = entries(picture);
    let (left, right) = (MARGIN, page_width() - MARGIN);
    let legend_height = legend::rows_height(&entries, left, right);
    let layout = Layout::of(picture, top, legend_height);
    for (index, panel) in picture.panels.iter().enumerate() {
        let (row, column) = (index / picture.columns.len(), index % picture.columns.len());
        if column == 0 {
            names(&mut sheet, picture, &layout, row);
        }
        let [x, y] = layout.corner(row, column);
        let heading = wrap(picture.columns[column], NAME_SIZE, layout.width, 1);
        let at = [x + 0.5 * layout.width, y - 0.45 * NAME_SIZE];
        let heading = heading.into_iter().next().unwrap_or_default();
        sheet.text(at, heading, NAME_SIZE, Anchor::Middle, BLACK);
        panel::draw(&mut sheet, picture, panel, &layout, [x, y]);
    }
    let end = layout.top + picture.rows.len() as f64 * layout.pitch;
    x_name(
        &mut sheet,
        picture.x_name,
        layout.left,
        right,
        end - 2.0 * TICK_LENGTH - 1.9 * LABEL_SIZE,
    );
    let bottom = end + 1.4 * NAME_SIZE + GAP + legend_height;
    sheet.end_at(bottom);
    legend::rows(&mut sheet, &entries, left, right, bottom);
    sheet
}

/// The heading of a row of panels and the names of the methods.
fn names(sheet: &mut Sheet, picture: &IntervalsPicture, layout: &Layout, row: usize) {
    let [x, top] = layout.corner(row, 0);
    let heading = wrap(picture.rows[row], NAME_SIZE, x - MARGIN - 2.0 * GAP, 1);
    let heading = heading.into_iter().next().unwrap_or_default();
    let at = [MARGIN, top - 0.45 * NAME_SIZE];
    sheet.text(at, heading, NAME_SIZE, Anchor::Start, BLACK);
    for (index, name) in picture.methods.iter().enumerate() {
        let middle = top + layout.strip + (index as f64 + 0.5) * layout.line;
        let name = wrap(name, LABEL_SIZE, x - MARGIN - 2.0 * GAP, 1);
        let at = [x - GAP, middle + HALF_DIGIT * LABEL_SIZE];
        let name = name.into_iter().next().unwrap_or_default();
        sheet.text(at, name, LABEL_SIZE, Anchor::End, BLACK);
    }
}

/// Whether there are estimates with either mark.
pub fn two_marks(picture: &IntervalsPicture) -> bool {
    has_mark(picture, 0) && has_mark(picture, 1)
}

fn has_mark(picture: &IntervalsPicture, mark: usize) -> bool {
    let mut pairs = picture.panels.iter().flat_map(|panel| panel.estimates);
    pairs.any(|pair| pair[mark].is_some())
}

/// Whether any estimate is grey.
fn any_undecided(picture: &IntervalsPicture) -> bool {
    picture.panels.iter().any(|panel| {
        let judge = picture.judged_against.and_then(|k| panel.references[k]);
        let estimates = panel.estimates.iter().flatten().flatten();
        judge.is_some_and(|judge| estimates.clone().any(|&one| overlap(one, judge)))
    })
}

fn entries(picture: &IntervalsPicture) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (mark, label) in picture.marks.into_iter().enumerate() {
        if has_mark(picture, mark) {
            let sample = Sample::Interval {
                colour: series_colour(mark),
                hollow: mark == 1,
            };
            entries.push(Entry::new(sample, label));
        }
    }
    for (index, label) in picture.references.iter().enumerate() {
        let (colour, band, dash) = reference_style(index);
        entries.push(Entry::new(Sample::Rule { colour, band, dash }, *label));
    }
    let against = picture
        .judged_against
        .map(|index| picture.references[index]);
    if let Some(label) = against.filter(|_| any_undecided(picture)) {
        let sample = Sample::Interval {
            colour: UNDECIDED,
            hollow: false,
        };
        entries.push(Entry::new(sample, format!("interval overlaps “{label}”")));
    }
    let reaches_out = |panel: &IntervalPanel| {
        let (low, high) = range(panel);
        let mut all = panel.estimates.iter().flatten().flatten();
        all.any(|one| one.low.min(one.mean) < low || one.high.max(one.mean) > high)
            || off(panel, (low, high)).next().is_some()
    };
    if picture.panels.iter().any(reaches_out) {
        let sample = Sample::Beyond { colour: DARK_GREY };
        entries.push(Entry::new(
            sample,
            "goes on beyond the axis; the mean in numbers if it is there",
        ));
    }
    entries
}

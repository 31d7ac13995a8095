//! The page of an interval picture: the grid of panels, the names beside them, and the legend.

use super::layout::{Layout, has_mark, off, range};
use super::panel::{self, UNDECIDED, overlap, reference_style};
use super::{IntervalPanel, IntervalsPicture};
use crate::axes::legend::{self, Entry, Sample};
use crate::axes::panel::x_name;
use crate::page::lines::on_one_line;
use crate::page::sheet::{Anchor, Page, Sheet};
use crate::page::style::{
    BLACK, DARK_GREY, GAP, HALF_DIGIT, LABEL_SIZE, MARGIN, NAME_SIZE, OVER_WIDTH, TICK_LENGTH,
    series_colour,
};

/// The whole page.
pub fn sheet(page: Page, picture: &IntervalsPicture) -> Sheet {
    let (mut sheet, top) = Sheet::on(page, picture.title);
    let entries = entries(picture);
    let (left, right) = (MARGIN, sheet.right());
    let legend_height = legend::rows_height(&entries, left, right);
    let layout = Layout::of(&sheet, picture, top, legend_height);
    for (index, panel) in picture.panels.iter().enumerate() {
        let (row, column) = (index / picture.columns.len(), index % picture.columns.len());
        if column == 0 {
            names(&mut sheet, picture, &layout, row);
        }
        let [x, y] = layout.corner(row, column);
        let heading = on_one_line(picture.columns[column], NAME_SIZE, layout.width);
        let at = [x + 0.5 * layout.width, y - 0.45 * NAME_SIZE];
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
    let heading = on_one_line(picture.rows[row], NAME_SIZE, x - MARGIN - 2.0 * GAP);
    let at = [MARGIN, top - 0.45 * NAME_SIZE];
    sheet.text(at, heading, NAME_SIZE, Anchor::Start, BLACK);
    for (index, name) in picture.methods.iter().enumerate() {
        let middle = top + layout.strip + (index as f64 + 0.5) * layout.line;
        let name = on_one_line(name, LABEL_SIZE, x - MARGIN - 2.0 * GAP);
        let at = [x - GAP, middle + HALF_DIGIT * LABEL_SIZE];
        sheet.text(at, name, LABEL_SIZE, Anchor::End, BLACK);
    }
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
                colour: series_colour(picture.colours[mark]),
                hollow: mark == 1,
            };
            entries.push(Entry::new(sample, label));
        }
    }
    for (index, label) in picture.references.iter().enumerate() {
        let (colour, band, dash) = reference_style(index);
        let mut all = picture
            .panels
            .iter()
            .filter_map(|panel| panel.references[index]);
        let sample = if all.any(|one| one.high > one.low) {
            Sample::Rule { colour, band, dash }
        } else {
            Sample::Upright {
                colour,
                width: OVER_WIDTH,
                dash,
            }
        };
        entries.push(Entry::new(sample, *label));
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
        let (low, high) = range(picture, panel);
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

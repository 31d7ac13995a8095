//! The page of the slices: the ranges that panels share, and where the panels stand.

use super::panel::{BAND, Cell, MEAN, PROMISE, Strip};
use super::{SliceParameter, SlicesPicture};
use crate::axes::legend::{self, Entry, Sample};
use crate::axes::panel::room_for_labels;
use crate::axes::symbols::Symbol;
use crate::axes::{Axis, HEADROOM, ends, range, ratio_range};
use crate::page::letters::{on_one_line, wrap};
use crate::page::sheet::{Anchor, Page, Sheet};
use crate::page::style::{
    BASELINE_DASH, BLACK, CURVE_WIDTH, GAP, LABEL_SIZE, LEADING, LOSS, MARGIN, NAME_SIZE,
    RULE_WIDTH, TICK_LENGTH,
};

/// Least and greatest height of a row of panels with its heading \[px\].
const ROW_HEIGHT: [f64; 2] = [270.0, 420.0];
/// Part of a panel that the acquisition takes.
const STRIP: f64 = 0.24;
/// Space between panels \[px\].
const BETWEEN: f64 = 22.0;
/// Room for the heading of a row \[px\].
const HEADING: f64 = 1.5 * LABEL_SIZE;
/// Most steps between labels of the objective.
const STEPS_UP: usize = 5;
/// Lines that the name of a parameter may take.
const MOST_LINES: usize = 3;

/// Every value that was observed.
pub fn observed(picture: &SlicesPicture) -> impl Iterator<Item = f64> {
    let slices = picture.moments.iter().flat_map(|moment| moment.slices);
    let observations = slices.flat_map(|slice| slice.observations);
    observations.filter_map(|observation| observation.y)
}

/// The axis of the objective, common to all panels, with observations and means; bands are cut off
/// where they go further.
fn objective(picture: &SlicesPicture) -> Axis {
    let (least, most) = ends(observed(picture));
    let logarithmic = picture.y_scale.is_logarithmic(least, most);
    let slices = picture.moments.iter().flat_map(|moment| moment.slices);
    let points = slices.flat_map(|slice| slice.points);
    let values = observed(picture).chain(points.map(|point| point.mean));
    if !logarithmic {
        return Axis::unplaced(range(values, HEADROOM), false);
    }
    let (low, high) = ends(values.filter(|value| *value > 0.0));
    // A mean that dips towards zero must not take decades that no observation needs.
    let low = low.max(0.3 * least.min(high));
    let shown = [low, high].into_iter().filter(|_| low <= high);
    Axis::unplaced(ratio_range(shown, HEADROOM), true)
}

/// The axis of a parameter, common to all moments.
fn parameter_axis(picture: &SlicesPicture, column: usize) -> Axis {
    let slices = picture.moments.iter().map(|moment| &moment.slices[column]);
    let inputs = slices.flat_map(|slice| slice.points).map(|point| point.x);
    Axis::unplaced(ends(inputs), picture.parameters[column].logarithmic)
}

/// Where the panels stand.
struct Layout {
    left: f64,
    top: f64,
    /// Width of a panel.
    width: f64,
    /// From the top of one row to that of the next.
    height: f64,
    /// Room for the labels and names below the last row.
    below: f64,
}

impl Layout {
    fn of(sheet: &Sheet, picture: &SlicesPicture, top: f64, legend_height: f64) -> Self {
        let columns = picture.parameters.len() as f64;
        let rows = picture.moments.len() as f64;
        let left = MARGIN + 1.5 * NAME_SIZE + room_for_labels(&objective(picture), STEPS_UP);
        let width = (sheet.right() - left - (columns - 1.0) * BETWEEN) / columns;
        let names = picture.parameters.iter();
        let names = names.map(|parameter| lines(parameter, width).len());
        let name_lines = names.max().unwrap_or(0) as f64;
        let below = 2.0 * TICK_LENGTH + (1.3 + LEADING * name_lines) * LABEL_SIZE;
        let room = sheet.bottom() - legend_height - GAP - below - top;
        let height = (room / rows).clamp(ROW_HEIGHT[0], ROW_HEIGHT[1]);
        Self {
            left,
            top,
            width,
            height,
            below,
        }
    }

    fn column(&self, column: usize) -> [f64; 2] {
        let from = self.left + column as f64 * (self.width + BETWEEN);
        [from, from + self.width]
    }

    /// Top and bottom of the panels of a row.
    fn row(&self, row: usize) -> [f64; 2] {
        let top = self.top + row as f64 * self.height;
        [top + HEADING, top + self.height - GAP]
    }
}

/// The whole page.
pub fn sheet(page: Page, picture: &SlicesPicture) -> Sheet {
    let (mut sheet, top) = Sheet::on(page.wide(), picture.title);
    let entries = entries(picture);
    let legend_height = legend::rows_height(&sheet, &entries);
    let layout = Layout::of(&sheet, picture, top, legend_height);
    for row in 0..picture.moments.len() {
        draw_row(&mut sheet, picture, &layout, row);
    }
    let [_, bottom] = layout.row(picture.moments.len() - 1);
    for (column, parameter) in picture.parameters.iter().enumerate() {
        let [from, to] = layout.column(column);
        let first = bottom + 2.0 * TICK_LENGTH + 2.1 * LABEL_SIZE;
        for (index, line) in lines(parameter, layout.width).into_iter().enumerate() {
            let y = first + index as f64 * LEADING * LABEL_SIZE;
            let at = [0.5 * (from + to), y];
            sheet.label(at, line, Anchor::Middle);
        }
    }
    legend::end(&mut sheet, &entries, bottom + layout.below + GAP);
    sheet
}

fn draw_row(sheet: &mut Sheet, picture: &SlicesPicture, layout: &Layout, row: usize) {
    let moment = &picture.moments[row];
    let [top, bottom] = layout.row(row);
    let heading = on_one_line(moment.label, LABEL_SIZE, sheet.right() - layout.left);
    let at = [layout.left, top - 0.4 * LABEL_SIZE];
    sheet.label(at, heading, Anchor::Start);
    let strip = picture.acquisition_name.map(|_| {
        let values = moment.slices.iter().flat_map(|slice| slice.points);
        Strip {
            top: bottom - STRIP * (bottom - top),
            promise: ends(values.map(|point| point.acquisition)),
        }
    });
    let above_bottom = strip.as_ref().map_or(bottom, |strip| strip.top - 0.5 * GAP);
    for (column, slice) in moment.slices.iter().enumerate() {
        let [from, to] = layout.column(column);
        let cell = Cell {
            x: parameter_axis(picture, column).over(from, to),
            y: objective(picture).over(above_bottom, top),
            bottom,
            strip,
            steps: [(layout.width / 52.0).clamp(2.0, 9.0) as usize, STEPS_UP],
            label_x: row + 1 == picture.moments.len(),
            label_y: column == 0,
        };
        cell.draw(sheet, slice);
    }
    let at = [MARGIN + 0.8 * NAME_SIZE, 0.5 * (top + above_bottom)];
    sheet.upward_text(at, picture.y_name, NAME_SIZE);
}

/// The name of a parameter in the lines that it gets.
fn lines(parameter: &SliceParameter, width: f64) -> Vec<String> {
    wrap(
        parameter.label,
        LABEL_SIZE,
        width + 0.5 * BETWEEN,
        MOST_LINES,
    )
}

fn entries(picture: &SlicesPicture) -> Vec<Entry> {
    let slices = picture.moments.iter().flat_map(|moment| moment.slices);
    let shown = slices.flat_map(|slice| slice.observations);
    let shown = || shown.clone().filter(|one| one.weight > 0.0);
    let mut entries = vec![
        Entry::line("mean of the surrogate", MEAN, CURVE_WIDTH, &[]),
        Entry::new(Sample::Band { colour: BAND }, picture.band_name),
    ];
    if shown().any(|one| one.y.is_some()) {
        let label = "observation, faint if far from the slice";
        entries.push(Entry::symbol(label, Symbol::Dot, BLACK));
    }
    if shown().any(|one| one.y.is_none()) {
        entries.push(Entry::symbol("lost evaluation", Symbol::Cross, LOSS));
    }
    entries.push(Entry::line(
        picture.through,
        BLACK,
        RULE_WIDTH,
        BASELINE_DASH,
    ));
    if let Some(name) = picture.acquisition_name {
        entries.extend([
            Entry::line(format!("{name} (below)"), PROMISE, CURVE_WIDTH, &[]),
            Entry::symbol("its maximum along the slice", Symbol::Peak, PROMISE),
        ]);
    }
    entries
}

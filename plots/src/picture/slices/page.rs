//! The page of the slices: the ranges that panels share, and where the panels stand.

use super::panel::{BAND, Cell, MEAN, PROMISE};
use super::{SliceParameter, SlicesPicture};
use crate::axes::legend::{self, Entry, Sample};
use crate::axes::panel::Panel;
use crate::axes::{Axes, Axis, HEADROOM, range, ratio_range};
use crate::page::letters::{on_one_line, wrap};
use crate::page::sheet::{Anchor, Sheet, page_height, page_width};
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

/// The axis of the objective, common to all panels, with observations and means;
/// bands are cut off where they go further.
fn objective(picture: &SlicesPicture, [from, to]: [f64; 2]) -> Axis {
    let (low, high, logarithmic) = objective_range(picture);
    Axis {
        low,
        high,
        logarithmic,
        from,
        to,
    }
}

fn objective_range(picture: &SlicesPicture) -> (f64, f64, bool) {
    let least = observed(picture).fold(f64::INFINITY, f64::min);
    let most = observed(picture).fold(f64::NEG_INFINITY, f64::max);
    let logarithmic = picture.y_scale.is_logarithmic(least, most);
    let slices = picture.moments.iter().flat_map(|moment| moment.slices);
    let means = slices
        .flat_map(|slice| slice.points)
        .map(|point| point.mean);
    let values: Vec<f64> = observed(picture).chain(means).collect();
    if !logarithmic {
        let (low, high) = range(values.into_iter(), HEADROOM);
        return (low, high, false);
    }
    let positive = values.into_iter().filter(|&value| value > 0.0);
    let (low, high) = positive.fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if high == 0.0 {
        return (0.1, 10.0, true);
    }
    // A mean that dips towards zero must not take decades that no observation needs.
    let low = low.max(0.3 * least.min(high));
    let (low, high) = ratio_range([low, high].into_iter(), HEADROOM);
    (low, high, true)
}

/// The axis of a parameter, common to all moments.
fn parameter_axis(picture: &SlicesPicture, column: usize, [from, to]: [f64; 2]) -> Axis {
    let slices = picture.moments.iter().map(|moment| &moment.slices[column]);
    let ends = slices.map(|slice| {
        let points = slice.points;
        (points[0].x, points[points.len() - 1].x)
    });
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |range, ends| {
        (range.0.min(ends.0), range.1.max(ends.1))
    });
    Axis {
        low,
        high,
        logarithmic: picture.parameters[column].logarithmic,
        from,
        to,
    }
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
    fn of(picture: &SlicesPicture, top: f64, legend_height: f64) -> Self {
        let columns = picture.parameters.len() as f64;
        let rows = picture.moments.len() as f64;
        let y = objective(picture, [100.0, 0.0]);
        let labels = Panel::new(Axes { x: y, y }, [0, STEPS_UP]).label_width();
        let left = MARGIN + 1.5 * NAME_SIZE + labels + 2.0 * TICK_LENGTH;
        let width = (page_width() - MARGIN - left - (columns - 1.0) * BETWEEN) / columns;
        let names = picture.parameters.iter();
        let names = names.map(|parameter| lines(parameter, width).len());
        let name_lines = names.max().unwrap_or(0) as f64;
        let below = 2.0 * TICK_LENGTH + (1.3 + LEADING * name_lines) * LABEL_SIZE;
        let room = page_height() - MARGIN - legend_height - GAP - below - top;
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
pub fn sheet(picture: &SlicesPicture) -> Sheet {
    let (mut sheet, top) = Sheet::titled(picture.title);
    let (left, right) = (MARGIN, page_width() - MARGIN);
    let entries = entries(picture);
    let legend_height = legend::rows_height(&entries, left, right);
    let layout = Layout::of(picture, top, legend_height);
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
            sheet.text(at, line, LABEL_SIZE, Anchor::Middle, BLACK);
        }
    }
    let end = bottom + layout.below + GAP + legend_height;
    sheet.end_at(end);
    legend::rows(&mut sheet, &entries, left, right, end);
    sheet
}

fn draw_row(sheet: &mut Sheet, picture: &SlicesPicture, layout: &Layout, row: usize) {
    let moment = &picture.moments[row];
    let [top, bottom] = layout.row(row);
    let heading = on_one_line(
        moment.label,
        LABEL_SIZE,
        page_width() - MARGIN - layout.left,
    );
    let at = [layout.left, top - 0.4 * LABEL_SIZE];
    sheet.text(at, heading, LABEL_SIZE, Anchor::Start, BLACK);
    let strip_top = bottom - STRIP * (bottom - top);
    let values = moment.slices.iter().flat_map(|slice| slice.points);
    let values = values.map(|point| point.acquisition);
    let promise = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    for (column, slice) in moment.slices.iter().enumerate() {
        let cell = Cell {
            x: parameter_axis(picture, column, layout.column(column)),
            y: objective(picture, [strip_top - 0.5 * GAP, top]),
            strip: [bottom, strip_top],
            promise,
            steps: [(layout.width / 52.0).clamp(2.0, 9.0) as usize, STEPS_UP],
            label_x: row + 1 == picture.moments.len(),
            label_y: column == 0,
        };
        cell.draw(sheet, slice);
    }
    let beside = [MARGIN + 0.8 * NAME_SIZE, 0.5 * (top + strip_top)];
    sheet.upward_text(beside, picture.y_name.to_owned(), NAME_SIZE, BLACK);
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
        Entry::new(
            Sample::line(MEAN, CURVE_WIDTH, &[]),
            "mean of the surrogate",
        ),
        Entry::new(Sample::Band { colour: BAND }, picture.band_name),
    ];
    if shown().any(|one| one.y.is_some()) {
        let label = "observation, faint if far from the slice";
        entries.push(Entry::new(Sample::Dot { colour: BLACK }, label));
    }
    if shown().any(|one| one.y.is_none()) {
        entries.push(Entry::new(
            Sample::Cross { colour: LOSS },
            "lost evaluation",
        ));
    }
    entries.push(Entry::new(
        Sample::line(BLACK, RULE_WIDTH, BASELINE_DASH),
        "incumbent",
    ));
    let name = format!("{} (below)", picture.acquisition_name);
    entries.push(Entry::new(Sample::line(PROMISE, CURVE_WIDTH, &[]), name));
    entries.push(Entry::new(
        Sample::Peak { colour: PROMISE },
        "its maximum along the slice",
    ));
    entries
}

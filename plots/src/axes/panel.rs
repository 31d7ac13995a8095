//! A panel: a plot on a page, alone or among others with which it may share labels, with grid,
//! frame and ticks of its own.

use crate::axes::ticks::{Ticks, linear, logarithmic};
use crate::axes::{Axes, Axis};
use crate::page::letters;
use crate::page::sheet::{Anchor, Sheet};
use crate::page::style::{
    BLACK, GRID, GRID_WIDTH, HALF_DIGIT, LABEL_SIZE, NAME_SIZE, RULE_WIDTH, TICK_LENGTH,
};

/// Most steps between the labels of an axis that has room for them.
pub const MOST_STEPS: usize = 9;
/// Free space above and below the data, as a part of its range.
pub const HEADROOM: f64 = 0.06;
/// Least free space, as a part of the largest value.
const LEAST_HEADROOM: f64 = 0.02;
/// Least free space on a logarithmic axis, as a ratio.
const LEAST_FACTOR: f64 = 1.1;

/// Two axes and where they are divided.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Where numbers appear.
    pub axes: Axes,
    x_ticks: Ticks,
    y_ticks: Ticks,
    /// Height of a strip within the frame above the y axis \[px\].
    strip: f64,
}

impl Panel {
    /// A panel with at most so many steps between labels along x and along y; without ticks along
    /// an axis of which no steps are wanted.
    pub fn new(axes: Axes, [most_x, most_y]: [usize; 2]) -> Self {
        Self {
            axes,
            x_ticks: ticks(&axes.x, most_x, 0.0),
            y_ticks: ticks(&axes.y, most_y, 0.0),
            strip: 0.0,
        }
    }

    /// The panel with an x axis that counts, so that its ticks are whole numbers, and with a strip
    /// of that height within its frame, above the y axis.
    pub fn counting(axes: Axes, [most_x, most_y]: [usize; 2], strip: f64) -> Self {
        Self {
            x_ticks: ticks(&axes.x, most_x, 1.0),
            strip,
            ..Self::new(axes, [0, most_y])
        }
    }

    /// The panel with as many steps along x, at most `most`, as have room for labels as wide as the
    /// widest, and without ticks along y.
    pub fn fitting(axes: Axes, most: usize) -> Self {
        let room = |panel: &Self| {
            let ticks = &panel.x_ticks.labelled;
            let apart = ticks
                .windows(2)
                .map(|pair| axes.x.place(pair[1]) - axes.x.place(pair[0]));
            apart.fold(f64::INFINITY, f64::min) >= panel.x_ticks.width() + 0.5 * LABEL_SIZE
        };
        let panels = (2..=most).rev().map(|steps| Self::new(axes, [steps, 0]));
        let mut fitting = panels.filter(room);
        fitting.next().unwrap_or_else(|| Self::new(axes, [2, 0]))
    }

    /// Draws grid lines at the labels of both axes.
    pub fn grid(&self, sheet: &mut Sheet) {
        self.grid_across(sheet);
        let (x, y) = (self.axes.x, self.axes.y);
        for &tick in &self.x_ticks.labelled {
            let across = x.place(tick);
            sheet.line(vec![[across, y.from], [across, y.to]], GRID_WIDTH, GRID);
        }
    }

    /// Draws grid lines at the labels of the y axis.
    pub fn grid_across(&self, sheet: &mut Sheet) {
        let (x, y) = (self.axes.x, self.axes.y);
        for &tick in &self.y_ticks.labelled {
            let height = y.place(tick);
            sheet.line(vec![[x.from, height], [x.to, height]], GRID_WIDTH, GRID);
        }
    }

    /// Draws the frame and the ticks; labels where they are asked for.
    pub fn frame(&self, sheet: &mut Sheet, [label_x, label_y]: [bool; 2]) {
        let (left, right) = (self.axes.x.from, self.axes.x.to);
        let (bottom, top) = (self.axes.y.from, self.axes.y.to - self.strip);
        for (index, &tick) in self.x_ticks.labelled.iter().enumerate() {
            let x = self.axes.x.place(tick);
            sheet.line(
                vec![[x, bottom], [x, bottom + TICK_LENGTH]],
                RULE_WIDTH,
                BLACK,
            );
            if label_x {
                let at = [x, bottom + 1.5 * TICK_LENGTH + 0.9 * LABEL_SIZE];
                let label = self.x_ticks.labels[index].clone();
                sheet.text(at, label, LABEL_SIZE, Anchor::Middle, BLACK);
            }
        }
        for (index, &tick) in self.y_ticks.labelled.iter().enumerate() {
            let y = self.axes.y.place(tick);
            sheet.line(vec![[left - TICK_LENGTH, y], [left, y]], RULE_WIDTH, BLACK);
            if label_y {
                let at = [left - 1.6 * TICK_LENGTH, y + HALF_DIGIT * LABEL_SIZE];
                let label = self.y_ticks.labels[index].clone();
                sheet.text(at, label, LABEL_SIZE, Anchor::End, BLACK);
            }
        }
        for &tick in &self.x_ticks.unlabelled {
            let x = self.axes.x.place(tick);
            sheet.line(
                vec![[x, bottom], [x, bottom + 0.5 * TICK_LENGTH]],
                GRID_WIDTH,
                BLACK,
            );
        }
        for &tick in &self.y_ticks.unlabelled {
            let y = self.axes.y.place(tick);
            sheet.line(
                vec![[left - 0.5 * TICK_LENGTH, y], [left, y]],
                GRID_WIDTH,
                BLACK,
            );
        }
        sheet.outline([left, top], [right, bottom], RULE_WIDTH, BLACK);
    }

    /// Draws the labels of the x axis so that none stands beyond the panel, where a neighbour's
    /// would be: those at the ends move inwards, and what would then touch is left out.
    pub fn labels_inside(&self, sheet: &mut Sheet) {
        let Axes { x, y } = self.axes;
        let mut free_from = x.from - LABEL_SIZE;
        for (&tick, label) in self.x_ticks.labelled.iter().zip(&self.x_ticks.labels) {
            let half = 0.5 * letters::text_width(label, LABEL_SIZE);
            let ends = (x.from - 0.1 * LABEL_SIZE, x.to + 0.1 * LABEL_SIZE);
            let middle = x.place(tick).min(ends.1 - half).max(ends.0 + half);
            if middle - half >= free_from {
                let at = [middle, y.from + 1.5 * TICK_LENGTH + 0.9 * LABEL_SIZE];
                sheet.text(at, label.clone(), LABEL_SIZE, Anchor::Middle, BLACK);
                free_from = middle + half + 0.5 * LABEL_SIZE;
            }
        }
    }

    /// Width of the widest label of the y axis \[px\].
    pub fn label_width(&self) -> f64 {
        self.y_ticks.width()
    }

    /// Writes the names of both axes beside their labels; an axis without a name gets none.
    pub fn names(&self, sheet: &mut Sheet, across: &str, upwards: &str) {
        let Axes { x, y } = self.axes;
        if !across.is_empty() {
            x_name(sheet, across, x.from, x.to, y.from);
        }
        let labels = self.label_width() + 2.0 * TICK_LENGTH;
        let middle = 0.5 * (y.from + y.to - self.strip);
        let beside = [x.from - labels - 0.6 * NAME_SIZE, middle];
        sheet.upward_text(beside, upwards.to_owned(), NAME_SIZE, BLACK);
    }
}

/// Room that the labels of a y axis, divided as [`Panel::new`] does, take to the left of it
/// \[px\].
pub fn room_for_labels(axis: &Axis, most: usize) -> f64 {
    ticks(axis, most, 0.0).width() + 2.0 * TICK_LENGTH
}

/// Room that the labels and the name of a y axis take to the left of it \[px\].
pub fn room_left(axis: &Axis, most: usize) -> f64 {
    room_for_labels(axis, most) + 1.7 * NAME_SIZE
}

/// Room that the labels and the name of an x axis take below it \[px\].
pub fn room_below() -> f64 {
    2.0 * TICK_LENGTH + LABEL_SIZE + 1.6 * NAME_SIZE
}

/// Writes the name of an x axis below its labels, in the middle between the ends.
pub fn x_name(sheet: &mut Sheet, name: &str, from: f64, to: f64, bottom: f64) {
    let below = bottom + 2.0 * TICK_LENGTH + LABEL_SIZE + 1.1 * NAME_SIZE;
    let at = [0.5 * (from + to), below];
    sheet.text(at, name.to_owned(), NAME_SIZE, Anchor::Middle, BLACK);
}

/// Ticks of an axis; none where no steps are wanted.
fn ticks(axis: &Axis, most: usize, least_step: f64) -> Ticks {
    if most == 0 {
        Ticks::none()
    } else if axis.logarithmic {
        logarithmic(axis.low, axis.high, most)
    } else {
        linear(axis.low, axis.high, most, least_step)
    }
}

/// A range that holds all `values` with `headroom`, a part of the range, at both ends; about equal
/// values, and about zero for none.
pub fn range(values: impl Iterator<Item = f64>, headroom: f64) -> (f64, f64) {
    let (low, high) = ends(values);
    if low > high {
        return (-1.0, 1.0);
    }
    let magnitude = low.abs().max(high.abs());
    let spare = (headroom * (high - low)).max(LEAST_HEADROOM * magnitude);
    let spare = if spare == 0.0 { 0.1 } else { spare };
    (low - spare, high + spare)
}

/// As [`range`] for a logarithmic axis: a range by equal ratios that holds all positive values;
/// about one for none.
pub fn ratio_range(values: impl Iterator<Item = f64>, headroom: f64) -> (f64, f64) {
    let (low, high) = ends(values.filter(|value| *value > 0.0));
    if low > high {
        return (0.1, 10.0);
    }
    // By logarithms, because the ratio of the widest of ranges overflows.
    let factor = (headroom * (high.ln() - low.ln())).exp().max(LEAST_FACTOR);
    let low = (low / factor).max(f64::MIN_POSITIVE);
    (low, (high * factor).min(f64::MAX))
}

/// The least and the greatest value; of none, the least is the greater.
fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_their_values_and_are_never_empty() {
        for values in [
            [0.0, 0.0],
            [5.0, 5.0],
            [-3.0, 7.0],
            [-1e12, 1e12],
            [1e-9, 2e-9],
        ] {
            let (low, high) = range(values.into_iter(), 0.06);
            assert!(low < values[0] && high > values[1], "{values:?}");
            assert!(high - low < 1.2 * (values[1] - values[0]) + 0.05 * high.abs() + 0.3);
        }
    }

    #[test]
    fn ranges_of_any_headroom_hold_their_values() {
        assert_eq!(range([1.0, 3.0].into_iter(), 0.1), (0.8, 3.2));
        assert_eq!(range(std::iter::empty(), 0.1), (-1.0, 1.0));
        let (low, high) = range([5.0; 3].into_iter(), 0.1);
        assert!(low < 5.0 && high > 5.0);
    }

    #[test]
    fn ranges_of_ratios_leave_out_what_has_no_logarithm() {
        let (low, high) = ratio_range([0.0, -3.0, 1.0, 100.0].into_iter(), 0.06);
        assert!((0.5..1.0).contains(&low) && (100.0..200.0).contains(&high));
        assert_eq!(ratio_range([0.0].into_iter(), 0.06), (0.1, 10.0));
        let (low, high) = ratio_range([2.0; 2].into_iter(), 0.06);
        assert!(low < 2.0 && high > 2.0);
        let (low, high) = ratio_range([1e-300, 1e300].into_iter(), 0.06);
        assert!(low > 0.0 && high.is_finite());
    }
}

//! A frame: the outline, grid, ticks and labels of one small plot among several on a page, where
//! neighbours may share labels.

use crate::axes::Axes;
use crate::ink;
use crate::sheet::{Anchor, Sheet};
use crate::style::{
    BLACK, GRID, GRID_WIDTH, HALF_DIGIT, LABEL_SIZE, NAME_SIZE, RULE_WIDTH, TICK_LENGTH,
};
use crate::ticks::{Ticks, linear};

/// Which labels a plot carries, and how many ticks at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Labels {
    /// Whether numbers stand below.
    pub below: bool,
    /// Whether numbers stand to the left.
    pub left: bool,
    /// Most steps between ticks to the right and upwards.
    pub steps: [usize; 2],
}

/// Ticks of both axes; none along an axis of which no steps are wanted.
fn ticks(axes: &Axes, labels: Labels) -> [Ticks; 2] {
    [(axes.x, labels.steps[0]), (axes.y, labels.steps[1])].map(|(axis, steps)| {
        if steps > 0 {
            return linear(axis.low, axis.high, steps, 0.0);
        }
        Ticks {
            labelled: Vec::new(),
            labels: Vec::new(),
            unlabelled: Vec::new(),
        }
    })
}

/// Draws the grid, to be covered by the data.
pub fn grid(sheet: &mut Sheet, axes: &Axes, labels: Labels) {
    let [across, up] = ticks(axes, labels);
    for &tick in &across.labelled {
        let x = axes.x.place(tick);
        sheet.line(vec![[x, axes.y.from], [x, axes.y.to]], GRID_WIDTH, GRID);
    }
    for &tick in &up.labelled {
        let y = axes.y.place(tick);
        sheet.line(vec![[axes.x.from, y], [axes.x.to, y]], GRID_WIDTH, GRID);
    }
}

/// Draws the outline, the ticks and the labels asked for.
pub fn outline(sheet: &mut Sheet, axes: &Axes, labels: Labels) {
    let (left, right, bottom, top) = (axes.x.from, axes.x.to, axes.y.from, axes.y.to);
    let [across, up] = ticks(axes, labels);
    for (&tick, label) in across.labelled.iter().zip(&across.labels) {
        let x = axes.x.place(tick);
        sheet.line(
            vec![[x, bottom], [x, bottom + TICK_LENGTH]],
            RULE_WIDTH,
            BLACK,
        );
        if labels.below {
            let at = [x, bottom + 1.5 * TICK_LENGTH + 0.9 * LABEL_SIZE];
            sheet.text(at, label.clone(), LABEL_SIZE, Anchor::Middle, BLACK);
        }
    }
    for (&tick, label) in up.labelled.iter().zip(&up.labels) {
        let y = axes.y.place(tick);
        sheet.line(vec![[left - TICK_LENGTH, y], [left, y]], RULE_WIDTH, BLACK);
        if labels.left {
            let at = [left - 1.6 * TICK_LENGTH, y + HALF_DIGIT * LABEL_SIZE];
            sheet.text(at, label.clone(), LABEL_SIZE, Anchor::End, BLACK);
        }
    }
    let corners = [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
        [left, top],
    ];
    sheet.line(corners.to_vec(), RULE_WIDTH, BLACK);
}

/// Width of the widest label that numbers from `low` to `high` get on an upward axis \[px\].
pub fn label_width(low: f64, high: f64, steps: usize) -> f64 {
    let labels = linear(low, high, steps, 0.0).labels;
    let widths = labels
        .iter()
        .map(|label| ink::text_width(label, LABEL_SIZE));
    widths.fold(0.0, f64::max) + 2.0 * TICK_LENGTH
}

/// Room that labels and a name take below a plot \[px\].
pub fn room_below() -> f64 {
    2.0 * TICK_LENGTH + LABEL_SIZE + 1.6 * NAME_SIZE
}

/// A range that holds all finite `values` with some space at both ends; one about zero for none.
pub fn range(values: impl Iterator<Item = f64>, headroom: f64) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values {
        low = low.min(value);
        high = high.max(value);
    }
    if low > high {
        return (-1.0, 1.0);
    }
    let spare = headroom * (high - low);
    let spare = if spare > 0.0 {
        spare
    } else {
        (0.05 * high.abs()).max(0.1)
    };
    (low - spare, high + spare)
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn ranges_hold_their_values_and_are_never_empty() {
        assert_eq!(range([1.0, 3.0].into_iter(), 0.1), (0.8, 3.2));
        assert_eq!(range(std::iter::empty(), 0.1), (-1.0, 1.0));
        let (low, high) = range([5.0; 3].into_iter(), 0.1);
        assert!(low < 5.0 && high > 5.0);
    }
}

//! Two axes of a plane picture: where numbers appear, and the frame, grid, ticks and names
//! around them.

pub mod colour_bar;
pub mod colour_scale;
pub mod legend;
pub mod panel;
pub mod ticks;

use crate::axes::ticks::{Ticks, linear, logarithmic};
use crate::page::letters;
use crate::page::sheet::{Anchor, Place, Sheet};
use crate::page::style::{
    BLACK, GRID, GRID_WIDTH, HALF_DIGIT, LABEL_SIZE, NAME_SIZE, RULE_WIDTH, TICK_LENGTH,
};

/// Most labels on an axis.
const MOST_TICKS: usize = 9;

/// One axis: a range of numbers and the stretch of page it takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// Number at the beginning.
    pub low: f64,
    /// Number at the end, more than `low`.
    pub high: f64,
    /// Whether equal distances mean equal ratios; both ends are then positive.
    pub logarithmic: bool,
    /// Coordinate on the page of the beginning \[px\].
    pub from: f64,
    /// Coordinate on the page of the end \[px\].
    pub to: f64,
}

impl Axis {
    /// The coordinate on the page of a number; numbers outside the range appear at its end.
    pub fn place(&self, value: f64) -> f64 {
        let fraction = if self.logarithmic {
            (value.max(self.low).ln() - self.low.ln()) / (self.high.ln() - self.low.ln())
        } else {
            // Halved, so that the widest of ranges does not overflow.
            (0.5 * value - 0.5 * self.low) / (0.5 * self.high - 0.5 * self.low)
        };
        self.from + fraction.clamp(0.0, 1.0) * (self.to - self.from)
    }

    fn ticks(&self, least_step: f64) -> Ticks {
        if self.logarithmic {
            logarithmic(self.low, self.high, MOST_TICKS)
        } else {
            linear(self.low, self.high, MOST_TICKS, least_step)
        }
    }
}

/// The two axes of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axes {
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
}

impl Axes {
    /// Where a pair of numbers appears.
    pub fn place(&self, x: f64, y: f64) -> Place {
        [self.x.place(x), self.y.place(y)]
    }

    /// Room that the labels and the name of the y axis take to the left of it \[px\].
    pub fn room_left(y: &Axis) -> f64 {
        widest(&y.ticks(0.0)) + 2.0 * TICK_LENGTH + 1.7 * NAME_SIZE
    }

    /// Room that the labels and the name of the x axis take below it \[px\].
    pub fn room_below() -> f64 {
        2.0 * TICK_LENGTH + LABEL_SIZE + 1.6 * NAME_SIZE
    }

    /// Draws the grid, to be covered by the data.
    pub fn grid(&self, sheet: &mut Sheet) {
        for &tick in &self.y.ticks(0.0).labelled {
            let y = self.y.place(tick);
            sheet.line(vec![[self.x.from, y], [self.x.to, y]], GRID_WIDTH, GRID);
        }
    }

    /// Draws the frame, the ticks with their labels, and the names. The x axis counts, so that
    /// its ticks are whole numbers.
    pub fn frame(&self, sheet: &mut Sheet, x_name: &str, y_name: &str, top: f64) {
        let (left, right, bottom) = (self.x.from, self.x.to, self.y.from);
        let outline = [
            [left, top],
            [right, top],
            [right, bottom],
            [left, bottom],
            [left, top],
        ];
        let ticks = self.x.ticks(1.0);
        for (&tick, label) in ticks.labelled.iter().zip(&ticks.labels) {
            let x = self.x.place(tick);
            sheet.line(
                vec![[x, bottom], [x, bottom + TICK_LENGTH]],
                RULE_WIDTH,
                BLACK,
            );
            let at = [x, bottom + 1.5 * TICK_LENGTH + 0.9 * LABEL_SIZE];
            sheet.text(at, label.clone(), LABEL_SIZE, Anchor::Middle, BLACK);
        }
        let ticks = self.y.ticks(0.0);
        for (&tick, label) in ticks.labelled.iter().zip(&ticks.labels) {
            let y = self.y.place(tick);
            sheet.line(vec![[left - TICK_LENGTH, y], [left, y]], RULE_WIDTH, BLACK);
            let at = [left - 1.6 * TICK_LENGTH, y + HALF_DIGIT * LABEL_SIZE];
            sheet.text(at, label.clone(), LABEL_SIZE, Anchor::End, BLACK);
        }
        for &tick in &ticks.unlabelled {
            let y = self.y.place(tick);
            sheet.line(
                vec![[left - 0.5 * TICK_LENGTH, y], [left, y]],
                GRID_WIDTH,
                BLACK,
            );
        }
        sheet.line(outline.to_vec(), RULE_WIDTH, BLACK);
        let below = bottom + 2.0 * TICK_LENGTH + LABEL_SIZE + 1.1 * NAME_SIZE;
        let at = [0.5 * (left + right), below];
        sheet.text(at, x_name.to_owned(), NAME_SIZE, Anchor::Middle, BLACK);
        let beside = left - 2.0 * TICK_LENGTH - widest(&ticks) - 0.6 * NAME_SIZE;
        sheet.upward_text(
            [beside, 0.5 * (top + bottom)],
            y_name.to_owned(),
            NAME_SIZE,
            BLACK,
        );
    }
}

fn widest(ticks: &Ticks) -> f64 {
    ticks
        .labels
        .iter()
        .map(|label| letters::text_width(label, LABEL_SIZE))
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_scales_meet_their_ends_and_their_middle() {
        let linear = Axis {
            low: 2.0,
            high: 4.0,
            logarithmic: false,
            from: 100.0,
            to: 300.0,
        };
        let log = Axis {
            low: 0.1,
            high: 10.0,
            logarithmic: true,
            from: 900.0,
            to: 100.0,
        };
        assert_eq!(
            [2.0, 3.0, 4.0].map(|v| linear.place(v)),
            [100.0, 200.0, 300.0]
        );
        for (value, expected) in [(0.1, 900.0), (1.0, 500.0), (10.0, 100.0)] {
            assert!((log.place(value) - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn what_lies_outside_stays_at_the_end() {
        let log = Axis {
            low: 0.1,
            high: 10.0,
            logarithmic: true,
            from: 900.0,
            to: 100.0,
        };
        assert_eq!(log.place(0.0), 900.0);
        assert_eq!(log.place(f64::INFINITY), 100.0);
        let wide = Axis {
            low: -1e308,
            high: 1e308,
            logarithmic: false,
            from: 0.0,
            to: 2.0,
        };
        assert_eq!(wide.place(0.0), 1.0);
    }
}

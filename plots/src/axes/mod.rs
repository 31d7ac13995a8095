//! Two axes of a plane picture: where numbers appear, and from where to where an axis goes so that it
//! holds its data with some free space. Frame, grid, ticks and names around them are in `panel`.

pub mod colour_scale;
pub mod legend;
pub mod panel;
pub mod symbols;
pub mod ticks;

use crate::page::sheet::Place;

/// Free space above and below the data, as a part of its range.
pub const HEADROOM: f64 = 0.06;
/// Least free space, as a part of the largest value.
const LEAST_HEADROOM: f64 = 0.02;
/// Least free space on a logarithmic axis, as a ratio.
const LEAST_FACTOR: f64 = 1.1;

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
    /// An axis of equal differences.
    pub fn linear((low, high): (f64, f64), from: f64, to: f64) -> Self {
        Self {
            low,
            high,
            logarithmic: false,
            from,
            to,
        }
    }

    /// An axis of equal ratios between positive ends.
    pub fn logarithmic(range: (f64, f64), from: f64, to: f64) -> Self {
        Self::unplaced(range, true).over(from, to)
    }

    /// An axis that has no place on the page yet.
    pub fn unplaced(range: (f64, f64), logarithmic: bool) -> Self {
        Self {
            logarithmic,
            ..Self::linear(range, 0.0, 0.0)
        }
    }

    /// The same axis at another place.
    pub fn over(self, from: f64, to: f64) -> Self {
        Self { from, to, ..self }
    }

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
}

/// How the value axis is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// Logarithmic where the values shown are positive and span more than a factor of eight,
    /// else linear.
    #[default]
    Automatic,
    /// Linear.
    Linear,
    /// Logarithmic; every value shown must be positive.
    Logarithmic,
}

/// Values that span more than this factor are shown on a logarithmic axis.
const LINEAR_RATIO: f64 = 8.0;

impl Scale {
    /// Whether an axis for values between `least` and `most` is logarithmic.
    pub(crate) fn is_logarithmic(self, least: f64, most: f64) -> bool {
        match self {
            Self::Automatic => least > 0.0 && most / least > LINEAR_RATIO,
            Self::Linear => false,
            Self::Logarithmic => true,
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

    /// The line across the panel at a value.
    pub fn level(&self, value: f64) -> Vec<Place> {
        let y = self.y.place(value);
        vec![[self.x.from, y], [self.x.to, y]]
    }

    /// The line up the panel at a value.
    pub fn upright(&self, value: f64) -> Vec<Place> {
        let x = self.x.place(value);
        vec![[x, self.y.from], [x, self.y.to]]
    }

    /// The pieces of the curve through pairs of numbers that lie within both ranges.
    pub fn pieces(&self, points: &[[f64; 2]]) -> Vec<Vec<Place>> {
        let within = |axis: &Axis, value: &f64| (axis.low..=axis.high).contains(value);
        let inside = |[x, y]: &[f64; 2]| within(&self.x, x) && within(&self.y, y);
        let pieces = points.split(|point| !inside(point));
        let pieces = pieces.filter(|piece| piece.len() > 1);
        let places = pieces.map(|piece| piece.iter().map(|[x, y]| self.place(*x, *y)).collect());
        places.collect()
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
pub fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_scales_meet_their_ends_and_their_middle() {
        let linear = Axis::linear((2.0, 4.0), 100.0, 300.0);
        let log = Axis::logarithmic((0.1, 10.0), 900.0, 100.0);
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
        let log = Axis::logarithmic((0.1, 10.0), 900.0, 100.0);
        assert_eq!(log.place(0.0), 900.0);
        assert_eq!(log.place(f64::INFINITY), 100.0);
        let wide = Axis::linear((-1e308, 1e308), 0.0, 2.0);
        assert_eq!(wide.place(0.0), 1.0);
    }

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

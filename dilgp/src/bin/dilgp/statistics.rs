//! Statistics as fits and tables state them: means and frequencies with their intervals, pairs, and how
//! often observations fall inside the predicted intervals.

use dilgp::Prediction;
use dilgp::validation::calibration;
use nalgebra::DVector;
use serde::Serialize;
use shell::statistics::{Interval, central_width, clopper_pearson, greatest_deviation};

/// Central probabilities at which calibration is measured.
pub const LEVELS: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

/// Share of `observed` inside the predicted central interval of each of [`LEVELS`].
pub fn shares(predicted: &Prediction, observed: &DVector<f64>) -> Option<Vec<f64>> {
    calibration(predicted, observed, &LEVELS.map(central_width))
}

/// The mean of independent values with its 95 % interval by Student's t.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95 % interval; none of a single value.
    pub half_width: Option<f64>,
    /// The largest distance of a value from the mean, the spread that the paper prints.
    pub largest_deviation: f64,
    /// Number of values.
    pub values: usize,
}

impl Mean {
    /// Itself and its interval, to be printed.
    pub fn interval(&self) -> Interval {
        Interval {
            mean: self.mean,
            half_width: self.half_width,
            count: self.values,
        }
    }

    /// That of some values; none of none.
    pub fn of(values: &[f64]) -> Option<Self> {
        (!values.is_empty()).then(|| {
            let interval = Interval::of(values);
            Self {
                mean: interval.mean,
                half_width: interval.half_width,
                largest_deviation: greatest_deviation(values),
                values: interval.count,
            }
        })
    }
}

/// Values compared pair by pair.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Paired {
    /// Of the differences, this minus the other.
    pub difference: Mean,
    /// Pairs in which this one is lower.
    pub wins: usize,
}

impl Paired {
    /// Compares the pairs of which both are there; none if there are none.
    pub fn of(these: &[Option<f64>], others: &[Option<f64>]) -> Option<Self> {
        let both = these.iter().zip(others);
        let differences: Vec<f64> = both.filter_map(|(a, b)| Some((*a)? - (*b)?)).collect();
        Some(Self {
            difference: Mean::of(&differences)?,
            wins: differences.iter().filter(|d| **d < 0.0).count(),
        })
    }
}

/// How often something was seen, with its exact 95 % interval (Clopper and Pearson 1934).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Frequency {
    /// Times it was seen.
    pub seen: usize,
    /// Of how many.
    pub of: usize,
    /// Lower end of the interval of its probability.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Frequency {
    /// `seen` of `of` independent trials, at least one.
    pub fn of(seen: usize, of: usize) -> Self {
        let [low, high] = clopper_pearson(seen, of);
        Self {
            seen,
            of,
            low,
            high,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn the_interval_of_a_mean_is_the_tabulated_one() {
        // t(0.975; 4) = 2.776445.
        let mean = Mean::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert_eq!(
            (mean.mean, mean.largest_deviation, mean.values),
            (3.0, 2.0, 5)
        );
        let half = 2.776_445 * (2.5f64 / 5.0).sqrt();
        assert_relative_eq!(mean.half_width.unwrap(), half, epsilon = 1e-5);
        assert_eq!(Mean::of(&[2.0]).unwrap().half_width, None);
        assert_eq!(Mean::of(&[]), None);
    }

    #[test]
    fn pairs_without_a_partner_are_left_out() {
        let these = [Some(1.0), Some(2.0), None, Some(4.0)];
        let others = [Some(2.0), None, Some(1.0), Some(3.5)];
        let paired = Paired::of(&these, &others).unwrap();
        assert_eq!((paired.difference.mean, paired.wins), (-0.25, 1));
        assert_eq!(paired.difference.values, 2);
    }
}

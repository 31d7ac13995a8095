//! Statistics: means with intervals, alone and in pairs, and frequencies with intervals.

use serde::Serialize;
use statrs::distribution::{Beta, ContinuousCDF, Normal, StudentsT};

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
    /// That of some values; none of none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let from_mean = || values.iter().map(|value| (value - mean).abs());
        let variance = from_mean().map(|d| d * d).sum::<f64>() / (n - 1.0);
        (!values.is_empty()).then(|| Self {
            mean,
            half_width: (values.len() > 1).then(|| student(n - 1.0) * (variance / n).sqrt()),
            largest_deviation: from_mean().fold(0.0, f64::max),
            values: values.len(),
        })
    }
}

/// The 97.5 % quantile of Student's t.
fn student(degrees_of_freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, degrees_of_freedom)
        .expect("two values leave a degree of freedom")
        .inverse_cdf(0.975)
}

/// Half the width, in standard deviations, of the central interval of a normal distribution that
/// holds this probability.
pub fn central_width(probability: f64) -> f64 {
    Normal::new(0.0, 1.0)
        .expect("the standard normal distribution exists")
        .inverse_cdf(0.5 + 0.5 * probability)
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
        let (k, n) = (seen as f64, of as f64);
        let quantile = |a: f64, b: f64, p: f64| {
            let beta = Beta::new(a, b).expect("counts and one more are positive");
            beta.inverse_cdf(p)
        };
        Self {
            seen,
            of,
            low: if seen == 0 {
                0.0
            } else {
                quantile(k, n - k + 1.0, 0.025)
            },
            high: if seen == of {
                1.0
            } else {
                quantile(k + 1.0, n - k, 0.975)
            },
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

    #[test]
    fn the_interval_of_a_frequency_is_the_exact_one() {
        // None of n: the upper end p solves (1 - p)^n = 0.025.
        let none = Frequency::of(0, 10);
        assert_eq!(none.low, 0.0);
        assert_relative_eq!((1.0 - none.high).powi(10), 0.025, epsilon = 1e-6);
        let all = Frequency::of(10, 10);
        assert_eq!(all.high, 1.0);
        assert_relative_eq!(all.low.powi(10), 0.025, epsilon = 1e-6);
        // 3 of 10: the ends are where the binomial tails are 2.5 %.
        let some = Frequency::of(3, 10);
        let tail = |p: f64, from: u32, to: u32| -> f64 {
            (from..=to)
                .map(|k| {
                    let choose = (0..k).fold(1.0, |c, i| c * f64::from(10 - i) / f64::from(i + 1));
                    choose * p.powi(k as i32) * (1.0 - p).powi(10 - k as i32)
                })
                .sum()
        };
        assert_relative_eq!(tail(some.low, 3, 10), 0.025, epsilon = 1e-6);
        assert_relative_eq!(tail(some.high, 0, 3), 0.025, epsilon = 1e-6);
    }

    #[test]
    fn the_central_interval_of_one_deviation_holds_68_percent() {
        assert_relative_eq!(central_width(0.682_689_492), 1.0, epsilon = 1e-6);
    }
}

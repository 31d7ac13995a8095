//! Criterion: how much a point is worth evaluating, from what the surrogate believes of it.
//!
//! Every criterion here is a function of the believed mean and standard deviation alone, to be
//! maximised where the objective is minimised.

pub mod acquisition;
mod bound;
mod improvement;
pub mod knowledge;
mod mean;

pub use bound::{Bound, Schedule};
pub use improvement::{Improvement, LogImprovement, log_improvement};
pub use mean::LeastMean;

/// A criterion's value at a point and its derivatives by mean and standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// The value; greater is better.
    pub value: f64,
    /// d value / d mean.
    pub by_mean: f64,
    /// d value / d std.
    pub by_std: f64,
}

/// A function of the believed mean and standard deviation.
pub trait Criterion: Sync {
    /// The worth of a point believed to have this mean and standard deviation (at least 0).
    fn worth(&self, mean: f64, std: f64) -> Worth;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_agree_with_differences() {
        let criteria: [&dyn Criterion; 4] = [
            &Bound { kappa: 1.7 },
            &Improvement { best: 0.3 },
            &LogImprovement { best: 0.3 },
            &LeastMean,
        ];
        for (index, criterion) in criteria.iter().enumerate() {
            for (mean, std) in [(0.1, 0.5), (0.9, 0.4), (4.0, 0.3), (0.3, 1.2)] {
                let worth = criterion.worth(mean, std);
                let h = 1e-6;
                let value = |mean: f64, std: f64| criterion.worth(mean, std).value;
                let by_mean = (value(mean + h, std) - value(mean - h, std)) / (2.0 * h);
                let by_std = (value(mean, std + h) - value(mean, std - h)) / (2.0 * h);
                for (numeric, analytic) in [(by_mean, worth.by_mean), (by_std, worth.by_std)] {
                    let slack = 1e-5 * (1.0 + numeric.abs());
                    assert!(
                        (numeric - analytic).abs() < slack,
                        "{index}: {numeric} {analytic}"
                    );
                }
            }
        }
    }

    #[test]
    fn without_uncertainty_every_criterion_is_finite_or_minus_infinity_and_prefers_less() {
        let criteria: [&dyn Criterion; 4] = [
            &Bound { kappa: 2.0 },
            &Improvement { best: 0.0 },
            &LogImprovement { best: 0.0 },
            &LeastMean,
        ];
        for criterion in criteria {
            let (good, bad) = (
                criterion.worth(-1.0, 0.0).value,
                criterion.worth(1.0, 0.0).value,
            );
            assert!(good > bad && !good.is_nan() && !bad.is_nan());
        }
    }
}

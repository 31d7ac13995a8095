//! The mean alone: pure exploitation, for a surrogate without uncertainty or a last step.

use super::{Criterion, Worth};

/// -mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeastMean;

impl Criterion for LeastMean {
    fn worth(&self, mean: f64, _: f64) -> Worth {
        Worth {
            value: -mean,
            by_mean: -1.0,
            by_std: 0.0,
        }
    }
}

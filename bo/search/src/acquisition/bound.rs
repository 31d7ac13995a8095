//! The lower confidence bound, -mean + kappa std: the DIL-GP paper's UCB for values to be minimised
//! (Srinivas, Krause, Kakade and Seeger, "Gaussian process optimization in the bandit setting",
//! ICML 2010); and the mean alone.

use crate::maximise::{Criterion, Worth};

/// -mean + kappa std.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// Weight of the standard deviation.
    pub kappa: f64,
}

impl Criterion for Bound {
    fn worth(&self, mean: f64, std: f64) -> Worth {
        Worth {
            value: self.kappa * std - mean,
            by_mean: -1.0,
            by_std: self.kappa,
        }
    }
}

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

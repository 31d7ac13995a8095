//! Pair: whether two components of the gusts are independent of each other.

use super::{Average, Comparison, NAMES};

/// Two axes under test: the specification's turbulence velocities are independent of each other.
pub(super) struct PairTest {
    axes: (usize, usize),
    covariance: Average,
}

impl PairTest {
    pub(super) fn new(axes: (usize, usize)) -> PairTest {
        PairTest {
            axes,
            covariance: Average::default(),
        }
    }

    pub(super) fn add(&mut self, samples: &[[f64; 3]]) {
        let (one, other) = self.axes;
        let products = samples.iter().map(|gust| gust[one] * gust[other]);
        self.covariance
            .add(products.sum::<f64>() / samples.len() as f64);
    }

    pub(super) fn comparison(&self) -> Comparison {
        let (one, other) = self.axes;
        Comparison {
            what: format!("{} {} covariance [m²/s²]", NAMES[one], NAMES[other]),
            measured: self.covariance.mean(),
            expected: 0.0,
            standard_error: self.covariance.standard_error(),
        }
    }
}

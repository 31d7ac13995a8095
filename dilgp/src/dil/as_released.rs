//! As released: variances as the DIL-GP authors' code computes them.
//!
//! That code predicts with a factor from before the last step of training and with the kernel from
//! after it, and takes the dot product's k(x, x) for a. Neither is a posterior: its variances can be
//! truly negative, not by rounding. They are shown as 0, and that of an observation as 0 where the
//! noise does not make up for it, so that its figures are reproduced.

use nalgebra::{DMatrix, DVector};

use crate::process::FittedProcess;
use crate::surrogate::standardise::Standardisation;
use crate::{Model, Prediction, Slope, Summary};

/// A process that predicts so.
pub struct AsReleased {
    /// Of the hyper-parameters from after the last step, with the factor from before it.
    pub process: FittedProcess,
    /// Whether k(x, x) is taken for the amplitude.
    pub own_is_amplitude: bool,
}

impl AsReleased {
    /// k(x, x) and its gradient.
    fn own(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        if self.own_is_amplitude {
            gradient.fill(0.0);
            return self.process.theta[0];
        }
        self.process.at_itself(x, gradient)
    }
}

impl Model for AsReleased {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        let Standardisation { mean, scale } = self.process.sample.units;
        let moments = self.process.moments(x, |x, gradient| self.own(x, gradient));
        let deviation = |variance: f64| scale * variance.max(0.0).sqrt();
        let std = moments.iter().map(|at| deviation(at.variance));
        let observed = moments.iter().map(|at| deviation(at.variance + at.noise));
        let means = moments.iter().map(|at| mean + scale * at.mean);
        Prediction {
            mean: DVector::from_iterator(x.nrows(), means),
            std: Some(DVector::from_iterator(x.nrows(), std)),
            observation_std: Some(DVector::from_iterator(x.nrows(), observed)),
        }
    }

    fn slope(&self, x: &[f64]) -> Option<Slope> {
        Some(
            self.process
                .slope_with(x, |x, gradient| self.own(x, gradient)),
        )
    }

    fn leave_one_out(&self) -> Option<Prediction> {
        self.process.leave_one_out()
    }

    fn summary(&self) -> &Summary {
        self.process.summary()
    }
}

//! Posterior: a Gaussian process after seeing data, ready to predict.
//!
//! Mean `k_*'alpha` and variance `k_** - |L^-1 k_*|^2` of the latent function, with
//! `K + s2 I = L L'` and `alpha = K^-1 r`. Rasmussen and Williams (2006), algorithm 2.1. The
//! hyper-parameters are taken as certain: their own uncertainty is not in the deviations.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use crate::Model;
use crate::Prediction;
use crate::Slope;
use crate::Summary;
use crate::dil::evidence::Evidence;
use crate::dil::kernel::Kernel;
use crate::dil::points::Points;
use crate::standardise::Standardisation;

/// Points predicted together: bounds the memory of a large prediction.
const BLOCK: usize = 256;

/// A fitted Gaussian process.
#[derive(Debug)]
pub struct Posterior {
    kernel: Arc<dyn Kernel>,
    /// The kernel's log-parameters, without the noise.
    eta: Vec<f64>,
    points: Points,
    evidence: Evidence,
    units: Standardisation,
    summary: Summary,
}

impl Posterior {
    /// Combines what was learnt: `eta` ends with the noise, `evidence` was weighed at `eta`
    /// for targets standardised by `units`.
    pub fn new(
        kernel: Arc<dyn Kernel>,
        eta: &[f64],
        points: Points,
        evidence: Evidence,
        units: Standardisation,
        summary: Summary,
    ) -> Self {
        Self {
            kernel,
            eta: eta[..eta.len() - 1].to_vec(),
            points,
            evidence,
            units,
            summary,
        }
    }

    /// The numbers by which the kernel compares `x` with each training point.
    fn compared(&self, x: &[f64]) -> Vec<f64> {
        let points = self.points.iter();
        points.map(|point| self.kernel.compare(x, point)).collect()
    }

    /// Means and variances (latent, standardised) of some test points; rounding may leave a
    /// variance slightly below zero.
    fn block<'x>(&self, points: impl Iterator<Item = &'x [f64]>, count: usize) -> Vec<(f64, f64)> {
        let n = self.points.len();
        let mut cross = DMatrix::zeros(n, count);
        let mut predicted = Vec::with_capacity(count);
        let mut unused = vec![0.0; self.points.dimensions()];
        for (x, mut column) in points.zip(cross.column_iter_mut()) {
            let compared = self.compared(x);
            let cross = column.as_mut_slice();
            self.kernel.values(&self.eta, &compared, cross, None);
            let mean = column.dot(&self.evidence.alpha);
            predicted.push((mean, self.kernel.at_itself(&self.eta, x, &mut unused)));
        }
        self.evidence.cholesky.solve_lower_many(&mut cross);
        for ((_, variance), explained) in predicted.iter_mut().zip(cross.column_iter()) {
            *variance -= explained.norm_squared();
        }
        predicted
    }

    fn expect_dimensions(&self, given: usize) {
        let fitted = self.points.dimensions();
        assert_eq!(
            given, fitted,
            "the model was fitted to points of {fitted} coordinates, not {given}"
        );
    }
}

impl Model for Posterior {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        self.expect_dimensions(x.ncols());
        let points = Points::from_rows(x);
        let mut predicted = Vec::with_capacity(x.nrows());
        for first in (0..x.nrows()).step_by(BLOCK) {
            let count = BLOCK.min(x.nrows() - first);
            predicted.extend(self.block(points.iter().skip(first).take(count), count));
        }
        let Standardisation { mean, scale } = self.units;
        let noise = self.evidence.noise;
        let collect = |entry: &dyn Fn(&(f64, f64)) -> f64| {
            DVector::from_iterator(predicted.len(), predicted.iter().map(entry))
        };
        Prediction {
            mean: collect(&|(standard, _)| mean + scale * standard),
            std: Some(collect(&|(_, variance)| scale * variance.max(0.0).sqrt())),
            observation_std: Some(collect(&|(_, variance)| {
                scale * (variance + noise).max(0.0).sqrt()
            })),
        }
    }

    fn slope(&self, x: &[f64]) -> Option<Slope> {
        self.expect_dimensions(x.len());
        let n = self.points.len();
        let compared = self.compared(x);
        let (mut cross, mut by_compared) = (vec![0.0; n], vec![0.0; n]);
        self.kernel
            .values(&self.eta, &compared, &mut cross, Some(&mut by_compared));
        let alpha = self.evidence.alpha.as_slice();
        let mean: f64 = cross.iter().zip(alpha).map(|(k, a)| k * a).sum();
        let mut variance_gradient = vec![0.0; x.len()];
        let own = self.kernel.at_itself(&self.eta, x, &mut variance_gradient);

        self.evidence.cholesky.solve_lower(&mut cross);
        let explained: f64 = cross.iter().map(|v| v * v).sum();
        let variance = (own - explained).max(0.0);
        self.evidence.cholesky.solve_upper(&mut cross);

        let mut mean_gradient = vec![0.0; x.len()];
        for (i, point) in self.points.iter().enumerate() {
            let weight = by_compared[i];
            self.kernel
                .add_compare_gradient(x, point, weight * alpha[i], &mut mean_gradient);
            self.kernel.add_compare_gradient(
                x,
                point,
                -2.0 * weight * cross[i],
                &mut variance_gradient,
            );
        }
        Some(self.in_callers_units(mean, variance, mean_gradient, variance_gradient))
    }

    /// `mu_i = r_i - alpha_i / (K^-1)_ii` and variance `1 / (K^-1)_ii` of an observation.
    /// Rasmussen and Williams (2006), eq. 5.12.
    fn leave_one_out(&self) -> Option<Prediction> {
        let Standardisation { mean, scale } = self.units;
        let variances = self.evidence.inverse.diagonal().map(|p| 1.0 / p);
        let noise = self.evidence.noise;
        let residuals = self.evidence.residuals();
        let left_out = residuals - self.evidence.alpha.component_mul(&variances);
        Some(Prediction {
            mean: left_out.map(|m| mean + scale * m),
            std: Some(variances.map(|v| scale * (v - noise).max(0.0).sqrt())),
            observation_std: Some(variances.map(|v| scale * v.sqrt())),
        })
    }

    fn summary(&self) -> &Summary {
        &self.summary
    }
}

impl Posterior {
    fn in_callers_units(
        &self,
        mean: f64,
        variance: f64,
        mut mean_gradient: Vec<f64>,
        mut variance_gradient: Vec<f64>,
    ) -> Slope {
        let scale = self.units.scale;
        let std = variance.sqrt();
        mean_gradient.iter_mut().for_each(|g| *g *= scale);
        let to_std = if std > 0.0 { 0.5 * scale / std } else { 0.0 };
        variance_gradient.iter_mut().for_each(|g| *g *= to_std);
        Slope {
            mean: self.units.mean + scale * mean,
            std: Some(scale * std),
            mean_gradient,
            std_gradient: Some(variance_gradient),
        }
    }
}

//! Posterior: a Gaussian process after seeing data: it predicts, grows by a point, and draws.
//!
//! The only posterior of this crate: however hyper-parameters were found, a fit ends here. Mean
//! `k_*'alpha` and variance `k_** - |L^-1 k_*|^2` of the latent function. Rasmussen and Williams
//! (2006), algorithm 2.1. Hyper-parameters are taken as certain: their own uncertainty is
//! not in the deviations. The variance of an observation is that of the function, which is never
//! negative but for rounding, and the noise.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::covariance::{Covariance, View};
use super::likelihood::{Likelihood, Sample, matrix};
use super::prior::{NoiseVariance, Own};
use crate::matrix::cholesky::Cholesky;
use crate::matrix::lanes::{dot, wide};
use crate::matrix::rows;
use crate::surrogate::{Standardisation, expect_dimensions};
use crate::{Error, Model, Prediction, Slope, Summary};

/// Points predicted together: bounds the memory of a large prediction.
const BLOCK: usize = 512;

/// A fitted Gaussian process.
#[derive(Debug, Clone)]
pub struct FittedProcess {
    pub(crate) kernel: Arc<dyn Covariance>,
    /// Logarithms of all hyper-parameters, in the order of their training.
    pub(crate) eta: Vec<f64>,
    /// The covariance's parameters.
    pub(crate) theta: Vec<f64>,
    pub(crate) noise: NoiseVariance,
    pub(crate) sample: Sample,
    /// Of the sample at these hyper-parameters (those before the last step where the posterior is
    /// that of the DIL-GP authors' code).
    pub(crate) likelihood: Likelihood,
    pub(crate) summary: Summary,
}

impl FittedProcess {
    /// Natural logarithms of the hyper-parameters: the covariance's in its order, then that of the
    /// noise variance unless it was fixed.
    pub fn eta(&self) -> &[f64] {
        &self.eta
    }

    pub(super) fn expect_dimensions(&self, given: usize) {
        expect_dimensions(given, self.sample.points.dimensions());
    }

    pub(crate) fn at_itself(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        self.kernel.at_itself(&self.theta, x, gradient)
    }

    /// k(X, x) for each row x of `x`, a column each.
    pub(super) fn cross(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        let mut cross = DMatrix::zeros(self.sample.points.len(), x.nrows());
        for (at, mut column) in rows(x).iter().zip(cross.column_iter_mut()) {
            let view = View::all(at, &self.sample.points);
            let column = column.as_mut_slice();
            self.kernel.values(&self.theta, view, column);
        }
        cross
    }

    /// The means of standardised targets where the covariances with the points are `cross`.
    fn weighted(&self, cross: &DMatrix<f64>) -> Vec<f64> {
        let alpha = self.likelihood.alpha.as_slice();
        wide(
            #[inline(always)]
            || {
                let columns = cross.as_slice().chunks_exact(alpha.len());
                columns.map(|column| dot(column, alpha)).collect()
            },
        )
    }

    /// The posterior at the rows of `x`, `own` being k(x, x) and its gradient.
    pub(crate) fn moments(
        &self,
        x: &DMatrix<f64>,
        own: impl Fn(&[f64], &mut [f64]) -> f64,
    ) -> Vec<Moments> {
        self.expect_dimensions(x.ncols());
        let mut moments = Vec::with_capacity(x.nrows());
        for block in blocks(x) {
            self.block(&block, &own, &mut moments);
        }
        moments
    }

    fn block(
        &self,
        x: &DMatrix<f64>,
        own: impl Fn(&[f64], &mut [f64]) -> f64,
        moments: &mut Vec<Moments>,
    ) {
        let mut cross = self.cross(x);
        let mut unused = vec![0.0; x.ncols()];
        let n = self.sample.points.len();
        let means = self.weighted(&cross);
        self.likelihood.cholesky.solve_lower_many(&mut cross);
        let explained: Vec<f64> = wide(
            #[inline(always)]
            || {
                let columns = cross.as_slice().chunks_exact(n);
                columns.map(|column| dot(column, column)).collect()
            },
        );
        let both = means.into_iter().zip(explained);
        for (at, (mean, explained)) in rows(x).iter().zip(both) {
            moments.push(Moments {
                mean,
                variance: own(at, &mut unused) - explained,
                noise: self.noise.at(at),
            });
        }
    }

    /// Mean, deviation and their gradients at `x`, `own` being k(x, x) and its gradient.
    pub(crate) fn slope_with(&self, x: &[f64], own: impl Fn(&[f64], &mut [f64]) -> f64) -> Slope {
        self.expect_dimensions(x.len());
        let theta = &self.theta;
        let view = View::all(x, &self.sample.points);
        let alpha = self.likelihood.alpha.as_slice();
        let mut mean_gradient = vec![0.0; x.len()];
        let mut solved = vec![0.0; self.sample.points.len()];
        let mean = (self.kernel).values_and_weigh_by_input(
            theta,
            view.weighed(alpha),
            &mut solved,
            &mut mean_gradient,
        );
        self.likelihood.cholesky.solve_lower(&mut solved);
        let explained = dot(&solved, &solved);
        self.likelihood.cholesky.solve_upper(&mut solved);
        let mut explained_gradient = vec![0.0; x.len()];
        (self.kernel).weigh_by_input(theta, view.weighed(&solved), &mut explained_gradient);
        let mut own_gradient = vec![0.0; x.len()];
        let own = own(x, &mut own_gradient);

        let Standardisation { mean: level, scale } = self.sample.units;
        let std = (own - explained).max(0.0).sqrt();
        mean_gradient.iter_mut().for_each(|g| *g *= scale);
        let to_std = if std > 0.0 { 0.5 * scale / std } else { 0.0 };
        let both = own_gradient.iter().zip(&explained_gradient);
        let std_gradient = both.map(|(own, explained)| to_std * (own - 2.0 * explained));
        Slope {
            mean: level + scale * mean,
            std: Some(scale * std),
            std_gradient: Some(std_gradient.collect()),
            mean_gradient,
        }
    }

    /// The same process after one more observation, in O(n^2): hyper-parameters and the
    /// standardisation of targets are kept. A point that the factor cannot take in (a repetition
    /// without noise) has the whole matrix factorised anew, with jitter as needed.
    ///
    /// # Errors
    /// A number that is not finite, too many points, or a matrix that cannot be factorised.
    ///
    /// # Panics
    /// If `x` has not as many coordinates as the points.
    pub fn append(&self, x: &[f64], y: f64) -> Result<Self, Error> {
        self.append_all(&[x], &[y], &[0.0])
    }

    /// The same after one observation at each of `rows`, whose targets are `values` with these standard
    /// `errors` beside the noise.
    ///
    /// # Errors
    /// As [`FittedProcess::append`].
    ///
    /// # Panics
    /// As [`FittedProcess::append`].
    pub fn append_all<X: AsRef<[f64]>>(
        &self,
        rows: &[X],
        values: &[f64],
        errors: &[f64],
    ) -> Result<Self, Error> {
        let before = self.sample.points.len();
        let mut points = self.sample.points.clone();
        let mut covariances = Vec::with_capacity(rows.len());
        let mut known = self.sample.known.clone();
        if known.is_empty() && errors.iter().any(|error| *error > 0.0) {
            known.resize(before, Own::NOTHING);
        }
        let scale = self.sample.units.scale;
        let of_row = |error: &f64| Own {
            variance: (error / scale).powi(2),
            ..Own::NOTHING
        };
        for (((n, x), y), error) in (before..).zip(rows).zip(values).zip(errors) {
            let x = x.as_ref();
            self.expect_dimensions(x.len());
            if let Some(column) = x.iter().position(|x| !x.is_finite()) {
                let value = x[column];
                return Err(Error::NonFiniteInput {
                    row: n,
                    column,
                    value,
                });
            }
            if !y.is_finite() {
                return Err(Error::NonFiniteTarget { row: n, value: *y });
            }
            let mut row = vec![0.0; n + 1];
            let view = View::all(x, &points);
            self.kernel.values(&self.theta, view, &mut row[..n]);
            row[n] = self.at_itself(x, &mut vec![0.0; x.len()])
                + self.noise.at(x)
                + of_row(error).variance;
            covariances.push(row);
            points = points.with(x);
        }
        Error::unless_it_fits(self.summary.surrogate, points.len())?;
        let noise = match &self.noise {
            NoiseVariance::OfGroup { .. } => self.noise.clone(),
            NoiseVariance::Same(common) | NoiseVariance::OfRow { common, .. } => {
                if !known.is_empty() {
                    known.extend(errors.iter().map(of_row));
                }
                NoiseVariance::of(*common, &known)
            }
        };
        let cholesky = match self.likelihood.cholesky.append_all(&covariances) {
            Some(grown) => grown,
            None => {
                Cholesky::factorise(&matrix(self.kernel.as_ref(), &self.theta, &noise, &points))?
            }
        };
        let units = &self.sample.units;
        let more = values.iter().map(|y| (y - units.mean) / units.scale);
        let residuals = self.sample.residuals.iter().copied().chain(more);
        let residuals = DVector::from_iterator(points.len(), residuals);
        let mut summary = self.summary.clone();
        summary.jitter = cholesky.jitter();
        Ok(Self {
            kernel: self.kernel.clone(),
            eta: self.eta.clone(),
            theta: self.theta.clone(),
            noise,
            likelihood: Likelihood::of(cholesky, &residuals),
            sample: Sample {
                points,
                residuals,
                units: self.sample.units,
                known,
            },
            summary,
        })
    }
}

/// The rows of `x`, [`BLOCK`] at a time.
fn blocks(x: &DMatrix<f64>) -> impl Iterator<Item = DMatrix<f64>> + '_ {
    let firsts = (0..x.nrows()).step_by(BLOCK);
    firsts.map(|first| {
        let count = BLOCK.min(x.nrows() - first);
        x.rows(first, count).into_owned()
    })
}

/// The posterior at one point, on standardised targets.
pub(crate) struct Moments {
    pub mean: f64,
    /// Of the function; rounding may leave it slightly below zero.
    pub variance: f64,
    pub noise: f64,
}

impl Model for FittedProcess {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        let predicted = self.moments(x, |x, gradient| self.at_itself(x, gradient));
        let moments = predicted.iter().map(|at| {
            let variance = at.variance.max(0.0);
            [at.mean, variance, variance + at.noise]
        });
        Prediction::of_moments(moments, self.sample.units)
    }

    /// O(n) a row, where deviations take O(n^2).
    fn means(&self, x: &DMatrix<f64>) -> DVector<f64> {
        self.expect_dimensions(x.ncols());
        let Standardisation { mean, scale } = self.sample.units;
        let means = blocks(x).flat_map(|block| self.weighted(&self.cross(&block)));
        DVector::from_iterator(x.nrows(), means.map(|own| mean + scale * own))
    }

    fn slope(&self, x: &[f64]) -> Option<Slope> {
        Some(self.slope_with(x, |x, gradient| self.at_itself(x, gradient)))
    }

    /// `mu_i = r_i - alpha_i / (K^-1)_ii` and variance `1 / (K^-1)_ii` of an observation.
    /// Rasmussen and Williams (2006), eq. 5.12. O(n^3): the inverse is not kept.
    fn leave_one_out(&self) -> Option<Prediction> {
        let Standardisation { mean, scale } = self.sample.units;
        let inverse = self.likelihood.cholesky.inverse_lower();
        let variances = inverse.diagonal().map(|p| 1.0 / p);
        let left_out = &self.sample.residuals - self.likelihood.alpha.component_mul(&variances);
        let mut at = vec![0.0; self.sample.points.dimensions()];
        let std = DVector::from_fn(variances.len(), |i, _| {
            self.sample.points.copy_point(i, &mut at);
            scale * (variances[i] - self.noise.of_row(i, &at)).max(0.0).sqrt()
        });
        Some(Prediction {
            mean: left_out.map(|m| mean + scale * m),
            std: Some(std),
            observation_std: Some(variances.map(|v| scale * v.max(0.0).sqrt())),
        })
    }

    fn joint(&self, x: &DMatrix<f64>) -> Option<(DVector<f64>, DMatrix<f64>)> {
        FittedProcess::joint(self, x).ok()
    }

    fn summary(&self) -> &Summary {
        &self.summary
    }
}

//! Append: a fitted process after more observations, its hyper-parameters kept.

use super::covariance::View;
use super::likelihood::{Likelihood, matrix};
use super::posterior::FittedProcess;
use super::sample::Sample;
use crate::Error;
use crate::matrix::cholesky::Cholesky;
use nalgebra::DVector;

impl FittedProcess {
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
        self.append_all(&[x], &[y])
    }

    /// The same after one observation at each of `rows`, whose targets are `values`.
    ///
    /// # Errors
    /// As [`FittedProcess::append`].
    ///
    /// # Panics
    /// As [`FittedProcess::append`].
    pub fn append_all<X: AsRef<[f64]>>(&self, rows: &[X], values: &[f64]) -> Result<Self, Error> {
        let before = self.sample.points.len();
        let mut points = self.sample.points.clone();
        let mut covariances = Vec::with_capacity(rows.len());
        for ((n, x), y) in (before..).zip(rows).zip(values) {
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
            self.kernel
                .values(&self.theta, View::all(x, &points), &mut row[..n]);
            row[n] = self.at_itself(x, &mut vec![0.0; x.len()]) + self.noise.at(x);
            covariances.push(row);
            points = points.with(x);
        }
        Error::unless_it_fits(self.summary.surrogate, points.len())?;
        let cholesky = match self.likelihood.cholesky.append_all(&covariances) {
            Some(grown) => grown,
            None => Cholesky::factorise(&matrix(
                self.kernel.as_ref(),
                &self.theta,
                &self.noise,
                &points,
            ))?,
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
            noise: self.noise.clone(),
            likelihood: Likelihood::of(cholesky, &residuals),
            sample: Sample {
                points,
                residuals,
                units: self.sample.units,
            },
            summary,
        })
    }
}

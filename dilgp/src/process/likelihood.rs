//! Likelihood: how probable the targets are under given hyper-parameters, and the gradient.
//!
//! Minus the log marginal likelihood `1/2 r'K^-1 r + 1/2 log|K| + n/2 log 2 pi` with
//! `K = k(X, X) + s2 I`; its gradient by K is `1/2 (K^-1 - alpha alpha')`, `alpha = K^-1 r`.
//! Rasmussen and Williams (2006), eqs. 2.30 and 5.9. Only lower triangles are computed.

use std::sync::atomic::{AtomicU64, Ordering};

use nalgebra::{DMatrix, DVector};

use super::covariance::{Columns, Covariance, View};
use super::prior::{NoiseVariance, Own};
use crate::matrix::cholesky::Cholesky;
use crate::surrogate::Standardisation;
use crate::{Dataset, Error};

/// Points, and their targets in units of their own.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub points: Columns,
    pub residuals: DVector<f64>,
    pub units: Standardisation,
    /// What is known of the noise of each row; empty where nothing is.
    pub known: Vec<Own>,
}

impl Sample {
    /// The points of `data`, and its targets with mean 0 and deviation 1.
    pub fn of(data: &Dataset) -> Self {
        Self::in_units(data, Standardisation::of(data.y()))
    }

    /// The points of `data`, and its targets in `units`.
    pub fn in_units(data: &Dataset, units: Standardisation) -> Self {
        Self {
            points: Columns::from_rows(data.x().clone()),
            residuals: units.apply(data.y()),
            known: known(data, units.scale),
            units,
        }
    }
}

/// What `data` says of the noise of its rows, on targets divided by `scale`.
fn known(data: &Dataset, scale: f64) -> Vec<Own> {
    if data.errors().is_none() && data.counts().is_none() {
        return Vec::new();
    }
    let own = |row: usize| Own {
        share: data.counts().map_or(1.0, |counts| 1.0 / counts[row]),
        variance: data
            .errors()
            .map_or(0.0, |errors| (errors[row] / scale).powi(2)),
    };
    (0..data.len()).map(own).collect()
}

/// A covariance matrix factorised, and the likelihood of the residuals under it.
#[derive(Debug, Clone)]
pub struct Likelihood {
    pub(crate) cholesky: Cholesky,
    /// K^-1 r.
    pub(crate) alpha: DVector<f64>,
    /// Minus the log marginal likelihood, in nats.
    pub(crate) negative_log: f64,
}

/// Likelihoods computed so far.
static COMPUTED: AtomicU64 = AtomicU64::new(0);

/// Likelihoods that this process has computed, on all its threads: how far a long fit is.
pub fn likelihoods() -> u64 {
    COMPUTED.load(Ordering::Relaxed)
}

impl Likelihood {
    /// Weighs `residuals` at `points` under the covariance at `theta` with that noise.
    ///
    /// # Errors
    /// [`Error::NotPositiveDefinite`] if the matrix cannot be factorised.
    pub(crate) fn weigh(
        kernel: &dyn Covariance,
        theta: &[f64],
        noise: &NoiseVariance,
        points: &Columns,
        residuals: &DVector<f64>,
    ) -> Result<Self, Error> {
        let cholesky = Cholesky::factorise(&matrix(kernel, theta, noise, points))?;
        Ok(Self::of(cholesky, residuals))
    }

    /// The likelihood of `residuals` under a matrix factorised already.
    pub(crate) fn of(cholesky: Cholesky, residuals: &DVector<f64>) -> Self {
        let mut alpha = residuals.clone();
        cholesky.solve_lower(alpha.as_mut_slice());
        let fit = alpha.norm_squared();
        cholesky.solve_upper(alpha.as_mut_slice());
        COMPUTED.fetch_add(1, Ordering::Relaxed);
        let constant = residuals.len() as f64 * (2.0 * std::f64::consts::PI).ln();
        Self {
            negative_log: 0.5 * (fit + cholesky.log_determinant() + constant),
            cholesky,
            alpha,
        }
    }

    /// Writes the gradient by the logarithms of the covariance's parameters into `gradient`, and
    /// returns that by the logarithm of the noise.
    pub(crate) fn gradient(
        &self,
        kernel: &dyn Covariance,
        theta: &[f64],
        noise: &NoiseVariance,
        points: &Columns,
        gradient: &mut [f64],
    ) -> f64 {
        let n = points.len();
        let inverse = self.cholesky.inverse_lower();
        let alpha = self.alpha.as_slice();
        let mut x = vec![0.0; points.dimensions()];
        let mut weight = vec![0.0; n];
        let mut column = vec![0.0; gradient.len()];
        let mut trace = 0.0;
        gradient.fill(0.0);
        for j in 0..n {
            points.copy_point(j, &mut x);
            let own = &inverse.as_slice()[j * n + j..(j + 1) * n];
            // An entry below the diagonal stands for the one above it as well.
            for ((weight, own), other) in weight[j..].iter_mut().zip(own).zip(&alpha[j..]) {
                *weight = own - alpha[j] * other;
            }
            weight[j] *= 0.5;
            trace += noise.share(j) * weight[j];
            let view = View::new(&x, points, j, n).weighed(&weight[j..]);
            kernel.weigh_by_parameters(theta, view, &mut column);
            for (sum, entry) in gradient.iter_mut().zip(&column) {
                *sum += entry;
            }
        }
        noise.common() * trace
    }
}

/// The lower triangle of k(X, X) with the noise on its diagonal; zero above it.
pub(super) fn matrix(
    kernel: &dyn Covariance,
    theta: &[f64],
    noise: &NoiseVariance,
    points: &Columns,
) -> DMatrix<f64> {
    let n = points.len();
    let mut x = vec![0.0; points.dimensions()];
    let mut matrix = DMatrix::zeros(n, n);
    for j in 0..n {
        points.copy_point(j, &mut x);
        let column = &mut matrix.as_mut_slice()[j * n + j..(j + 1) * n];
        kernel.values(theta, View::new(&x, points, j, n), column);
        column[0] += noise.of_row(j, &x);
    }
    matrix
}

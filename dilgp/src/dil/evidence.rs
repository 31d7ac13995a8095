//! Evidence: how probable the targets are under given hyper-parameters.
//!
//! Minus the log marginal likelihood of a zero-mean Gaussian process with noise,
//! `L = 1/2 r'K^-1 r + 1/2 log|K| + n/2 log 2 pi` with `K = k(X, X) + s2 I`, and
//! `dL/d eta_j = 1/2 sum((K^-1 - alpha alpha') o dK/d eta_j)`, `alpha = K^-1 r`. Rasmussen and
//! Williams (2006), eqs. 2.30 and 5.9. Here `eta` is the kernel's, then log s2.

use nalgebra::{DMatrix, DVector};

use crate::Error;
use crate::dil::kernel::{Kernel, Mask, Parts};
use crate::dil::points::{Pairs, inner, pack_weights, unpack};
use crate::matrix::cholesky::Cholesky;

/// A covariance factorised, and the likelihood of targets under it.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The mask it was weighed with.
    pub(crate) mask: Option<Mask>,
    pub(crate) parts: Parts,
    pub(crate) noise: f64,
    pub(crate) cholesky: Cholesky,
    pub(crate) inverse: DMatrix<f64>,
    /// K^-1 r.
    pub(crate) alpha: DVector<f64>,
    negative_log: f64,
    residuals: DVector<f64>,
}

impl Evidence {
    /// Weighs `residuals` (targets less their mean, one a point) under `eta`, the kernel's
    /// log-parameters followed by that of the noise variance. A mask prepares the derivatives
    /// for the invariance penalty as well.
    ///
    /// # Errors
    /// [`Error::NotPositiveDefinite`] if the covariance cannot be factorised.
    ///
    /// # Panics
    /// If there is not one residual a point, or not one entry of `eta` a parameter and one more.
    pub fn weigh(
        kernel: &dyn Kernel,
        pairs: &Pairs,
        residuals: &DVector<f64>,
        eta: &[f64],
        mask: Option<Mask>,
    ) -> Result<Self, Error> {
        let n = pairs.points();
        assert_eq!(residuals.len(), n, "one residual a point");
        let parameters = kernel.parameters().len();
        assert_eq!(
            eta.len(),
            parameters + 1,
            "one entry a parameter, then the noise"
        );
        let (eta_kernel, eta_noise) = eta.split_at(parameters);
        let noise = eta_noise[0].exp();
        let parts = kernel.parts(eta_kernel, pairs.compared(), mask);
        let cholesky = Cholesky::factorise(&unpack(&parts.value, n, noise))?;
        let mut alpha = residuals.clone();
        cholesky.solve_lower(alpha.as_mut_slice());
        let fit = alpha.norm_squared();
        cholesky.solve_upper(alpha.as_mut_slice());
        let constant = n as f64 * (2.0 * std::f64::consts::PI).ln();
        Ok(Self {
            negative_log: 0.5 * (fit + cholesky.log_determinant() + constant),
            inverse: cholesky.inverse(),
            residuals: residuals.clone(),
            mask,
            parts,
            noise,
            cholesky,
            alpha,
        })
    }

    /// What it was weighed for.
    pub(crate) fn residuals(&self) -> &DVector<f64> {
        &self.residuals
    }

    /// Minus the log marginal likelihood, in nats.
    pub fn negative_log(&self) -> f64 {
        self.negative_log
    }

    /// Its gradient by eta, the noise last.
    pub fn gradient(&self) -> Vec<f64> {
        let weights = self.weights();
        let diagonal = self.diagonal_weight();
        let by_kernel = self.parts.by_parameter.iter();
        by_kernel
            .map(|part| inner(&weights, part))
            .chain([diagonal * self.noise])
            .collect()
    }

    /// d L / d K, packed: 1/2 (K^-1 - alpha alpha').
    pub(crate) fn weights(&self) -> Vec<f64> {
        pack_weights(self.alpha.len(), |i, j| {
            0.5 * (self.inverse[(i, j)] - self.alpha[i] * self.alpha[j])
        })
    }

    /// The trace of d L / d K.
    fn diagonal_weight(&self) -> f64 {
        0.5 * (self.inverse.trace() - self.alpha.norm_squared())
    }
}

//! Evidence: how probable the targets are under given hyper-parameters, and the matrices by which
//! the invariance penalty is computed.
//!
//! Minus the log marginal likelihood of a zero-mean Gaussian process with noise,
//! `L = 1/2 r'K^-1 r + 1/2 log|K| + n/2 log 2 pi` with `K = k(X, X) + s2 I`, and
//! `dL/d eta_j = 1/2 sum((K^-1 - alpha alpha') o dK/d eta_j)`, `alpha = K^-1 r`. Rasmussen and
//! Williams (2006), eqs. 2.30 and 5.9. Here `eta` is the family's, then log s2.

use nalgebra::{DMatrix, DVector};

use crate::Error;
use crate::dil::family::{Family, Parts};
use crate::dil::pairs::{Pairs, inners, lower, pack_weights, unpack};
use crate::matrix::cholesky::Cholesky;
use crate::minimise::Evaluation;
use crate::process::Likelihood;
use crate::process::prior::{self, Prior};

/// A likelihood, with what the invariance penalty needs in addition.
#[derive(Debug, Clone)]
pub struct Evidence {
    pub(crate) parts: Parts,
    pub(crate) noise: f64,
    pub(crate) inverse: DMatrix<f64>,
    pub(crate) likelihood: Likelihood,
}

impl Evidence {
    /// Weighs `residuals` (targets less their mean, one a point) under `eta`, the family's
    /// log-parameters followed by that of the noise variance.
    ///
    /// # Errors
    /// [`Error::NotPositiveDefinite`] if the covariance cannot be factorised.
    ///
    /// # Panics
    /// If there is not one residual a point, or not one entry of `eta` a parameter and one more.
    pub fn weigh(
        family: Family,
        pairs: &Pairs,
        residuals: &DVector<f64>,
        eta: &[f64],
    ) -> Result<Self, Error> {
        let n = pairs.points();
        assert_eq!(residuals.len(), n, "one residual a point");
        let (eta_family, eta_noise) = eta.split_at(family.parameters());
        let noise = eta_noise[0].exp();
        let parts = family.parts(eta_family, pairs.compared());
        let cholesky = Cholesky::factorise(&unpack(&parts.value, n, noise))?;
        Ok(Self {
            inverse: cholesky.inverse(),
            likelihood: Likelihood::of(cholesky, residuals),
            parts,
            noise,
        })
    }

    /// Minus the log marginal likelihood, in nats.
    pub fn negative_log(&self) -> f64 {
        self.likelihood.negative_log
    }

    /// The same with its gradient.
    pub(crate) fn evaluation(&self) -> Evaluation {
        Evaluation {
            value: self.negative_log(),
            gradient: self.gradient(),
        }
    }

    /// Its gradient by eta, the noise last.
    pub fn gradient(&self) -> Vec<f64> {
        let alpha = &self.likelihood.alpha;
        let weights = by_covariance(&self.inverse, alpha);
        let trace = 0.5 * (self.inverse.trace() - alpha.norm_squared());
        let by_family = self.parts.by_parameter.iter();
        let pairs: Vec<[&[f64]; 2]> = by_family.map(|part| [&weights, &part[..]]).collect();
        let mut gradient = inners(&pairs);
        gradient.push(trace * self.noise);
        gradient
    }
}

/// The packed weights of `1/2 (K^-1 - alpha alpha')`, the derivative of L by the covariance.
pub(crate) fn by_covariance(inverse: &DMatrix<f64>, alpha: &DVector<f64>) -> Vec<f64> {
    pack_weights(alpha.len(), |j, column| {
        let alpha = &alpha.as_slice()[j..];
        let entries = column.iter_mut().zip(lower(inverse, j));
        for ((entry, inverse), own) in entries.zip(alpha) {
            *entry = 0.5 * (inverse - own * alpha[0]);
        }
    })
}

/// The plain process, with the second derivatives at hand that the penalty adds to its objective.
pub(crate) struct Task<'a> {
    family: Family,
    priors: Vec<Prior>,
    pairs: Pairs,
    pub residuals: &'a DVector<f64>,
}

impl<'a> Task<'a> {
    /// To fit `family` to standardised `residuals` at the rows of `x`.
    pub fn new(family: Family, x: &DMatrix<f64>, residuals: &'a DVector<f64>) -> Self {
        let parameters = family.covariance().parameters(x.ncols());
        let priors = parameters.iter().map(|parameter| parameter.prior);
        Self {
            family,
            priors: priors.chain([prior::NOISE]).collect(),
            pairs: Pairs::compare(family, x),
            residuals,
        }
    }

    /// The evidence at `eta`, prepared for the penalty.
    pub fn evidence(&self, eta: &[f64]) -> Result<Evidence, Error> {
        Evidence::weigh(self.family, &self.pairs, self.residuals, eta)
    }

    /// Minus the log likelihood and the log prior (without its constant), in nats, given the
    /// evidence at `eta`.
    pub fn plain_objective(&self, evidence: &Evidence, eta: &[f64]) -> Evaluation {
        let mut whole = evidence.evaluation();
        prior::add_costs(&self.priors, eta, 1.0, &mut whole);
        whole
    }
}

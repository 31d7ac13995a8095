//! Training: choosing a Gaussian process's hyper-parameters by what makes the targets probable.
//!
//! Type-II maximum likelihood with weak priors on the logarithms (a maximum a posteriori
//! estimate), by L-BFGS from a fixed start and a few seeded ones; the lowest end is kept.

use nalgebra::DVector;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::Error;
use crate::dil::evidence::Evidence;
use crate::dil::kernel::{Kernel, Mask};
use crate::dil::points::{Pairs, Points};
use crate::minimise::{Effort, Evaluation, Minimum, lowest};
use crate::prior::{self, Prior};

/// When one descent stops: differences of a millionth of a nat decide nothing.
pub const EFFORT: Effort = Effort {
    evaluations: 100,
    smallest_decrease: 1e-6,
    smallest_gradient: 1e-4,
};

/// How far from the priors' centres the seeded starts lie, in prior deviations.
const START_SPREAD: f64 = 0.5;

/// What training fits: a kernel to residuals at points.
pub struct Task<'a> {
    kernel: &'a dyn Kernel,
    priors: Vec<Prior>,
    pairs: Pairs,
    residuals: &'a DVector<f64>,
}

impl<'a> Task<'a> {
    /// To fit `kernel` to standardised `residuals` at `points`.
    pub fn new(kernel: &'a dyn Kernel, points: &Points, residuals: &'a DVector<f64>) -> Self {
        let mut priors = kernel.priors(points.dimensions());
        priors.push(prior::NOISE);
        Self {
            kernel,
            priors,
            pairs: Pairs::compare(kernel, points),
            residuals,
        }
    }

    /// The evidence at `eta`, prepared for the penalty where a mask is given.
    ///
    /// # Errors
    /// A covariance that cannot be factorised.
    pub fn evidence(&self, eta: &[f64], mask: Option<Mask>) -> Result<Evidence, Error> {
        Evidence::weigh(self.kernel, &self.pairs, self.residuals, eta, mask)
    }

    /// The residuals being explained.
    pub fn residuals(&self) -> &'a DVector<f64> {
        self.residuals
    }

    /// Minus the log likelihood and the log prior (without its constant), in nats, given the
    /// evidence at `eta`.
    pub fn plain_objective(&self, evidence: &Evidence, eta: &[f64]) -> Evaluation {
        let mut value = evidence.negative_log();
        let mut gradient = evidence.gradient();
        for ((gradient, prior), eta) in gradient.iter_mut().zip(&self.priors).zip(eta) {
            let (cost, slope) = prior.penalty(*eta);
            value += cost;
            *gradient += slope;
        }
        Evaluation { value, gradient }
    }

    /// The priors' centres, then `seeded` random points around them.
    pub fn starts(&self, seeded: usize, seed: u64) -> Vec<Vec<f64>> {
        starts_around(&self.priors, seeded, seed)
    }

    /// The lowest end of a descent of the plain objective from each of `starts`; of equals, the first.
    ///
    /// # Errors
    /// No start has a finite value.
    pub fn descend(&self, starts: &[Vec<f64>], effort: Effort) -> Result<Minimum, Error> {
        let objective = |eta: &[f64]| {
            let evidence = self.evidence(eta, None).ok()?;
            Some(self.plain_objective(&evidence, eta))
        };
        match lowest(starts, effort, objective) {
            Ok(minimum) => Ok(minimum),
            Err(steps) => {
                self.evidence(&starts[0], None)?;
                Err(Error::TrainingDiverged {
                    surrogate: "a Gaussian process",
                    steps,
                })
            }
        }
    }
}

/// The centres of `priors`, then `seeded` random points around them.
pub fn starts_around(priors: &[Prior], seeded: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut starts = vec![priors.iter().map(|prior| prior.centre).collect()];
    for _ in 0..seeded {
        let start = priors.iter().map(|prior| {
            let z: f64 = StandardNormal.sample(&mut random);
            prior.centre + START_SPREAD * prior.deviation * z
        });
        starts.push(start.collect());
    }
    starts
}

//! Gaussian process: exact regression with hyper-parameters of maximal marginal likelihood.

use std::sync::Arc;

use crate::Dataset;
use crate::Error;
use crate::Model;
use crate::Summary;
use crate::Surrogate;
use crate::dil::evidence::Evidence;
use crate::dil::kernel::{DotProduct, Kernel, RationalQuadratic, Rbf};
use crate::dil::points::Points;
use crate::dil::posterior::Posterior;
use crate::dil::training::{EFFORT, Task};
use crate::minimise::Minimum;
use crate::standardise::Standardisation;
use crate::summary::hyperparameters;

/// Seeded starts beside the fixed one.
pub const SEEDED_STARTS: usize = 2;

/// A Gaussian process with a kernel of the family.
#[derive(Debug, Clone)]
pub struct GaussianProcess {
    name: &'static str,
    kernel: Arc<dyn Kernel>,
    /// Seeded starts beside the fixed one; more find a better optimum where there are several.
    pub seeded_starts: usize,
}

impl GaussianProcess {
    /// With a kernel of the caller's choice, under one of [`crate::NAMES`].
    pub fn with_kernel(name: &'static str, kernel: Arc<dyn Kernel>) -> Self {
        Self {
            name,
            kernel,
            seeded_starts: SEEDED_STARTS,
        }
    }

    /// `gp`: the squared-exponential kernel.
    pub fn rbf() -> Self {
        Self::with_kernel("gp", Arc::new(Rbf))
    }

    /// `gp-rq`: the rational-quadratic kernel.
    pub fn rational_quadratic() -> Self {
        Self::with_kernel("gp-rq", Arc::new(RationalQuadratic))
    }

    /// `gp-dp`: the dot-product kernel, Bayesian linear regression.
    pub fn dot_product() -> Self {
        Self::with_kernel("gp-dp", Arc::new(DotProduct))
    }
}

impl Surrogate for GaussianProcess {
    fn name(&self) -> &'static str {
        self.name
    }

    fn fit(&self, data: &Dataset, seed: u64) -> Result<Box<dyn Model>, Error> {
        Error::unless_it_fits(self.name, data.len())?;
        let points = Points::from_rows(data.x());
        let units = Standardisation::of(data.y());
        let residuals = units.apply(data.y());
        let task = Task::new(self.kernel.as_ref(), &points, &residuals);
        let minimum = task.descend(&task.starts(self.seeded_starts, seed), EFFORT)?;
        let evidence = task.evidence(&minimum.at, None)?;
        let summary = summarise(self.name, self.kernel.as_ref(), &minimum, &evidence);
        Ok(Box::new(Posterior::new(
            self.kernel.clone(),
            &minimum.at,
            points,
            evidence,
            units,
            summary,
        )))
    }
}

/// What a fit found, before anything is known of environments.
pub(crate) fn summarise(
    surrogate: &'static str,
    kernel: &dyn Kernel,
    minimum: &Minimum,
    evidence: &Evidence,
) -> Summary {
    Summary {
        surrogate,
        hyperparameters: hyperparameters(kernel, &minimum.at),
        objective: minimum.value,
        ending: minimum.ending,
        jitter: evidence.cholesky.jitter(),
        evaluations: minimum.evaluations,
        environments: None,
    }
}

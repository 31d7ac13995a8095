//! Hierarchical: a Gaussian process whose environments share a function and have their own.
//!
//! This mode is ours, not the paper's. With e(x) the environment of a point,
//!
//! `k(x, x') = k_0(x, x') + 1[e(x) = e(x')] (tau_e + k_e(x, x'))`, noise variance s2_e,
//!
//! where k_0 is what every environment shares, tau_e the variance of an environment's offset and
//! k_e of what is its own; all kernels are of one family. Hyper-parameters minimise the mean over
//! environments of `-L_e / n_e`, with L_e the log marginal likelihood of environment e alone, so
//! that a small environment counts as much as a large one; weak priors, divided by the number of
//! points, keep them finite. An optional penalty `lambda mean_e (g_e / n_e)^2` asks, as DIL-GP
//! does, that the shared kernel be optimal in every environment at once: g_e is the slope of L_e
//! along a dummy weight on k_0's amplitude and length. Unlike with DIL-GP's masks, g_e = 0 can be
//! reached.
//!
//! Predictions condition on all training points together. A new point belongs to the environment
//! whose centre is nearest, so the mean jumps where two environments meet.
//!
//! With one environment there is nothing to share, and the model is the plain process: k_0 and
//! one noise variance.
//!
//! What to expect: this uses the labels or clusters of the training points, which a plain process
//! does not; the penalty adds little. An environment seen in training only through points far
//! from its bulk is still extrapolated.

mod covariance;
mod layout;
mod model;
mod objective;
mod penalty;

use std::sync::Arc;

use nalgebra::DMatrix;

use crate::dil::environments::Environments;
use crate::dil::family::Family;
use crate::matrix::points::Points;
use crate::minimise::{Effort, Minimum, lowest};
use crate::process::{
    Columns, FittedProcess, Likelihood, NoiseVariance, SEEDED_STARTS, Sample, starts_around,
};
use crate::surrogate::standardise::Standardisation;
use crate::surrogate::summary::named;
use crate::{Dataset, Error, Model, Summary, Surrogate};
use layout::Layout;
use model::{Gate, Gated};
use objective::Objective;

/// When one descent stops. The objective is a mean over points, so differences of a hundred
/// millionth of a nat decide nothing.
const EFFORT: Effort = Effort {
    evaluations: 200,
    smallest_decrease: 1e-8,
    smallest_gradient: 1e-5,
};

/// The settings of the hierarchical process.
#[derive(Debug, Clone)]
pub struct Hierarchical {
    /// The family of all its covariances; by default the squared-exponential.
    pub kernel: Family,
    /// Where environments come from. Default two clusters of the inputs.
    pub environments: Environments,
    /// Weight of the invariance penalty, 0 or more. Default 0.
    pub lambda: f64,
    /// Seeded starts beside the fixed one. Default 2.
    pub seeded_starts: usize,
}

impl Default for Hierarchical {
    fn default() -> Self {
        Self {
            kernel: Family::Rbf,
            environments: Environments::Clusters(2),
            lambda: 0.0,
            seeded_starts: SEEDED_STARTS,
        }
    }
}

impl Surrogate for Hierarchical {
    fn name(&self) -> &'static str {
        "dil-gp"
    }

    fn fit(&self, data: &Dataset, seed: u64) -> Result<Box<dyn Model>, Error> {
        Error::unless_not_negative("dil-gp", ("lambda", self.lambda))?;
        Error::unless_it_fits(self.name(), data.len())?;
        let columns: Vec<Standardisation> = (0..data.dimensions())
            .map(|j| Standardisation::of(&data.x().column(j).into_owned()))
            .collect();
        let scored = z_score(data.x(), &columns);
        let points = Points::from_rows(&scored);
        let labels = self.environments.labels(&points, seed)?;
        let layout = Layout::new(self.kernel, &labels, data.dimensions());
        let centres = centres(&points, &labels, layout.covariance.environments);
        let units = Standardisation::of(data.y());
        let as_coordinate: Vec<f64> = labels.iter().map(|e| *e as f64).collect();
        let sample = Sample {
            points: Columns::from_rows(scored).with_coordinate(&as_coordinate),
            residuals: units.apply(data.y()),
            units,
        };
        let minimum = self.search(&layout, &sample, &labels, seed)?;
        Ok(Box::new(Gated {
            gate: Gate::new(columns, centres),
            posterior: posterior(layout, minimum, sample, &labels)?,
        }))
    }
}

impl Hierarchical {
    /// The lowest end of a descent from each start.
    fn search(
        &self,
        layout: &Layout,
        sample: &Sample,
        labels: &[usize],
        seed: u64,
    ) -> Result<Minimum, Error> {
        let objective = Objective::new(layout, sample, labels, self.lambda);
        let starts = starts_around(&layout.priors(), self.seeded_starts, seed);
        match lowest(&starts, EFFORT, |eta| objective.at(eta).ok()) {
            Ok(minimum) => Ok(minimum),
            Err(steps) => {
                objective.at(&starts[0])?;
                Err(Error::TrainingDiverged {
                    surrogate: "dil-gp",
                    steps,
                })
            }
        }
    }
}

/// All training points together, each with the noise of its environment.
///
/// # Errors
/// A joint covariance that cannot be factorised.
fn posterior(
    layout: Layout,
    minimum: Minimum,
    sample: Sample,
    labels: &[usize],
) -> Result<FittedProcess, Error> {
    let (theta, variances) = layout.theta(&minimum.at);
    let noise = NoiseVariance::OfGroup {
        coordinate: sample.points.dimensions() - 1,
        variances,
    };
    let (kernel, Sample { points, .. }) = (&layout.covariance, &sample);
    let likelihood = Likelihood::weigh(kernel, &theta, &noise, points, &sample.residuals)?;
    let in_first = |&label: &usize| if label == 0 { 1.0 } else { 0.0 };
    let names = layout
        .parameters
        .into_iter()
        .map(|parameter| parameter.name);
    Ok(FittedProcess {
        summary: Summary {
            surrogate: "dil-gp",
            hyperparameters: named(names, minimum.at.iter().map(|eta| eta.exp())),
            objective: minimum.value,
            ending: minimum.ending,
            jitter: likelihood.cholesky.jitter(),
            evaluations: minimum.evaluations,
            environments: Some(labels.iter().map(in_first).collect()),
        },
        kernel: Arc::new(layout.covariance),
        eta: minimum.at,
        theta,
        noise,
        sample,
        likelihood,
    })
}

fn z_score(x: &DMatrix<f64>, columns: &[Standardisation]) -> DMatrix<f64> {
    DMatrix::from_fn(x.nrows(), x.ncols(), |i, j| {
        (x[(i, j)] - columns[j].mean) / columns[j].scale
    })
}

/// The mean of each environment's points.
fn centres(points: &Points, labels: &[usize], environments: usize) -> Vec<Vec<f64>> {
    let mut sums = vec![vec![0.0; points.dimensions()]; environments];
    let mut counts = vec![0.0; environments];
    for (x, &label) in points.iter().zip(labels) {
        counts[label] += 1.0;
        sums[label].iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
    }
    for (sum, count) in sums.iter_mut().zip(counts) {
        sum.iter_mut().for_each(|sum| *sum /= count);
    }
    sums
}

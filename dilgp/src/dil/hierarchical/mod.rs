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
mod objective;

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use crate::dil::environments::{Environments, centres, nearest};
use crate::dil::family::Family;
use crate::matrix::rows;
use crate::minimise::{Effort, Minimum, lowest};
use crate::process::{
    Columns, FittedProcess, Likelihood, NoiseVariance, SEEDED_STARTS, Sample, starts_around,
};
use crate::surrogate::{Standardisation, ZScores, expect_dimensions, named};
use crate::{Dataset, Error, Model, Prediction, Slope, Summary, Surrogate};
use covariance::Layout;
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
}

impl Default for Hierarchical {
    fn default() -> Self {
        Self {
            kernel: Family::Rbf,
            environments: Environments::Clusters(2),
            lambda: 0.0,
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
        let columns = ZScores::of(data.x());
        let scored = columns.apply(data.x());
        let labels = self.environments.labels(&scored, seed)?;
        let layout = Layout::new(self.kernel, &labels, data.dimensions());
        let centres = centres(&rows(&scored), &labels);
        let units = Standardisation::of(data.y());
        let as_coordinate: Vec<f64> = labels.iter().map(|e| *e as f64).collect();
        let sample = Sample {
            points: Columns::from_rows(scored).with_coordinate(&as_coordinate),
            residuals: units.apply(data.y()),
            units,
            known: Vec::new(),
        };
        let minimum = self.search(&layout, &sample, &labels, seed)?;
        Ok(Box::new(Gated {
            columns,
            centres,
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
        let starts = starts_around(&layout.priors(), SEEDED_STARTS, seed);
        lowest("dil-gp", &starts, EFFORT, |eta| objective.at(eta))
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
    let names = layout.parameters.into_iter().map(|own| own.name);
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

/// A fitted hierarchical process.
#[derive(Debug)]
struct Gated {
    /// How each column is z-scored.
    columns: ZScores,
    /// Of the environments, in z-scored coordinates: a point belongs to the nearest.
    centres: Vec<Vec<f64>>,
    /// The posterior of points with their environment.
    posterior: FittedProcess,
}

impl Gated {
    /// The z-scored points, with the environment of each as last coordinate.
    fn enter(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        expect_dimensions(x.ncols(), self.columns.0.len());
        let scored = self.columns.apply(x);
        let environment = |x: &Vec<f64>| nearest(x, &self.centres) as f64;
        let labels: Vec<f64> = rows(&scored).iter().map(environment).collect();
        let mut entered = scored.insert_column(x.ncols(), 0.0);
        entered.column_mut(x.ncols()).copy_from_slice(&labels);
        entered
    }
}

impl Model for Gated {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        self.posterior.predict(&self.enter(x))
    }

    /// The slope within the environment that the point belongs to; none is defined on the border.
    fn slope(&self, x: &[f64]) -> Option<Slope> {
        let entered = self.enter(&DMatrix::from_row_slice(1, x.len(), x));
        let slope = self.posterior.slope(entered.as_slice())?;
        let in_units = |gradient: Vec<f64>| -> Vec<f64> {
            let columns = gradient.iter().zip(&self.columns.0);
            columns.map(|(g, column)| g / column.scale).collect()
        };
        Some(Slope {
            mean_gradient: in_units(slope.mean_gradient),
            std_gradient: slope.std_gradient.map(in_units),
            ..slope
        })
    }

    fn leave_one_out(&self) -> Option<Prediction> {
        self.posterior.leave_one_out()
    }

    fn joint(&self, x: &DMatrix<f64>) -> Option<(DVector<f64>, DMatrix<f64>)> {
        Model::joint(&self.posterior, &self.enter(x))
    }

    fn summary(&self) -> &Summary {
        self.posterior.summary()
    }
}

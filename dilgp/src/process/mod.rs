//! Process: an exact Gaussian process whose covariance is composed, with a length scale for each
//! input where wanted; fast enough to be refitted inside an optimiser.
//!
//! [`Process`] holds settings. [`Process::fit`] finds hyper-parameters from cold starts,
//! [`Process::fit_from`] from those of an earlier fit, [`Process::condition`] takes them as given;
//! [`FittedProcess::append`] adds a point in O(n^2). All return a new [`FittedProcess`], a
//! [`Model`]. Everything runs on one thread and is the same bits for the same seed and build.
//!
//! Every exact process of this crate ends in the same [`FittedProcess`]. The training of DIL-GP and
//! of the hierarchical process has objectives of its own, which are not used here.
//!
//! ```
//! use dilgp::process::{Lengths, Linear, Matern52, Noise, Process, Radial, Scaled, Sum};
//! use dilgp::{Dataset, Model};
//! use nalgebra::{DMatrix, DVector};
//!
//! let x = DMatrix::from_fn(20, 2, |i, j| ((7 * i + 3 * j) as f64 * 0.37).sin());
//! let y = DVector::from_fn(20, |i, _| (2.0 * x[(i, 0)]).sin() + 0.1 * x[(i, 1)]);
//! let data = Dataset::new(x, y)?;
//!
//! // A Matérn-5/2 covariance with a length for each input; noise inferred.
//! let process = Process::new("gp", Scaled(Radial::new(Matern52, Lengths::Each)));
//! let cold = process.train(&data, 1)?;
//! assert_eq!(cold.eta().len(), 1 + 2 + 1); // amplitude, two lengths, noise
//!
//! // One more observation, hyper-parameters kept; then a warm refit, one cold start as guard.
//! let grown = cold.append(&[0.1, 0.2], 0.22)?;
//! let slope = grown.slope(&[0.3, 0.4]).expect("processes are differentiable");
//! assert!(slope.std.is_some_and(|std| std >= 0.0));
//! let warm = process.fit_from(&data, cold.eta(), true, 2)?;
//! assert!(warm.summary().objective <= cold.summary().objective + 1e-3);
//!
//! // A deterministic objective, a trend beneath the process, and what it says of several points together.
//! let mut trend = Process::new("gp", Sum(
//!     Scaled(Radial::new(Matern52, Lengths::Each)),
//!     Scaled(Linear),
//! ));
//! trend.noise = Noise::DETERMINISTIC;
//! let (mean, covariance) = trend.train(&data, 1)?.joint(data.x())?;
//! assert_eq!((mean.len(), covariance.shape()), (20, (20, 20)));
//! # Ok::<(), dilgp::Error>(())
//! ```

mod covariance;
mod joint;
mod likelihood;
mod posterior;
pub(crate) mod prior;
mod training;

use std::sync::Arc;

pub use covariance::{
    Columns, Covariance, Dot, Lengths, Level, Linear, Matern52, Parameter, Part, Profile, Radial,
    RationalQuadratic, Rbf, Scaled, Sum, Trend, View, WithPrior,
};
pub(crate) use covariance::{add, held};
pub use likelihood::likelihoods;
pub(crate) use likelihood::{Likelihood, Sample};
pub use posterior::FittedProcess;
pub use prior::Noise;
pub(crate) use prior::NoiseVariance;
pub(crate) use training::{EFFORT, SEEDED_STARTS, starts_around};

use crate::minimise::{Effort, Evaluation, Minimum};
use crate::surrogate::named;
use crate::{Dataset, Ending, Error, Model, Summary, Surrogate};
use training::Task;

/// How to fit a Gaussian process.
#[derive(Debug, Clone)]
pub struct Process {
    /// The name under which fitted models are summarised.
    pub name: &'static str,
    /// The covariance of the function.
    pub kernel: Arc<dyn Covariance>,
    /// The noise of an observation. Default: inferred.
    pub noise: Noise,
    /// Cold starts in addition to the priors' centres. Default: 2.
    pub seeded_starts: usize,
    /// When a descent from one start ends. Default: 100 evaluations, a decrease of 1e-6 nats or a
    /// gradient of 1e-4.
    pub effort: Effort,
}

impl Process {
    /// With a covariance of the caller's choice and the default settings.
    pub fn new(name: &'static str, kernel: impl Covariance + 'static) -> Self {
        Self::with(name, Arc::new(kernel))
    }

    /// As [`Process::new`] with a covariance that is shared already.
    pub fn with(name: &'static str, kernel: Arc<dyn Covariance>) -> Self {
        Self {
            name,
            kernel,
            noise: Noise::Inferred,
            seeded_starts: SEEDED_STARTS,
            effort: EFFORT,
        }
    }

    /// A scaled Matérn-5/2 covariance with a length for each input.
    pub fn matern() -> Self {
        Self::new("gp", Scaled(Radial::new(Matern52, Lengths::Each)))
    }

    /// A scaled squared-exponential covariance with a length for each input.
    pub fn rbf() -> Self {
        Self::new("gp", Scaled(Radial::new(Rbf, Lengths::Each)))
    }

    /// A scaled rational-quadratic covariance with a length for each input.
    pub fn rational_quadratic() -> Self {
        Self::new("gp", Scaled(Radial::new(RationalQuadratic, Lengths::Each)))
    }

    /// Hyper-parameters from cold starts, as [`Surrogate::fit`], but of the type that can grow.
    ///
    /// # Errors
    /// Too many points, a fixed noise that is not a finite number of at least 0, or a covariance
    /// matrix that no jitter makes positive definite.
    pub fn train(&self, data: &Dataset, seed: u64) -> Result<FittedProcess, Error> {
        let sample = Sample::of(data);
        let lowest = self.lowest(&sample, seed)?;
        self.ended(sample, lowest)
    }

    /// Where [`Process::train`] ends.
    pub(crate) fn lowest(&self, sample: &Sample, seed: u64) -> Result<Minimum, Error> {
        let task = self.task(sample)?;
        task.descend(&task.starts(self.seeded_starts, seed), self.effort)
    }

    /// Hyper-parameters from those of an earlier fit, `warm`; with `cold_guard` also from one
    /// start that does not depend on them (the priors' centres, or with an odd `seed` a random point
    /// around them, so that repeated refits try several), the better end being kept.
    ///
    /// # Errors
    /// As [`Process::train`]; or not one finite entry of `warm` for each hyper-parameter.
    pub fn fit_from(
        &self,
        data: &Dataset,
        warm: &[f64],
        cold_guard: bool,
        seed: u64,
    ) -> Result<FittedProcess, Error> {
        let sample = Sample::of(data);
        let task = self.task(&sample)?;
        task.theta(warm)?;
        let mut starts = vec![warm.to_vec()];
        if cold_guard {
            starts.extend(task.starts((seed % 2) as usize, seed).pop());
        }
        let lowest = task.descend(&starts, self.effort)?;
        self.ended(sample, lowest)
    }

    /// The posterior at given hyper-parameters `eta`, without any search. The targets are
    /// standardised anew by `data`.
    ///
    /// # Errors
    /// As [`Process::fit_from`].
    pub fn condition(&self, data: &Dataset, eta: &[f64]) -> Result<FittedProcess, Error> {
        let minimum = Minimum {
            at: eta.to_vec(),
            value: f64::NAN,
            evaluations: 1,
            ending: Ending::Converged,
        };
        let mut posterior = self.ended(Sample::of(data), minimum)?;
        let prior = self.task(&posterior.sample)?.prior_cost(eta);
        posterior.summary.objective = posterior.likelihood.negative_log + prior;
        Ok(posterior)
    }

    /// The posterior of a `sample` at the hyper-parameters where a search for them has ended: the
    /// last step of every fit.
    ///
    /// # Errors
    /// As [`Process::fit_from`].
    pub(crate) fn ended(&self, sample: Sample, minimum: Minimum) -> Result<FittedProcess, Error> {
        let task = self.task(&sample)?;
        let theta = task.theta(&minimum.at)?;
        let likelihood = task.likelihood(&theta)?;
        let names = self.kernel.parameters(sample.points.dimensions());
        let names = names.into_iter().map(|parameter| parameter.name);
        let values = theta.0.iter().chain([&theta.1]);
        Ok(FittedProcess {
            summary: Summary {
                surrogate: self.name,
                hyperparameters: named(names.chain(["noise".into()]), values.copied()),
                objective: minimum.value,
                ending: minimum.ending,
                jitter: likelihood.cholesky.jitter(),
                evaluations: minimum.evaluations,
                environments: None,
            },
            kernel: self.kernel.clone(),
            eta: minimum.at,
            theta: theta.0,
            noise: NoiseVariance::of(theta.1, &sample.known),
            likelihood,
            sample,
        })
    }

    /// What training minimises, at `eta`: minus the log likelihood and log prior of the
    /// standardised targets in nats, and its gradient.
    ///
    /// # Errors
    /// As [`Process::fit_from`].
    pub fn objective(&self, data: &Dataset, eta: &[f64]) -> Result<Evaluation, Error> {
        self.task(&Sample::of(data))?.objective(eta)
    }

    fn task<'a>(&'a self, sample: &'a Sample) -> Result<Task<'a>, Error> {
        Error::unless_it_fits(self.name, sample.points.len())?;
        if let Noise::Fixed(variance) = self.noise {
            Error::unless_not_negative(self.name, ("fixed noise", variance))?;
        }
        Ok(Task::new(self.kernel.as_ref(), self.noise, sample))
    }
}

impl Surrogate for Process {
    fn name(&self) -> &'static str {
        self.name
    }

    fn fit(&self, data: &Dataset, seed: u64) -> Result<Box<dyn Model>, Error> {
        Ok(Box::new(self.train(data, seed)?))
    }
}

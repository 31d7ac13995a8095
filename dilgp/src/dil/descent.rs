//! Descent: a Gaussian process trained by plain gradient descent, as the DIL-GP authors' code
//! does it.
//!
//! `v <- momentum v + gradient; eta <- eta - rate v` from eta = 0 (every parameter 1) for a fixed
//! number of epochs, on inputs exactly as given and, unless [`Targets`] says otherwise, on targets
//! exactly as given: no standardisation, mean zero, no priors. What is minimised on n points is
//!
//! `-log p + lambda 1/2 (g_0^2 + g_1^2)`, either as it stands or, as the authors do, divided by n,
//!
//! with lambda 0 for the plain process.
//!
//! The mode called `released` is this, with three properties of that code kept to the letter:
//!
//! - A (N, 1) by (N,) product followed by a mean collapses the mask of DIL-GP to one number,
//!   `s = mean(sigmoid(q))`: `g_0 = s^2/2 alpha'K'alpha - 1/2 tr(K^-1 K')` and g_1 the same with
//!   1 - s ([`Masks::Collapsed`]). The paper's equation is [`Masks::ElementWise`].
//! - The optimiser of q is made anew for every step, so each q_i moves by the rate times the sign
//!   of the penalty's slope along it, once before the first epoch and once in each.
//! - Predictions use the factor of the covariance from before the last step but the kernel and
//!   the noise from after it ([`Factor::Stale`]), and the dot-product kernel is taken to be a,
//!   not a (x . x + c), at x = y, which makes most of its variances negative (shown as 0 here).
//!
//! What the loss divided by N does at the authors' rates is to stop training early: its gain over
//! the sum, and not the penalty, is most of what DIL-GP gains on the one-dimensional set.

use nalgebra::{DMatrix, DVector};

use crate::dil::environments::{Environments, initial_assignment};
use crate::dil::evidence::Evidence;
use crate::dil::family::Family;
use crate::dil::pairs::Pairs;
use crate::dil::penalty::{Invariance, Masks, Penalty, weights_of};
use crate::minimise::Evaluation;
use crate::process::{FittedProcess, Likelihood, NoiseVariance, Sample};
use crate::surrogate::{Standardisation, named};
use crate::{Dataset, Ending, Error, Model, Prediction, Slope, Summary, Surrogate};

/// Whether the objective grows with the number of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The whole data set's, in nats.
    Sum,
    /// Divided by the number of points, the penalty included.
    Mean,
}

/// Which factor of the covariance predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factor {
    /// That of the last epoch, from before its step.
    Stale,
    /// That of the final hyper-parameters.
    Current,
}

/// What the process is fitted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Targets {
    /// The targets as they are, as in the authors' code.
    AsGiven,
    /// The targets with mean 0 and deviation 1; predictions are in the targets' own units.
    Standardised,
}

/// The settings of gradient descent.
#[derive(Debug, Clone)]
pub struct GradientDescent {
    /// The surrogate that is trained so.
    pub surrogate: &'static str,
    /// What is fitted to.
    pub targets: Targets,
    /// The covariance.
    pub kernel: Family,
    /// Sum or mean.
    pub loss: Loss,
    /// Steps of eta; 0 leaves the process untrained.
    pub epochs: usize,
    /// Learning rate, above 0.
    pub rate: f64,
    /// Share of the last step repeated, from 0 to below 1.
    pub momentum: f64,
    /// The penalty; none for the plain process.
    pub invariance: Option<Invariance>,
    /// Which factor predicts.
    pub factor: Factor,
}

impl GradientDescent {
    /// The authors' plain Gaussian process: sum, 200 epochs at rate 0.005, stale factor. They
    /// train their two-dimensional set at 0.01.
    pub fn released(surrogate: &'static str, kernel: Family) -> Self {
        Self {
            surrogate,
            targets: Targets::AsGiven,
            kernel,
            loss: Loss::Sum,
            epochs: 200,
            rate: 0.005,
            momentum: 0.0,
            invariance: None,
            factor: Factor::Stale,
        }
    }

    /// The authors' DIL-GP: as their plain process but with the mean loss and the penalty, lambda
    /// 1, collapsed masks, one step of 0.001 along q in each epoch.
    pub fn released_dil(kernel: Family) -> Self {
        Self {
            loss: Loss::Mean,
            invariance: Some(Invariance {
                lambda: 1.0,
                masks: Masks::Collapsed,
                assignment_rate: 1e-3,
                inner_steps: 1,
                environments: Environments::Clusters(2),
            }),
            ..Self::released("dil-gp", kernel)
        }
    }
}

impl Surrogate for GradientDescent {
    fn name(&self) -> &'static str {
        self.surrogate
    }

    fn fit(&self, data: &Dataset, seed: u64) -> Result<Box<dyn Model>, Error> {
        self.check()?;
        Error::unless_it_fits(self.surrogate, data.len())?;
        let q = match &self.invariance {
            Some(invariance) => initial_assignment(&invariance.environments, data.x(), seed)?,
            None => Vec::new(),
        };
        let units = match self.targets {
            Targets::AsGiven => Standardisation::NONE,
            Targets::Standardised => Standardisation::of(data.y()),
        };
        let sample = Sample::in_units(data, units);
        let run = self.descend(data.x(), &sample.residuals, q)?;
        let process = self.posterior(sample, run);
        Ok(match self.factor {
            Factor::Current => Box::new(process),
            Factor::Stale => Box::new(AsReleased {
                process,
                own_is_amplitude: self.kernel == Family::DotProduct,
            }),
        })
    }
}

/// Where a descent ended.
struct Run {
    eta: Vec<f64>,
    q: Vec<f64>,
    /// With the factor that predicts.
    likelihood: Likelihood,
    /// The objective last evaluated.
    objective: f64,
}

impl GradientDescent {
    fn descend(&self, x: &DMatrix<f64>, y: &DVector<f64>, mut q: Vec<f64>) -> Result<Run, Error> {
        let pairs = Pairs::compare(self.kernel, x);
        let weigh = |eta: &[f64], step: usize| {
            let evidence = Evidence::weigh(self.kernel, &pairs, y, eta);
            evidence.map_err(|_| self.diverged(step))
        };
        let mut eta = vec![0.0; self.kernel.parameters() + 1];
        let mut velocity = vec![0.0; eta.len()];
        let mut evidence = weigh(&eta, 0)?;
        let mut objective = f64::NAN;
        for epoch in 0..self.epochs {
            if epoch > 0 {
                evidence = weigh(&eta, epoch)?;
            }
            let penalty = self.invariance.as_ref().map(|invariance| {
                let penalty = Penalty::new(&evidence, y);
                let extra = usize::from(epoch == 0);
                invariance.ascend(&penalty, &mut q, extra + invariance.inner_steps);
                invariance.weigh(&penalty, &q)
            });
            let whole = self.objective(&evidence, penalty);
            objective = whole.value;
            for ((eta, velocity), slope) in eta.iter_mut().zip(&mut velocity).zip(whole.gradient) {
                *velocity = self.momentum * *velocity + slope;
                *eta -= self.rate * *velocity;
            }
            if !eta.iter().all(|eta| eta.is_finite()) {
                return Err(self.diverged(epoch + 1));
            }
        }
        if self.epochs == 0 {
            // Untrained: the likelihood alone; there is no assignment to weigh.
            objective = self.objective(&evidence, None).value;
        }
        if self.factor == Factor::Current {
            evidence = weigh(&eta, self.epochs)?;
        }
        Ok(Run {
            eta,
            q,
            likelihood: evidence.likelihood,
            objective,
        })
    }

    /// The posterior at the last hyper-parameters, with the factor that the run chose.
    fn posterior(&self, sample: Sample, run: Run) -> FittedProcess {
        let kernel = self.kernel.covariance();
        let mut theta: Vec<f64> = run.eta.iter().map(|eta| eta.exp()).collect();
        let own = kernel.parameters(sample.points.dimensions());
        let names = own.into_iter().map(|parameter| parameter.name);
        let summary = Summary {
            surrogate: self.surrogate,
            hyperparameters: named(names.chain(["noise".into()]), theta.iter().copied()),
            objective: run.objective,
            ending: Ending::Budget,
            jitter: run.likelihood.cholesky.jitter(),
            evaluations: self.epochs.max(1) as u64,
            environments: (!run.q.is_empty()).then(|| weights_of(&run.q)),
        };
        let noise = NoiseVariance::Same(theta.pop().unwrap_or_default());
        FittedProcess {
            kernel,
            eta: run.eta,
            theta,
            noise,
            sample,
            likelihood: run.likelihood,
            summary,
        }
    }

    /// The objective at fixed hyper-parameters and its gradient by eta, given the weighted
    /// penalty and its own.
    fn objective(&self, evidence: &Evidence, penalty: Option<(f64, Vec<f64>)>) -> Evaluation {
        let mut whole = evidence.evaluation();
        if let Some((cost, slope)) = penalty {
            whole.add(1.0, cost, &slope);
        }
        if self.loss == Loss::Mean {
            let n = evidence.likelihood.alpha.len() as f64;
            whole.value /= n;
            whole.gradient.iter_mut().for_each(|slope| *slope /= n);
        }
        whole
    }

    fn diverged(&self, steps: usize) -> Error {
        Error::TrainingDiverged {
            surrogate: self.surrogate,
            steps: steps as u64,
        }
    }

    fn check(&self) -> Result<(), Error> {
        let name = self.surrogate;
        Error::unless_positive(name, ("rate", self.rate))?;
        let legal = (0.0..1.0).contains(&self.momentum);
        let momentum = ("momentum", self.momentum);
        Error::unless_legal(legal, name, momentum, "from 0 to below 1")?;
        match &self.invariance {
            Some(invariance) => invariance.check(name),
            None => Ok(()),
        }
    }
}

/// A process whose variances are as the DIL-GP authors' code computes them.
///
/// That code predicts with a factor from before the last step of training and with the kernel from
/// after it, and takes the dot product's k(x, x) for a. Neither is a posterior: its variances can be
/// truly negative, not by rounding. They are shown as 0, and that of an observation as 0 where the
/// noise does not make up for it, so that its figures are reproduced.
struct AsReleased {
    /// Of the hyper-parameters from after the last step, with the factor from before it.
    process: FittedProcess,
    /// Whether k(x, x) is taken for the amplitude.
    own_is_amplitude: bool,
}

impl AsReleased {
    /// k(x, x) and its gradient.
    fn own(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        if self.own_is_amplitude {
            gradient.fill(0.0);
            return self.process.theta[0];
        }
        self.process.at_itself(x, gradient)
    }
}

impl Model for AsReleased {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        let predicted = (self.process).moments(x, |x, gradient| self.own(x, gradient));
        let moments = predicted.iter().map(|at| {
            let observed = at.variance + at.noise;
            [at.mean, at.variance.max(0.0), observed.max(0.0)]
        });
        Prediction::of_moments(moments, self.process.sample.units)
    }

    fn slope(&self, x: &[f64]) -> Option<Slope> {
        let own = |x: &[f64], gradient: &mut [f64]| self.own(x, gradient);
        Some(self.process.slope_with(x, own))
    }

    fn leave_one_out(&self) -> Option<Prediction> {
        self.process.leave_one_out()
    }

    fn summary(&self) -> &Summary {
        self.process.summary()
    }
}

#[cfg(test)]
mod tests;

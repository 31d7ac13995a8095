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

use crate::dil::as_released::AsReleased;
use crate::dil::evidence::Evidence;
use crate::dil::family::{Family, Mask};
use crate::dil::invariance::{Invariance, Masks};
use crate::dil::pairs::Pairs;
use crate::dil::penalty::{Penalty, weights_of};
use crate::environments::{Environments, initial_assignment};
use crate::matrix::points::Points;
use crate::process::{FittedProcess, Likelihood, NoiseVariance, Sample};
use crate::surrogate::standardise::Standardisation;
use crate::surrogate::summary::named;
use crate::{Dataset, Ending, Error, Model, Summary, Surrogate};

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
            Some(invariance) => {
                let points = Points::from_rows(data.x());
                initial_assignment(&invariance.environments, &points, seed)?
            }
            None => Vec::new(),
        };
        let units = match self.targets {
            Targets::AsGiven => Standardisation {
                mean: 0.0,
                scale: 1.0,
            },
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
        let mask = self.invariance.as_ref().map(|_| Mask::ALL);
        let weigh = |eta: &[f64], step: usize| {
            let evidence = Evidence::weigh(self.kernel, &pairs, y, eta, mask);
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
                let penalty = Penalty::new(&evidence, y, Mask::ALL);
                let extra = usize::from(epoch == 0);
                invariance.ascend(&penalty, &mut q, extra + invariance.inner_steps);
                invariance.weigh(&penalty, &q)
            });
            let (value, gradient) = self.objective(&evidence, penalty);
            objective = value;
            for ((eta, velocity), slope) in eta.iter_mut().zip(&mut velocity).zip(gradient) {
                *velocity = self.momentum * *velocity + slope;
                *eta -= self.rate * *velocity;
            }
            if !eta.iter().all(|eta| eta.is_finite()) {
                return Err(self.diverged(epoch + 1));
            }
        }
        if self.epochs == 0 {
            // Untrained: the likelihood alone; there is no assignment to weigh.
            objective = self.objective(&evidence, None).0;
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
    fn objective(&self, evidence: &Evidence, penalty: Option<(f64, Vec<f64>)>) -> (f64, Vec<f64>) {
        let mut value = evidence.negative_log();
        let mut gradient = evidence.gradient();
        if let Some((cost, slope)) = penalty {
            value += cost;
            for (gradient, slope) in gradient.iter_mut().zip(slope) {
                *gradient += slope;
            }
        }
        if self.loss == Loss::Mean {
            let n = evidence.likelihood.alpha.len() as f64;
            value /= n;
            gradient.iter_mut().for_each(|slope| *slope /= n);
        }
        (value, gradient)
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
        Error::unless_legal(
            (0.0..1.0).contains(&self.momentum),
            name,
            ("momentum", self.momentum),
            "from 0 to below 1",
        )?;
        match &self.invariance {
            Some(invariance) => invariance.check(name),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two steps with momentum, their slopes by differences of the stated objective.
    #[test]
    fn two_epochs_are_two_steps_of_momentum_down_the_stated_objective() {
        let (x, y) = line();
        let pairs = Pairs::compare(Family::Rbf, &x);
        let start: Vec<f64> = (0..9).map(|i| 0.3 * f64::from(i) - 1.0).collect();
        let (rate, momentum, lambda) = (0.01, 0.5, 0.4);
        for (loss, n) in [(Loss::Sum, 1.0), (Loss::Mean, 9.0)] {
            for penalised in [false, true] {
                let mut settings = GradientDescent {
                    loss,
                    epochs: 2,
                    rate,
                    momentum,
                    factor: Factor::Current,
                    ..GradientDescent::released_dil(Family::Rbf)
                };
                match &mut settings.invariance {
                    Some(invariance) if penalised => {
                        (invariance.lambda, invariance.masks) = (lambda, Masks::ElementWise);
                    }
                    invariance => *invariance = None,
                }
                let weigh = |eta: &[f64]| {
                    Evidence::weigh(Family::Rbf, &pairs, &y, eta, Some(Mask::ALL)).unwrap()
                };
                let mut q = start.clone();
                let (mut eta, mut velocity, mut last) = (vec![0.0; 3], vec![0.0; 3], 0.0);
                for steps_of_q in [2, 1] {
                    if let Some(invariance) = &settings.invariance {
                        let evidence = weigh(&eta);
                        let penalty = Penalty::new(&evidence, &y, Mask::ALL);
                        invariance.ascend(&penalty, &mut q, steps_of_q);
                    }
                    let objective = |eta: &[f64]| {
                        let evidence = weigh(eta);
                        let [g0, g1] = Penalty::new(&evidence, &y, Mask::ALL).slopes(&q);
                        let weight = if penalised { 0.5 * lambda } else { 0.0 };
                        (evidence.negative_log() + weight * (g0 * g0 + g1 * g1)) / n
                    };
                    last = objective(&eta);
                    let slope = |j: usize| {
                        let moved = |by: f64| {
                            let mut eta = eta.clone();
                            eta[j] += by;
                            objective(&eta)
                        };
                        (moved(1e-5) - moved(-1e-5)) / 2e-5
                    };
                    let slopes: Vec<f64> = (0..3).map(slope).collect();
                    for j in 0..3 {
                        velocity[j] = momentum * velocity[j] + slopes[j];
                        eta[j] -= rate * velocity[j];
                    }
                }
                let run = settings.descend(&x, &y, start.clone()).unwrap();
                approx::assert_relative_eq!(run.objective, last, max_relative = 1e-7);
                for (found, expected) in run.eta.iter().zip(&eta) {
                    approx::assert_relative_eq!(found, expected, epsilon = 1e-8);
                }
                let moved = if penalised { &q } else { &start };
                assert_eq!(&run.q, moved);
            }
        }
    }

    fn line() -> (DMatrix<f64>, DVector<f64>) {
        let x = DMatrix::from_fn(9, 1, |i, _| 0.3 * i as f64);
        let y = DVector::from_fn(9, |i, _| (i as f64).sin() + 0.2);
        (x, y)
    }

    #[test]
    fn a_stale_factor_is_that_of_the_last_epoch_with_the_noise_of_the_end() {
        let (x, y) = line();
        let run = |factor, epochs| {
            let settings = GradientDescent {
                factor,
                epochs,
                ..GradientDescent::released("gp", Family::Rbf)
            };
            settings.descend(&x, &y, Vec::new()).unwrap()
        };
        let (stale, before) = (run(Factor::Stale, 5), run(Factor::Current, 4));
        assert_eq!(stale.likelihood.alpha, before.likelihood.alpha);
        assert_ne!(stale.eta, before.eta);
        let data = Dataset::new(x, y).unwrap();
        let settings = GradientDescent::released("gp", Family::Rbf);
        let sample = Sample::in_units(
            &data,
            Standardisation {
                mean: 0.0,
                scale: 1.0,
            },
        );
        let noise = stale.eta[2].exp();
        let posterior = settings.posterior(sample, stale);
        assert_eq!(posterior.noise, NoiseVariance::Same(noise));
    }

    #[test]
    fn the_step_that_leaves_the_finite_numbers_is_named() {
        let (x, y) = line();
        let settings = GradientDescent {
            rate: f64::MAX,
            ..GradientDescent::released("gp", Family::Rbf)
        };
        let y = y * 10.0;
        match settings.descend(&x, &y, Vec::new()) {
            Err(Error::TrainingDiverged { steps, .. }) => assert_eq!(steps, 1),
            other => panic!("{:?}", other.map(|run| run.eta)),
        }
    }

    #[test]
    fn only_a_stale_dot_product_predicts_with_the_released_variance() {
        let (x, y) = line();
        let data = Dataset::new(x, y).unwrap();
        let far = DMatrix::from_element(1, 1, 1e3);
        for family in [Family::DotProduct, Family::Rbf] {
            for factor in [Factor::Stale, Factor::Current] {
                let settings = GradientDescent {
                    factor,
                    ..GradientDescent::released("gp", family)
                };
                let std = settings.fit(&data, 0).unwrap().predict(&far).std.unwrap()[0];
                let released = family == Family::DotProduct && factor == Factor::Stale;
                assert_eq!(std == 0.0, released, "{family:?}, {factor:?}: {std}");
            }
        }
    }

    #[test]
    fn the_authors_settings_are_the_stated_ones() {
        let plain = GradientDescent::released("gp", Family::Rbf);
        assert_eq!((plain.name(), plain.loss), ("gp", Loss::Sum));
        let dil = GradientDescent::released_dil(Family::Rbf);
        assert_eq!((dil.name(), dil.loss), ("dil-gp", Loss::Mean));
        assert_eq!((dil.epochs, dil.rate, dil.momentum), (200, 0.005, 0.0));
        assert_eq!((dil.targets, dil.factor), (Targets::AsGiven, Factor::Stale));
    }
}

//! DIL-GP: a Gaussian process trained to explain two inferred environments equally well.
//!
//! Algorithm 1 of "Domain Invariant Learning for Gaussian Processes and Bayesian Exploration"
//! (AAAI 2024) with the element-wise soft masks of its equation (the mode called `paper`):
//!
//! `min over eta, max over q of  -log p(y | X, eta) - log p(eta) + lambda (g_0^2 + g_1^2)`
//!
//! with g_e as in [`crate::dil::penalty`] and q_i the logit of point i's weight in environment 0. q
//! starts at +-1 from two clusters of the inputs and is bounded, as the penalty has its supremum
//! at infinite q. [`Weighting`] says what multiplies `g_0^2 + g_1^2`: lambda as printed, or the
//! milder variant of ours.
//!
//! Departures from the paper. Its objective prints the penalty with the sign of ascent; here the
//! penalty is added. Descending at an assignment held fixed, as Algorithm 1 alternates, was seen
//! to swing between two saddle points; here every evaluation of the descent runs the T1 ascent
//! steps, so what descends is the worst case itself, and the assignment is taken up at the end of
//! each of T2 rounds; a round has a budget of evaluations and may end before it has converged. The
//! maximum found is a local one. Hyper-parameters have weak priors, `log p(eta)`, and are found by
//! L-BFGS, where the authors' code stops gradient descent early. The paper searches lambda on a
//! grid ([`LAMBDA_GRID`]) and keeps the best; a fit here takes one lambda.
//!
//! The first descent is that of the plain process, so with lambda = 0 the two are the same model.
//!
//! What to expect: the masked slopes cannot vanish (see [`crate::dil::penalty`]), so the penalty never
//! does, and it grows like n^2 where the likelihood grows like n. On two synthetic sets of 115
//! points even the per-point weighting with lambda = 1 raised the fitted noise variance four- and
//! thirtyfold over the plain process, and with it the coverage.

pub mod descent;
pub mod environments;
pub mod evidence;
pub mod family;
pub mod hierarchical;
pub mod pairs;
pub mod penalty;

use std::cell::RefCell;

use crate::dil::environments::{Environments, initial_assignment};
use crate::dil::evidence::Task;
use crate::dil::family::Family;
use crate::dil::penalty::{Penalty, weights_of};
use crate::minimise::{Effort, Evaluation, Minimum, minimise};
use crate::process::{EFFORT, Process, Sample};
use crate::{Dataset, Ending, Error, Model, Surrogate};

/// What lambda multiplies in the objective of `n` points. [`crate::GradientDescent`] has the third
/// objective, that of the authors' code: `(-log p + lambda 1/2 (g_0^2 + g_1^2)) / n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weighting {
    /// The paper's Algorithm 1: `-log p + lambda (g_0^2 + g_1^2)`.
    Printed,
    /// Ours: `-log p + lambda / n * 1/2 (g_0^2 + g_1^2)`, which is 2 n times milder. Each g_e grows
    /// like n, so the likelihood and the penalty grow alike and lambda means the same at any n.
    PerPoint,
}

/// The weights that the paper tries, keeping the best.
pub const LAMBDA_GRID: [f64; 10] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0];

/// The settings of DIL-GP.
#[derive(Debug, Clone)]
pub struct DilGp {
    /// The covariance; by default the squared-exponential.
    pub kernel: Family,
    /// Weight of the invariance penalty, 0 or more; 0 is the plain Gaussian process.
    pub lambda: f64,
    /// What lambda multiplies.
    pub weighting: Weighting,
    /// Steps of ascent in q at each evaluation, the paper's T1, at least 1. Default 24.
    pub inner_steps: usize,
    /// Rounds of descent, the paper's T2, at least 1. Default 6.
    pub rounds: usize,
    /// First step along each q_i; steps shrink linearly to nothing, so an ascent moves q_i by at
    /// most half of `inner_steps` such steps. Default 0.7: enough to cross between the bounds.
    pub assignment_rate: f64,
    /// Bound on |q_i|: at 4 a point belongs to one environment by 98 %. Default 4.
    pub largest_assignment: f64,
    /// Evaluations allowed in the descent of one round. Default 10.
    pub evaluations_per_round: u64,
    /// Where the assignment starts; two environments at most. Default two clusters.
    pub environments: Environments,
}

impl DilGp {
    /// The paper's objective, with the weight of its grid that tuned best on seeds set aside.
    pub fn printed() -> Self {
        Self {
            kernel: Family::Rbf,
            lambda: PRINTED_LAMBDA,
            weighting: Weighting::Printed,
            inner_steps: 24,
            rounds: 6,
            assignment_rate: 0.7,
            largest_assignment: 4.0,
            evaluations_per_round: 10,
            environments: Environments::Clusters(2),
        }
    }

    /// The per-point variant, lambda 1.
    pub fn per_point() -> Self {
        Self {
            lambda: 1.0,
            weighting: Weighting::PerPoint,
            ..Self::printed()
        }
    }
}

/// Chosen among [`LAMBDA_GRID`]: the least mean held-out cost of gains that a quadrotor's tuning on
/// the figure-8 recommends, on seeds 200 to 219, which no published figure uses.
const PRINTED_LAMBDA: f64 = 1.0;

/// A round that changes the worst case by less than this, in nats, is the last.
const SETTLED: f64 = 0.05;

impl Surrogate for DilGp {
    fn name(&self) -> &'static str {
        match self.weighting {
            Weighting::Printed => "dil-gp",
            Weighting::PerPoint => "dil-gp-per-point",
        }
    }

    fn fit(&self, data: &Dataset, seed: u64) -> Result<Box<dyn Model>, Error> {
        self.check()?;
        Error::unless_it_fits(self.name(), data.len())?;
        let process = Process::with(self.name(), self.kernel.covariance());
        let sample = Sample::of(data);
        let plain = process.lowest(&sample, seed)?;
        let first = initial_assignment(&self.environments, data.x(), seed)?;
        let Found { minimum, q } = if self.lambda > 0.0 {
            let task = Task::new(self.kernel, data.x(), &sample.residuals);
            self.alternate(&task, plain, first)?
        } else {
            Found {
                minimum: plain,
                q: first,
            }
        };
        let mut posterior = process.ended(sample, minimum)?;
        posterior.summary.environments = Some(weights_of(&q));
        Ok(Box::new(posterior))
    }
}

/// Hyper-parameters and the worst assignment for them that the ascent finds.
struct Found {
    minimum: Minimum,
    q: Vec<f64>,
}

impl DilGp {
    /// Algorithm 1: rounds of descent in eta from the plain process's optimum. What descends is
    /// the worst case over q, so that every evaluation runs the inner ascent, from the
    /// assignment that was worst at the round's start.
    fn alternate(&self, task: &Task, plain: Minimum, first: Vec<f64>) -> Result<Found, Error> {
        let effort = Effort {
            evaluations: self.evaluations_per_round,
            ..EFFORT
        };
        let (mut worst, q) = self.worst_case(task, &plain.at, &first)?;
        let mut found = Found { minimum: plain, q };
        found.minimum.ending = Ending::Budget;
        found.minimum.evaluations += 1;
        for _ in 0..self.rounds {
            let Found { minimum, q } = &mut found;
            // The lowest worst case of the round, with its assignment.
            let lowest = RefCell::new(None);
            let next = minimise(&minimum.at, effort, |eta| {
                let (worst, farthest) = self.worst_case(task, eta, q).ok()?;
                let mut lowest = lowest.borrow_mut();
                let lower = |(least, _): &(Evaluation, _)| worst.value < least.value;
                if worst.is_finite() && lowest.as_ref().is_none_or(lower) {
                    *lowest = Some((worst.clone(), farthest));
                }
                Some(worst)
            });
            let (Some(next), Some((reached, farthest))) = (next, lowest.into_inner()) else {
                break;
            };
            let gained = worst.value - reached.value;
            worst = reached;
            *q = farthest;
            minimum.at = next.at;
            minimum.evaluations += next.evaluations;
            if gained.abs() < SETTLED {
                // A line search that finds no step gains nothing either.
                minimum.ending = match next.ending {
                    Ending::Stalled => Ending::Stalled,
                    _ => Ending::Converged,
                };
                break;
            }
        }
        found.minimum.value = worst.value;
        Ok(found)
    }

    /// The whole objective at `eta` with the assignment that is worst there, uphill of `start`,
    /// and that assignment. The gradient is the one at that assignment held (Danskin's theorem).
    fn worst_case(
        &self,
        task: &Task,
        eta: &[f64],
        start: &[f64],
    ) -> Result<(Evaluation, Vec<f64>), Error> {
        let evidence = task.evidence(eta)?;
        let penalty = Penalty::new(&evidence, task.residuals);
        let q = self.ascend(&penalty, start);
        let plain = task.plain_objective(&evidence, eta);
        Ok((self.penalised(plain, &penalty, &q), q))
    }

    /// The objective at the assignment `q`, and its gradient by eta with `q` held, given those of
    /// the plain process.
    fn penalised(&self, plain: Evaluation, penalty: &Penalty, q: &[f64]) -> Evaluation {
        let mut whole = plain;
        let (cost, slope) = penalty.by_hyperparameters(q);
        whole.add(self.weight(q.len()), cost, &slope);
        whole
    }

    /// Moves every q_i uphill in the penalty, within the bound, by steps of equal length that
    /// shrink to nothing; returns the highest point seen. (The authors' code steps by the sign
    /// of the gradient as well: its optimiser is made anew for every step.)
    fn ascend(&self, penalty: &Penalty, start: &[f64]) -> Vec<f64> {
        let mut q = start.to_vec();
        let mut highest = (f64::NEG_INFINITY, q.clone());
        for step in 0..=self.inner_steps {
            let (value, gradient) = penalty.by_assignment(&q);
            if value > highest.0 {
                highest.0 = value;
                highest.1.copy_from_slice(&q);
            }
            let left = 1.0 - step as f64 / self.inner_steps as f64;
            for (q, slope) in q.iter_mut().zip(gradient) {
                // An environment that is fixed has an infinite q, without slope and bound.
                if slope != 0.0 {
                    *q = (*q + self.assignment_rate * left * slope.signum())
                        .clamp(-self.largest_assignment, self.largest_assignment);
                }
            }
        }
        highest.1
    }

    /// What multiplies the penalty `1/2 (g_0^2 + g_1^2)` of `n` points.
    fn weight(&self, n: usize) -> f64 {
        match self.weighting {
            Weighting::Printed => 2.0 * self.lambda,
            Weighting::PerPoint => self.lambda / n as f64,
        }
    }

    fn check(&self) -> Result<(), Error> {
        let name = self.name();
        Error::unless_not_negative(name, ("lambda", self.lambda))?;
        Error::unless_positive(name, ("assignment_rate", self.assignment_rate))?;
        Error::unless_positive(name, ("largest_assignment", self.largest_assignment))?;
        Error::unless_counted(name, ("rounds", self.rounds))?;
        Error::unless_counted(name, ("inner_steps", self.inner_steps))
    }
}

#[cfg(test)]
mod tests;

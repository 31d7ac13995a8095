//! Regret: Theorem 2 measured. GP-UCB with the theorem's schedule on functions whose norm is known.
//!
//! The objective is drawn from the reproducing-kernel Hilbert space of a Matern-5/2 kernel of
//! amplitude 1: f = sum a_i k(z_i, .), with standard normal a_i and random centres z_i, scaled so
//! that its norm, sqrt(a'Ka), is exactly B. Observations carry normal noise of deviation sigma. The
//! process is given the true kernel, noise and norm, as the theorem assumes, and searches a finite
//! set of points, so that the bound is maximised and the regret known exactly. What is compared:
//! the cumulative regret R_T and beta_T sqrt(C1 T gamma_T), with the information gain as realised
//! ([`Schedule`]).

mod bound;

pub use bound::{Posterior, Schedule};

use crate::streams::{Regret, Stream};
use nalgebra::{DMatrix, DVector};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use rayon::prelude::*;
use serde::Serialize;

/// Centres of a drawn function.
const CENTRES: usize = 30;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Trial {
    /// Dimensions of the unit cube.
    pub dimensions: usize,
    /// Points of the set that is searched.
    pub points: usize,
    /// Length scale of the kernel.
    pub length: f64,
    /// Norm B of the function.
    pub norm: f64,
    /// Standard deviation of the noise.
    pub noise: f64,
    /// Probability with which the bound may fail.
    pub delta: f64,
    /// Evaluations T.
    pub evaluations: usize,
}

impl Default for Trial {
    fn default() -> Self {
        Trial {
            dimensions: 2,
            points: 400,
            length: 0.3,
            norm: 2.0,
            noise: 0.1,
            delta: 0.1,
            evaluations: 200,
        }
    }
}

/// One function's regret.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// Its seed.
    pub seed: u64,
    /// Cumulative regret after each evaluation.
    pub cumulative: Vec<f64>,
    /// The bound after each evaluation.
    pub bound: Vec<f64>,
    /// Information gained after each evaluation \[nats\].
    pub gain: Vec<f64>,
}

impl Trial {
    /// One outcome a seed, in order, on all cores; it does not depend on their number. `ran` hears of
    /// each that is done.
    pub fn run(&self, first_seed: u64, seeds: u64, ran: &(dyn Fn() + Sync)) -> Vec<Outcome> {
        (first_seed..first_seed + seeds)
            .into_par_iter()
            .map(|seed| {
                let outcome = self.outcome(seed);
                ran();
                outcome
            })
            .collect()
    }

    /// GP-UCB on the function of `seed`.
    pub fn outcome(&self, seed: u64) -> Outcome {
        let schedule = Schedule {
            norm: self.norm,
            noise: self.noise,
            delta: self.delta,
        };
        let points = search::maximise::points::sobol(
            self.dimensions,
            0,
            self.points,
            Regret::Points.of(seed),
        );
        let truth = self.function(&points, seed);
        let least = truth.min();
        let mut noise = ChaCha8Rng::seed_from_u64(Regret::Noise.of(seed));
        let mut posterior = Posterior::prior(self.covariance(&points, &points), self.noise);
        let mut outcome = Outcome {
            seed,
            cumulative: Vec::new(),
            bound: Vec::new(),
            gain: Vec::new(),
        };
        let (mut regret, mut gain) = (0.0, 0.0);
        for evaluation in 1..=self.evaluations {
            let at = posterior.least_bound(schedule.beta(gain));
            gain += schedule.gain(posterior.std(at));
            let z: f64 = StandardNormal.sample(&mut noise);
            posterior.observe(at, truth[at] + self.noise * z);
            regret += truth[at] - least;
            outcome.cumulative.push(regret);
            outcome.bound.push(schedule.regret_bound(evaluation, gain));
            outcome.gain.push(gain);
        }
        outcome
    }

    /// A function of norm B at the points.
    fn function(&self, points: &[Vec<f64>], seed: u64) -> DVector<f64> {
        let centres =
            search::maximise::points::sobol(self.dimensions, 0, CENTRES, Regret::Function.of(seed));
        let mut random = ChaCha8Rng::seed_from_u64(Regret::Function.of(seed));
        let weights = DVector::from_fn(CENTRES, |_, _| StandardNormal.sample(&mut random));
        let squared: f64 = weights.dot(&(self.covariance(&centres, &centres) * &weights));
        self.covariance(points, &centres) * weights * (self.norm / squared.sqrt())
    }

    /// k between each of `a` and each of `b`: Matern 5/2, amplitude 1.
    fn covariance(&self, a: &[Vec<f64>], b: &[Vec<f64>]) -> DMatrix<f64> {
        DMatrix::from_fn(a.len(), b.len(), |i, j| {
            let pairs = a[i].iter().zip(&b[j]);
            let squared: f64 = pairs.map(|(x, y)| (x - y) * (x - y)).sum();
            let z = (5.0 * squared).sqrt() / self.length;
            (1.0 + z + z * z / 3.0) * (-z).exp()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial() -> Trial {
        Trial {
            points: 120,
            evaluations: 60,
            ..Trial::default()
        }
    }

    #[test]
    fn the_drawn_function_has_the_norm_that_is_claimed() {
        let trial = trial();
        // The norm of the least-norm interpolant of f at many points approaches that of f from
        // below; at its centres, where f = K a, it is that of f.
        let centres = search::maximise::points::sobol(2, 0, CENTRES, Regret::Function.of(9));
        let f = trial.function(&centres, 9);
        let k = trial.covariance(&centres, &centres);
        let solved = k.clone().cholesky().expect("distinct points").solve(&f);
        assert!((f.dot(&solved).sqrt() - trial.norm).abs() < 1e-6);
    }

    #[test]
    fn regret_stays_below_its_bound_and_its_average_falls() {
        for outcome in trial().run(1, 6, &|| ()) {
            let rates: Vec<f64> = (1..=60)
                .map(|t| outcome.cumulative[t - 1] / t as f64)
                .collect();
            assert!(
                rates[59] < 0.75 * rates[9],
                "seed {}: {rates:?}",
                outcome.seed
            );
            for (regret, bound) in outcome.cumulative.iter().zip(&outcome.bound) {
                assert!(regret <= bound);
            }
        }
    }

    #[test]
    fn the_realised_gain_is_that_of_the_determinant() {
        let trial = trial();
        let points = search::maximise::points::sobol(2, 0, trial.points, Regret::Points.of(4));
        let k = trial.covariance(&points, &points);
        let schedule = Schedule {
            norm: 2.0,
            noise: 0.1,
            delta: 0.1,
        };
        let mut posterior = Posterior::prior(k.clone(), 0.1);
        let visited = [3, 50, 3, 77];
        let mut gain = 0.0;
        for at in visited {
            gain += schedule.gain(posterior.std(at));
            posterior.observe(at, 0.5);
        }
        let matrix = DMatrix::from_fn(4, 4, |i, j| {
            k[(visited[i], visited[j])] / 0.01 + if i == j { 1.0 } else { 0.0 }
        });
        assert!((gain - 0.5 * matrix.determinant().ln()).abs() < 1e-9);
    }
}

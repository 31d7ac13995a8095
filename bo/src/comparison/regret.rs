//! Regret: Theorem 2 measured. GP-UCB with the theorem's schedule on functions whose norm is known.
//!
//! The objective is drawn from the reproducing-kernel Hilbert space of a Matern-5/2 kernel of
//! amplitude 1: f = sum a_i k(z_i, .), with standard normal a_i and random centres z_i, scaled so
//! that its norm, sqrt(a'Ka), is exactly B. Observations carry normal noise of deviation sigma. The
//! process is given the true kernel, noise and norm, as the theorem assumes, and searches a finite
//! set of points, so that the bound is maximised and the regret known exactly. What is compared:
//! the cumulative regret R_T and beta_T sqrt(C1 T gamma_T), with the information gain as realised
//! ([`Schedule`]).

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

/// Mean and covariance of the function at every point.
#[derive(Debug, Clone)]
pub struct Posterior {
    mean: DVector<f64>,
    covariance: DMatrix<f64>,
    /// Variance of the noise.
    noise: f64,
}

impl Posterior {
    /// Mean 0 and `covariance`; observations will have noise of deviation `noise`.
    pub fn prior(covariance: DMatrix<f64>, noise: f64) -> Posterior {
        let mean = DVector::zeros(covariance.nrows());
        Posterior {
            mean,
            covariance,
            noise: noise * noise,
        }
    }

    /// Standard deviation of the function at point `index`.
    pub fn std(&self, index: usize) -> f64 {
        self.covariance[(index, index)].max(0.0).sqrt()
    }

    /// The point with the least mean - beta std; the first of equals.
    pub fn least_bound(&self, beta: f64) -> usize {
        let bound = |index: &usize| self.mean[*index] - beta * self.std(*index);
        let all = 0..self.mean.len();
        all.min_by(|a, b| bound(a).total_cmp(&bound(b)))
            .expect("at least one point")
    }

    /// Takes in `value`, observed at point `index`.
    pub fn observe(&mut self, index: usize, value: f64) {
        let with = self.covariance.column(index).into_owned();
        let weight = 1.0 / (with[index] + self.noise);
        self.mean += &with * (weight * (value - self.mean[index]));
        self.covariance.ger(-weight, &with, &with, 1.0);
    }
}

/// The schedule of Theorem 2: beta_t = B + sigma sqrt(2 (gamma_{t-1} + 1 + log(4 / delta))), with
/// the information gained so far, gamma = 1/2 sum log(1 + sigma^-2 sigma_{s-1}^2(x_s)), as realised
/// rather than its maximum over all designs, which is larger and not computable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// Bound B on the objective's norm in the reproducing-kernel Hilbert space of the covariance.
    pub norm: f64,
    /// Standard deviation sigma of the noise.
    pub noise: f64,
    /// Probability with which the bound may fail.
    pub delta: f64,
}

impl Schedule {
    /// beta_t where `gain` nats were gained until then.
    pub fn beta(&self, gain: f64) -> f64 {
        self.norm + self.noise * (2.0 * (gain + 1.0 + (4.0 / self.delta).ln())).sqrt()
    }

    /// What one observation gains where the standard deviation was `std` before it \[nats\].
    pub fn gain(&self, std: f64) -> f64 {
        0.5 * (std / self.noise).powi(2).ln_1p()
    }

    /// The bound on the cumulative regret after `evaluations`: beta_T sqrt(C1 T gamma_T), with
    /// C1 = 8 / log(1 + sigma^-2). For a covariance whose variance is 1.
    pub fn regret_bound(&self, evaluations: usize, gain: f64) -> f64 {
        let constant = 8.0 / self.noise.powi(-2).ln_1p();
        self.beta(gain) * (constant * evaluations as f64 * gain).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

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

    #[test]
    fn the_schedule_by_hand() {
        let schedule = Schedule {
            norm: 2.0,
            noise: 0.5,
            delta: 0.1,
        };
        // 2 + 0.5 sqrt(2 (3 + 1 + log 40))
        assert_relative_eq!(
            schedule.beta(3.0),
            2.0 + 0.5 * 15.377_758_908_227_872f64.sqrt()
        );
        // 1/2 log(1 + 4)
        assert_relative_eq!(
            schedule.gain(1.0),
            0.804_718_956_217_050_2,
            max_relative = 1e-14
        );
        // C1 = 8 / log 5 = 4.970679...
        let bound = schedule.beta(3.0) * (8.0 / 5.0f64.ln() * 20.0 * 3.0).sqrt();
        assert_relative_eq!(schedule.regret_bound(20, 3.0), bound, max_relative = 1e-14);
    }
}

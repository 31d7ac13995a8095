//! Theorem 2's schedule and bound, and the posterior over finitely many points that it weighs.

use nalgebra::{DMatrix, DVector};

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

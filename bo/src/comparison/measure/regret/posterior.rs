//! A Gaussian process on a finite set of points, updated by one observation at a time.

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

//! The product of two covariances: values vary together where both say so.

use super::sum::joined;
use super::{Covariance, Parameter, View};

/// `k_1(x, y) k_2(x, y)`; `theta` is that of the first, then that of the second. Of two amplitudes
/// only the product is determined by data: scale one factor at most.
#[derive(Debug, Clone)]
pub struct Product<K, L>(pub K, pub L);

impl<K: Covariance, L: Covariance> Product<K, L> {
    fn split(&self, dimensions: usize) -> usize {
        self.0.count(dimensions)
    }

    /// `weight` times the values of the first factor, and of the second.
    fn crossed(&self, theta: &[f64], view: View, weight: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (first, second) = theta.split_at(self.split(view.x.len()));
        let (mut by_first, mut by_second) = (vec![0.0; weight.len()], vec![0.0; weight.len()]);
        self.0.values(first, view, &mut by_first);
        self.1.values(second, view, &mut by_second);
        for ((one, other), weight) in by_first.iter_mut().zip(&mut by_second).zip(weight) {
            *one *= weight;
            *other *= weight;
        }
        (by_first, by_second)
    }
}

impl<K: Covariance, L: Covariance> Covariance for Product<K, L> {
    fn parameters(&self, dimensions: usize) -> Vec<Parameter> {
        joined(&self.0, &self.1, dimensions)
    }

    fn count(&self, dimensions: usize) -> usize {
        self.0.count(dimensions) + self.1.count(dimensions)
    }

    fn values(&self, theta: &[f64], view: View, value: &mut [f64]) {
        let (first, second) = theta.split_at(self.split(view.x.len()));
        self.0.values(first, view, value);
        let mut other = vec![0.0; value.len()];
        self.1.values(second, view, &mut other);
        for (value, other) in value.iter_mut().zip(&other) {
            *value *= other;
        }
    }

    fn weigh_by_parameters(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let (by_first, by_second) = self.crossed(theta, view, weight);
        let split = self.split(view.x.len());
        let ((first, second), (left, right)) =
            (theta.split_at(split), gradient.split_at_mut(split));
        self.1.weigh_by_parameters(second, view, &by_first, right);
        self.0.weigh_by_parameters(first, view, &by_second, left)
    }

    fn weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let (by_first, by_second) = self.crossed(theta, view, weight);
        let (first, second) = theta.split_at(self.split(view.x.len()));
        let mut other = vec![0.0; gradient.len()];
        self.1.weigh_by_input(second, view, &by_first, &mut other);
        let sum = self.0.weigh_by_input(first, view, &by_second, gradient);
        for (entry, other) in gradient.iter_mut().zip(&other) {
            *entry += other;
        }
        sum
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        let (first, second) = theta.split_at(self.split(x.len()));
        let mut other = vec![0.0; gradient.len()];
        let one = self.0.at_itself(first, x, gradient);
        let two = self.1.at_itself(second, x, &mut other);
        for (entry, other) in gradient.iter_mut().zip(&other) {
            *entry = *entry * two + one * other;
        }
        one * two
    }
}

//! The sum of two covariances: the function is believed to be the sum of two independent ones.

use super::{Covariance, Parameter, View};

/// `k_1(x, y) + k_2(x, y)`; `theta` is that of the first, then that of the second.
#[derive(Debug, Clone)]
pub struct Sum<K, L>(pub K, pub L);

/// The parameters of two covariances, their names told apart.
pub(super) fn joined(
    first: &dyn Covariance,
    second: &dyn Covariance,
    dimensions: usize,
) -> Vec<Parameter> {
    let named = |prefix: &'static str, covariance: &dyn Covariance| {
        let parameters = covariance.parameters(dimensions).into_iter();
        parameters
            .map(move |own| Parameter::new(format!("{prefix}.{}", own.name), own.prior))
            .collect::<Vec<_>>()
    };
    let mut parameters = named("first", first);
    parameters.extend(named("second", second));
    parameters
}

impl<K: Covariance, L: Covariance> Sum<K, L> {
    fn split(&self, dimensions: usize) -> usize {
        self.0.count(dimensions)
    }
}

impl<K: Covariance, L: Covariance> Covariance for Sum<K, L> {
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
            *value += other;
        }
    }

    fn weigh_by_parameters(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let split = self.split(view.x.len());
        let ((first, second), (left, right)) =
            (theta.split_at(split), gradient.split_at_mut(split));
        self.0.weigh_by_parameters(first, view, weight, left)
            + self.1.weigh_by_parameters(second, view, weight, right)
    }

    fn weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let (first, second) = theta.split_at(self.split(view.x.len()));
        let mut other = vec![0.0; gradient.len()];
        let sum = self.0.weigh_by_input(first, view, weight, gradient)
            + self.1.weigh_by_input(second, view, weight, &mut other);
        for (entry, other) in gradient.iter_mut().zip(&other) {
            *entry += other;
        }
        sum
    }

    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        let (first, second) = theta.split_at(self.split(view.x.len()));
        let (mut other, mut slope) = (vec![0.0; value.len()], vec![0.0; gradient.len()]);
        let own = self
            .0
            .values_and_weigh_by_input(first, view, weight, value, gradient);
        let more = self
            .1
            .values_and_weigh_by_input(second, view, weight, &mut other, &mut slope);
        for (entry, other) in value.iter_mut().zip(&other) {
            *entry += other;
        }
        for (entry, other) in gradient.iter_mut().zip(&slope) {
            *entry += other;
        }
        own + more
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        let (first, second) = theta.split_at(self.split(x.len()));
        let mut other = vec![0.0; gradient.len()];
        let value = self.0.at_itself(first, x, gradient) + self.1.at_itself(second, x, &mut other);
        for (entry, other) in gradient.iter_mut().zip(&other) {
            *entry += other;
        }
        value
    }
}

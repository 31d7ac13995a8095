//! A covariance times a positive amplitude, the prior variance of the function.

use super::{Covariance, Parameter, View};
use crate::process::prior::Prior;

/// `a k(x, y)`; `theta` is a, then that of k. log a ~ N(0, 1.5^2) for standardised targets.
#[derive(Debug, Clone)]
pub struct Scaled<K>(pub K);

impl<K: Covariance> Covariance for Scaled<K> {
    fn parameters(&self, dimensions: usize) -> Vec<Parameter> {
        let prior = Prior {
            centre: 0.0,
            deviation: 1.5,
        };
        let mut parameters = vec![Parameter::new("amplitude", prior)];
        parameters.extend(self.0.parameters(dimensions));
        parameters
    }

    fn count(&self, dimensions: usize) -> usize {
        1 + self.0.count(dimensions)
    }

    fn values(&self, theta: &[f64], view: View, value: &mut [f64]) {
        self.0.values(&theta[1..], view, value);
        value.iter_mut().for_each(|value| *value *= theta[0]);
    }

    fn weigh_by_parameters(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let (own, inner) = gradient.split_at_mut(1);
        own[0] = theta[0] * self.0.weigh_by_parameters(&theta[1..], view, weight, inner);
        inner.iter_mut().for_each(|entry| *entry *= theta[0]);
        own[0]
    }

    fn weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let sum = self.0.weigh_by_input(&theta[1..], view, weight, gradient);
        gradient.iter_mut().for_each(|entry| *entry *= theta[0]);
        theta[0] * sum
    }

    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        let inner = &theta[1..];
        let sum = self
            .0
            .values_and_weigh_by_input(inner, view, weight, value, gradient);
        let both = value.iter_mut().chain(gradient);
        both.for_each(|entry| *entry *= theta[0]);
        theta[0] * sum
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        let value = self.0.at_itself(&theta[1..], x, gradient);
        gradient.iter_mut().for_each(|entry| *entry *= theta[0]);
        theta[0] * value
    }
}

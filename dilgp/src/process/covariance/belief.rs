//! A covariance about whose parameters more, or something else, is believed.

use super::{Covariance, Parameter, View};
use crate::process::prior::Prior;

/// The covariance within, with another prior for the parameter of a name, or for all.
#[derive(Debug, Clone)]
pub struct Believed<K> {
    covariance: K,
    belief: Belief,
}

#[derive(Debug, Clone, Copy)]
enum Belief {
    Of(&'static str, Prior),
    All(fn(usize) -> Vec<Parameter>),
}

impl<K> Believed<K> {
    /// `covariance` with `prior` for the logarithm of its parameter `name`; without such a
    /// parameter nothing changes.
    pub fn new(covariance: K, name: &'static str, prior: Prior) -> Self {
        Self {
            covariance,
            belief: Belief::Of(name, prior),
        }
    }

    /// `covariance` with its parameters named and believed as `parameters` says for points of so
    /// many coordinates; it must give as many, in the same order.
    pub fn with_all(covariance: K, parameters: fn(usize) -> Vec<Parameter>) -> Self {
        Self {
            covariance,
            belief: Belief::All(parameters),
        }
    }
}

impl<K: Covariance> Covariance for Believed<K> {
    fn parameters(&self, dimensions: usize) -> Vec<Parameter> {
        match self.belief {
            Belief::All(parameters) => parameters(dimensions),
            Belief::Of(name, prior) => {
                let mut parameters = self.covariance.parameters(dimensions);
                let named = parameters.iter_mut().filter(|own| own.name == name);
                named.for_each(|own| own.prior = prior);
                parameters
            }
        }
    }

    fn count(&self, dimensions: usize) -> usize {
        self.covariance.count(dimensions)
    }

    fn values(&self, theta: &[f64], view: View, value: &mut [f64]) {
        self.covariance.values(theta, view, value);
    }

    fn weigh_by_parameters(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        self.covariance
            .weigh_by_parameters(theta, view, weight, gradient)
    }

    fn weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        self.covariance
            .weigh_by_input(theta, view, weight, gradient)
    }

    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        self.covariance
            .values_and_weigh_by_input(theta, view, weight, value, gradient)
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        self.covariance.at_itself(theta, x, gradient)
    }
}

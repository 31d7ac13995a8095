//! A covariance about one of whose parameters more, or something else, is believed.

use super::covariance::{Covariance, Parameter, View};
use crate::prior::Prior;

/// The covariance within, with another prior for the parameter of a name.
#[derive(Debug, Clone)]
pub struct Believed<K> {
    covariance: K,
    name: &'static str,
    prior: Prior,
}

impl<K> Believed<K> {
    /// `covariance` with `prior` for the logarithm of its parameter `name`; without such a
    /// parameter nothing changes.
    pub fn new(covariance: K, name: &'static str, prior: Prior) -> Self {
        Self {
            covariance,
            name,
            prior,
        }
    }
}

impl<K: Covariance> Covariance for Believed<K> {
    fn parameters(&self, dimensions: usize) -> Vec<Parameter> {
        let mut parameters = self.covariance.parameters(dimensions);
        for parameter in &mut parameters {
            if parameter.name == self.name {
                parameter.prior = self.prior;
            }
        }
        parameters
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

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        self.covariance.at_itself(theta, x, gradient)
    }
}

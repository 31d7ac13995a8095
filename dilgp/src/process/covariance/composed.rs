//! Composed: covariances made of others: scaled, summed, of some coordinates, with other
//! priors.

use std::ops::Range;

use super::{Covariance, Parameter, View};
use crate::process::prior::Prior;

/// A covariance times a positive amplitude, the prior variance of the function: `a k(x, y)`; `theta` is
/// a, then that of k. log a ~ N(0, 1.5^2) for standardised targets.
#[derive(Debug, Clone)]
pub struct Scaled<K>(pub K);

impl<K: Covariance> Covariance for Scaled<K> {
    fn parameters(&self, dimensions: usize) -> Vec<Parameter> {
        let mut parameters = vec![Parameter::new("amplitude", Prior::NEAR_ONE)];
        parameters.extend(self.0.parameters(dimensions));
        parameters
    }

    fn count(&self, dimensions: usize) -> usize {
        1 + self.0.count(dimensions)
    }

    fn values(&self, theta: &[f64], view: View, value: &mut [f64]) {
        self.0.values(&theta[1..], view, value);
        scale(theta[0], value);
    }

    fn weigh_by_parameters(&self, theta: &[f64], view: View, gradient: &mut [f64]) -> f64 {
        let (own, inner) = gradient.split_at_mut(1);
        own[0] = theta[0] * self.0.weigh_by_parameters(&theta[1..], view, inner);
        scale(theta[0], inner);
        own[0]
    }

    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        let (amplitude, theta) = (theta[0], &theta[1..]);
        let sum = (self.0).values_and_weigh_by_input(theta, view, value, gradient);
        scale(amplitude, value);
        scale(amplitude, gradient);
        amplitude * sum
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        let value = self.0.at_itself(&theta[1..], x, gradient);
        scale(theta[0], gradient);
        theta[0] * value
    }
}

fn scale(factor: f64, entries: &mut [f64]) {
    entries.iter_mut().for_each(|entry| *entry *= factor);
}

pub(crate) fn add(entries: &mut [f64], others: &[f64]) {
    let both = entries.iter_mut().zip(others);
    both.for_each(|(entry, other)| *entry += other);
}

/// The sum of two covariances, `k_1(x, y) + k_2(x, y)`: the function is the sum of two independent
/// ones. `theta` is that of the first, then that of the second.
#[derive(Debug, Clone)]
pub struct Sum<K, L>(pub K, pub L);

impl<K: Covariance, L: Covariance> Covariance for Sum<K, L> {
    fn parameters(&self, dimensions: usize) -> Vec<Parameter> {
        let named = |prefix: &'static str, parameters: Vec<Parameter>| {
            let named =
                move |own: Parameter| Parameter::new(format!("{prefix}.{}", own.name), own.prior);
            parameters.into_iter().map(named)
        };
        let first = named("first", self.0.parameters(dimensions));
        first
            .chain(named("second", self.1.parameters(dimensions)))
            .collect()
    }

    fn count(&self, dimensions: usize) -> usize {
        self.0.count(dimensions) + self.1.count(dimensions)
    }

    fn values(&self, theta: &[f64], view: View, value: &mut [f64]) {
        let (first, second) = theta.split_at(self.0.count(view.x.len()));
        self.0.values(first, view, value);
        let mut other = vec![0.0; value.len()];
        self.1.values(second, view, &mut other);
        add(value, &other);
    }

    fn weigh_by_parameters(&self, theta: &[f64], view: View, gradient: &mut [f64]) -> f64 {
        let split = self.0.count(view.x.len());
        let (first, second) = theta.split_at(split);
        let (left, right) = gradient.split_at_mut(split);
        self.0.weigh_by_parameters(first, view, left)
            + self.1.weigh_by_parameters(second, view, right)
    }

    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        let (first, second) = theta.split_at(self.0.count(view.x.len()));
        let (mut other, mut slope) = (vec![0.0; value.len()], vec![0.0; gradient.len()]);
        let sum = (self.0).values_and_weigh_by_input(first, view, value, gradient)
            + (self.1).values_and_weigh_by_input(second, view, &mut other, &mut slope);
        add(value, &other);
        add(gradient, &slope);
        sum
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        let (first, second) = theta.split_at(self.0.count(x.len()));
        let mut other = vec![0.0; gradient.len()];
        let value = self.0.at_itself(first, x, gradient) + self.1.at_itself(second, x, &mut other);
        add(gradient, &other);
        value
    }
}

/// A covariance of some of the coordinates, `k(x[range], y[range])`: the others do not matter to it.
/// With sums it gives inputs of different kinds (gains and circumstances) kernels of
/// their own. `theta` is that of k.
#[derive(Debug, Clone)]
pub struct Part<K> {
    covariance: K,
    range: Range<usize>,
}

impl<K> Part<K> {
    /// `covariance` of the coordinates in `range`, the end not included.
    pub fn new(covariance: K, range: Range<usize>) -> Self {
        Self { covariance, range }
    }

    /// The whole gradient's entries of this part, the others being zero.
    fn own<'a>(&self, gradient: &'a mut [f64]) -> &'a mut [f64] {
        gradient.fill(0.0);
        &mut gradient[self.range.clone()]
    }

    fn seen<'a>(&self, view: View<'a>) -> View<'a> {
        view.part(self.range.clone())
    }
}

impl<K: Covariance> Covariance for Part<K> {
    fn parameters(&self, _dimensions: usize) -> Vec<Parameter> {
        self.covariance.parameters(self.range.len())
    }

    fn count(&self, _dimensions: usize) -> usize {
        self.covariance.count(self.range.len())
    }

    fn values(&self, theta: &[f64], view: View, value: &mut [f64]) {
        self.covariance.values(theta, self.seen(view), value);
    }

    fn weigh_by_parameters(&self, theta: &[f64], view: View, gradient: &mut [f64]) -> f64 {
        (self.covariance).weigh_by_parameters(theta, self.seen(view), gradient)
    }

    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        let (view, own) = (self.seen(view), self.own(gradient));
        (self.covariance).values_and_weigh_by_input(theta, view, value, own)
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        let x = &x[self.range.clone()];
        self.covariance.at_itself(theta, x, self.own(gradient))
    }
}

/// The covariance within, with another prior for the parameter of a name, or for all.
#[derive(Debug, Clone)]
pub struct WithPrior<K> {
    covariance: K,
    priors: Priors,
}

#[derive(Debug, Clone, Copy)]
enum Priors {
    Of(&'static str, Prior),
    All(fn(usize) -> Vec<Parameter>),
}

impl<K> WithPrior<K> {
    /// `covariance` with `prior` for the logarithm of its parameter `name`; without such a
    /// parameter nothing changes.
    pub fn new(covariance: K, name: &'static str, prior: Prior) -> Self {
        Self {
            covariance,
            priors: Priors::Of(name, prior),
        }
    }

    /// `covariance` with the names and priors that `parameters` gives for points of so many
    /// coordinates; it must give as many, in the same order.
    pub fn with_all(covariance: K, parameters: fn(usize) -> Vec<Parameter>) -> Self {
        Self {
            covariance,
            priors: Priors::All(parameters),
        }
    }
}

impl<K: Covariance> Covariance for WithPrior<K> {
    fn parameters(&self, dimensions: usize) -> Vec<Parameter> {
        match self.priors {
            Priors::All(parameters) => parameters(dimensions),
            Priors::Of(name, prior) => {
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

    fn weigh_by_parameters(&self, theta: &[f64], view: View, gradient: &mut [f64]) -> f64 {
        self.covariance.weigh_by_parameters(theta, view, gradient)
    }

    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        (self.covariance).values_and_weigh_by_input(theta, view, value, gradient)
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        self.covariance.at_itself(theta, x, gradient)
    }
}

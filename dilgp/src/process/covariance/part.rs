//! A covariance of some of the coordinates: the others do not matter to it. With sums and products
//! it gives inputs of different kinds (gains and circumstances) kernels of their own.

use std::ops::Range;

use super::{Covariance, Parameter, View};

/// `k(x[range], y[range])`; `theta` is that of k.
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
}

impl<K: Covariance> Covariance for Part<K> {
    fn parameters(&self, _dimensions: usize) -> Vec<Parameter> {
        self.covariance.parameters(self.range.len())
    }

    fn count(&self, _dimensions: usize) -> usize {
        self.covariance.count(self.range.len())
    }

    fn values(&self, theta: &[f64], view: View, value: &mut [f64]) {
        let view = view.part(self.range.clone());
        self.covariance.values(theta, view, value);
    }

    fn weigh_by_parameters(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let view = view.part(self.range.clone());
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
        let view = view.part(self.range.clone());
        let own = self.own(gradient);
        self.covariance.weigh_by_input(theta, view, weight, own)
    }

    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        let view = view.part(self.range.clone());
        let own = self.own(gradient);
        self.covariance
            .values_and_weigh_by_input(theta, view, weight, value, own)
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        let own = self.own(gradient);
        self.covariance
            .at_itself(theta, &x[self.range.clone()], own)
    }
}

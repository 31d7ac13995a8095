//! The homogeneous linear covariance: the function is a plane through the origin.
//!
//! `k(x, y) = sum_k x_k y_k`, Rasmussen and Williams (2006), section 4.2.2 without the offset. Scaled
//! and added to another covariance it is the effect of covariates whose mean is 0, the level being the
//! other's.

use super::{Covariance, Linear, Parameter, View};

/// The homogeneous linear covariance; `theta` is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dot;

/// The offset of a [`Linear`] covariance that has none.
const NO_OFFSET: [f64; 1] = [0.0];

impl Covariance for Dot {
    fn parameters(&self, _dimensions: usize) -> Vec<Parameter> {
        Vec::new()
    }

    fn count(&self, _dimensions: usize) -> usize {
        0
    }

    fn values(&self, _theta: &[f64], view: View, value: &mut [f64]) {
        Linear.values(&NO_OFFSET, view, value);
    }

    fn weigh_by_parameters(
        &self,
        _theta: &[f64],
        view: View,
        weight: &[f64],
        _gradient: &mut [f64],
    ) -> f64 {
        Linear.weigh_by_parameters(&NO_OFFSET, view, weight, &mut [0.0])
    }

    fn weigh_by_input(
        &self,
        _theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        Linear.weigh_by_input(&NO_OFFSET, view, weight, gradient)
    }

    fn at_itself(&self, _theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        Linear.at_itself(&NO_OFFSET, x, gradient)
    }
}

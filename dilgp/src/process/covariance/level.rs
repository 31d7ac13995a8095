//! A constant covariance: the function has one unknown level.
//!
//! `k(x, y) = v`, Rasmussen and Williams (2006), section 2.7 with a constant for the only basis function.
//! Added to another covariance it says that the mean of the process is not known but drawn from N(0, v) of
//! standardised targets. What is then believed far from all observations is their generalised least
//! squares mean, in which a crowd of near ones counts for little more than one of them, and the variance
//! has that mean's added. Without it the process falls back to the targets' plain mean, which observations
//! that a search gathers in one good place pull down to what is good there.

use super::{Covariance, Parameter, View};

/// The constant covariance of that variance; `theta` is empty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level(pub f64);

impl Covariance for Level {
    fn parameters(&self, _dimensions: usize) -> Vec<Parameter> {
        Vec::new()
    }

    fn count(&self, _dimensions: usize) -> usize {
        0
    }

    fn values(&self, _theta: &[f64], _view: View, value: &mut [f64]) {
        value.fill(self.0);
    }

    fn weigh_by_parameters(
        &self,
        _theta: &[f64],
        _view: View,
        weight: &[f64],
        _gradient: &mut [f64],
    ) -> f64 {
        self.0 * weight.iter().sum::<f64>()
    }

    fn weigh_by_input(
        &self,
        _theta: &[f64],
        _view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        gradient.fill(0.0);
        self.0 * weight.iter().sum::<f64>()
    }

    fn at_itself(&self, _theta: &[f64], _x: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        self.0
    }
}

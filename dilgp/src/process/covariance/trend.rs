//! A covariance of planes and quadratic functions: the function has a trend of second order.
//!
//! `k(x, y) = v + a d + b d^2` with `d = sum_k (x_k - c) (y_k - c)`: the homogeneous polynomial covariances
//! of degree nought, one and two (Rasmussen and Williams, 2006, section 4.2.2), each with an amplitude of
//! its own, about the point (c, .., c). Added to another covariance it says that far from all observations
//! the function goes on as the level, the slope and the curvature that they have in common say, as far as
//! the evidence goes: universal kriging with unknown coefficients that are drawn from a normal
//! distribution. [`Level`](super::Level) is the first of the three alone.

use super::{Covariance, Parameter, View};
use crate::matrix::lanes::{dot, weighed, wide};
use crate::process::prior::Prior;

/// What is believed of either amplitude before any data, for standardised targets.
const AMPLITUDE: Prior = Prior {
    centre: 0.0,
    deviation: 1.5,
};

/// The trend's covariance; `theta = (a, b)`, the prior variances of a slope and of a curvature. Their
/// logarithms are believed N(0, 1.5^2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// Variance v of the unknown level, of standardised targets.
    pub level: f64,
    /// Every coordinate of the point about which slope and curvature are; .5 is the middle of the unit cube.
    pub about: f64,
}

impl Trend {
    /// d of x and each point of the view.
    #[inline(always)]
    fn products(&self, view: View, products: &mut [f64]) {
        products.fill(0.0);
        for (k, x) in view.x.iter().enumerate() {
            let x = x - self.about;
            let column = view.coordinate(k, 0, view.len());
            for (product, other) in products.iter_mut().zip(column) {
                *product += x * (other - self.about);
            }
        }
    }

    /// The products become values.
    #[inline(always)]
    fn valued(&self, theta: &[f64], products: &mut [f64]) {
        let (slope, curvature) = (theta[0], theta[1]);
        for d in products {
            *d = self.level + (slope + curvature * *d) * *d;
        }
    }

    /// The sum of `weight` times the values, of which the products are given, and its gradient by x.
    #[inline(always)]
    fn weigh(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        products: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let (slope, curvature) = (theta[0], theta[1]);
        let by_product: Vec<f64> = weight
            .iter()
            .zip(products)
            .map(|(weight, d)| weight * (slope + 2.0 * curvature * d))
            .collect();
        for (k, entry) in gradient.iter_mut().enumerate() {
            let column = view.coordinate(k, 0, view.len());
            *entry = weighed(&by_product, column, |y| y - self.about);
        }
        weighed(weight, products, |d| {
            self.level + (slope + curvature * d) * d
        })
    }
}

impl Covariance for Trend {
    fn parameters(&self, _dimensions: usize) -> Vec<Parameter> {
        vec![
            Parameter::new("slope", AMPLITUDE),
            Parameter::new("curvature", AMPLITUDE),
        ]
    }

    fn count(&self, _dimensions: usize) -> usize {
        2
    }

    fn values(&self, theta: &[f64], view: View, value: &mut [f64]) {
        wide(
            #[inline(always)]
            || {
                self.products(view, value);
                self.valued(theta, value);
            },
        );
    }

    fn weigh_by_parameters(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let mut products = vec![0.0; view.len()];
        wide(
            #[inline(always)]
            || {
                self.products(view, &mut products);
                gradient[0] = theta[0] * dot(weight, &products);
                gradient[1] = theta[1] * weighed(weight, &products, |d| d * d);
                self.level * weight.iter().sum::<f64>() + gradient[0] + gradient[1]
            },
        )
    }

    fn weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let mut value = vec![0.0; view.len()];
        self.values_and_weigh_by_input(theta, view, weight, &mut value, gradient)
    }

    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        wide(
            #[inline(always)]
            || {
                self.products(view, value);
                let sum = self.weigh(theta, view, weight, value, gradient);
                self.valued(theta, value);
                sum
            },
        )
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        let d: f64 = x.iter().map(|x| (x - self.about).powi(2)).sum();
        for (entry, x) in gradient.iter_mut().zip(x) {
            *entry = 2.0 * (x - self.about) * (theta[0] + 2.0 * theta[1] * d);
        }
        self.level + (theta[0] + theta[1] * d) * d
    }
}

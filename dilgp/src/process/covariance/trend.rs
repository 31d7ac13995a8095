//! A covariance of planes and quadratic functions: the function has a trend of second order.
//!
//! `k(x, y) = a d + b d^2` with `d = sum_k (x_k - c) (y_k - c)`: the homogeneous polynomial covariances of
//! degree one and two (Rasmussen and Williams, 2006, section 4.2.2), each with an amplitude of its own,
//! about the point (c, .., c), where the trend is zero. Added to another covariance it says that far from
//! all observations the function goes on as the slope and the curvature that they have in common say,
//! as far as the evidence goes: universal kriging with unknown coefficients that are drawn from a normal
//! distribution. The level is [`Level`](super::Level)'s.

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
    /// Every coordinate of the point where the trend is zero; .5 is the middle of the unit cube.
    pub about: f64,
}

impl Trend {
    /// d of x and each point of the view.
    fn products(&self, view: View) -> Vec<f64> {
        let mut products = vec![0.0; view.len()];
        wide(
            #[inline(always)]
            || {
                for (k, x) in view.x.iter().enumerate() {
                    let x = x - self.about;
                    let column = view.coordinate(k, 0, view.len());
                    for (product, other) in products.iter_mut().zip(column) {
                        *product += x * (other - self.about);
                    }
                }
            },
        );
        products
    }

    /// The sum of `weight` times the values, of which the products are given, and its gradient by x.
    fn weigh(
        &self,
        [slope, curvature]: [f64; 2],
        view: View,
        weight: &[f64],
        products: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let mut by_product = vec![0.0; products.len()];
        wide(
            #[inline(always)]
            || {
                for (entry, (weight, product)) in
                    by_product.iter_mut().zip(weight.iter().zip(products))
                {
                    *entry = weight * (slope + 2.0 * curvature * product);
                }
                for (k, entry) in gradient.iter_mut().enumerate() {
                    let column = view.coordinate(k, 0, view.len());
                    *entry = weighed(&by_product, column, |y| y - self.about);
                }
                weighed(weight, products, |d| (slope + curvature * d) * d)
            },
        )
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
        let products = self.products(view);
        for (value, d) in value.iter_mut().zip(&products) {
            *value = (theta[0] + theta[1] * d) * d;
        }
    }

    fn weigh_by_parameters(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let products = self.products(view);
        wide(
            #[inline(always)]
            || {
                gradient[0] = theta[0] * dot(weight, &products);
                gradient[1] = theta[1] * weighed(weight, &products, |d| d * d);
            },
        );
        gradient[0] + gradient[1]
    }

    fn weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let products = self.products(view);
        self.weigh([theta[0], theta[1]], view, weight, &products, gradient)
    }

    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        let products = self.products(view);
        for (value, d) in value.iter_mut().zip(&products) {
            *value = (theta[0] + theta[1] * d) * d;
        }
        self.weigh([theta[0], theta[1]], view, weight, &products, gradient)
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        let d: f64 = x.iter().map(|x| (x - self.about).powi(2)).sum();
        for (entry, x) in gradient.iter_mut().zip(x) {
            *entry = 2.0 * (x - self.about) * (theta[0] + 2.0 * theta[1] * d);
        }
        (theta[0] + theta[1] * d) * d
    }
}

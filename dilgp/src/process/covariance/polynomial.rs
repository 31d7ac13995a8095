//! Polynomial: covariances of functions that are a level, a plane, or a trend of second order.
//!
//! Rasmussen and Williams (2006), section 4.2.2.

use super::{Covariance, Parameter, View};
use crate::matrix::lanes::{dot, weighed, wide};
use crate::process::prior::Prior;

/// The linear covariance, `k(x, y) = b + sum_k x_k y_k`: the function is a straight line or plane, with
/// an offset. Scaled and added to a radial covariance it makes a trend. `theta = (b)`, the offset's
/// variance over that of a slope; log b ~ N(0, 1.5^2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Linear;

impl Covariance for Linear {
    fn parameters(&self, _dimensions: usize) -> Vec<Parameter> {
        vec![Parameter::new("offset", Prior::NEAR_ONE)]
    }

    fn count(&self, _dimensions: usize) -> usize {
        1
    }

    fn values(&self, theta: &[f64], view: View, value: &mut [f64]) {
        wide(
            #[inline(always)]
            || {
                value.fill(theta[0]);
                for (k, x) in view.x.iter().enumerate() {
                    for (value, other) in value.iter_mut().zip(view.coordinate(k, 0, view.len())) {
                        *value += x * other;
                    }
                }
            },
        );
    }

    fn weigh_by_parameters(&self, theta: &[f64], view: View, gradient: &mut [f64]) -> f64 {
        let mut by_input = vec![0.0; view.x.len()];
        let sum = self.weigh_by_input(theta, view, &mut by_input);
        gradient[0] = theta[0] * view.weight.iter().sum::<f64>();
        sum
    }

    fn weigh_by_input(&self, theta: &[f64], view: View, gradient: &mut [f64]) -> f64 {
        wide(
            #[inline(always)]
            || {
                let mut sum = theta[0] * view.weight.iter().sum::<f64>();
                for (k, entry) in gradient.iter_mut().enumerate() {
                    *entry = weighed(view.weight, view.coordinate(k, 0, view.len()), |y| y);
                    sum += view.x[k] * *entry;
                }
                sum
            },
        )
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        for (entry, x) in gradient.iter_mut().zip(x) {
            *entry = 2.0 * x;
        }
        theta[0] + x.iter().map(|x| x * x).sum::<f64>()
    }
}

/// The homogeneous linear covariance, `k(x, y) = sum_k x_k y_k`: the function is a plane through the
/// origin. Scaled and added to another covariance it is the effect of covariates whose mean is 0, the
/// level being the other's. `theta` is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dot;

/// The offset of a [`Linear`] covariance that has none.
const NO_OFFSET: [f64; 1] = [0.0];

impl Covariance for Dot {
    fn parameters(&self, _dimensions: usize) -> Vec<Parameter> {
        Vec::new()
    }

    fn values(&self, _theta: &[f64], view: View, value: &mut [f64]) {
        Linear.values(&NO_OFFSET, view, value);
    }

    fn weigh_by_parameters(&self, _theta: &[f64], view: View, _gradient: &mut [f64]) -> f64 {
        Linear.weigh_by_parameters(&NO_OFFSET, view, &mut [0.0])
    }

    fn weigh_by_input(&self, _theta: &[f64], view: View, gradient: &mut [f64]) -> f64 {
        Linear.weigh_by_input(&NO_OFFSET, view, gradient)
    }

    fn at_itself(&self, _theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        Linear.at_itself(&NO_OFFSET, x, gradient)
    }
}

/// The constant covariance of that variance, `k(x, y) = v`: the function has one unknown level.
/// `theta` is empty.
///
/// Rasmussen and Williams (2006), section 2.7 with a constant for the only basis function. Added to
/// another covariance it says that the mean of the process is not given but drawn from N(0, v) of
/// standardised targets. Far from all observations the prediction is then their generalised least
/// squares mean, in which a crowd of near ones counts for little more than one of them, and the variance
/// includes that of this mean. Without it the process returns to the targets' plain mean, which
/// observations that a search gathers in one good place pull down to what is good there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level(pub f64);

impl Covariance for Level {
    fn parameters(&self, _dimensions: usize) -> Vec<Parameter> {
        Vec::new()
    }

    fn values(&self, _theta: &[f64], _view: View, value: &mut [f64]) {
        value.fill(self.0);
    }

    fn weigh_by_parameters(&self, _theta: &[f64], view: View, _gradient: &mut [f64]) -> f64 {
        self.0 * view.weight.iter().sum::<f64>()
    }

    fn weigh_by_input(&self, _theta: &[f64], view: View, gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        self.0 * view.weight.iter().sum::<f64>()
    }

    fn at_itself(&self, _theta: &[f64], _x: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        self.0
    }
}

/// The covariance of a trend of second order, `k(x, y) = v + a d + b d^2` with
/// `d = sum_k (x_k - c) (y_k - c)`; `theta = (a, b)`, the prior variances of a slope and of a curvature,
/// whose logarithms are N(0, 1.5^2) for standardised targets.
///
/// These are the homogeneous polynomial covariances of degree nought, one and two, each with an
/// amplitude of its own, about the point (c, .., c). Added to another covariance they say that far from
/// all observations the function continues with their common level, slope and curvature, as far as the
/// evidence goes: universal kriging with unknown coefficients that are drawn from a normal distribution.
/// [`Level`] is the first of the three alone.
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

    /// The weighed sum of the values, of which the products are given, and its gradient by x.
    #[inline(always)]
    fn weigh(&self, theta: &[f64], view: View, products: &[f64], gradient: &mut [f64]) -> f64 {
        let (slope, curvature) = (theta[0], theta[1]);
        let both = view.weight.iter().zip(products);
        let by_product: Vec<f64> = both
            .map(|(weight, d)| weight * (slope + 2.0 * curvature * d))
            .collect();
        for (k, entry) in gradient.iter_mut().enumerate() {
            let column = view.coordinate(k, 0, view.len());
            *entry = weighed(&by_product, column, |y| y - self.about);
        }
        weighed(view.weight, products, |d| {
            self.level + (slope + curvature * d) * d
        })
    }
}

impl Covariance for Trend {
    fn parameters(&self, _dimensions: usize) -> Vec<Parameter> {
        let named = |name| Parameter::new(name, Prior::NEAR_ONE);
        ["slope", "curvature"].map(named).to_vec()
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

    fn weigh_by_parameters(&self, theta: &[f64], view: View, gradient: &mut [f64]) -> f64 {
        let mut products = vec![0.0; view.len()];
        wide(
            #[inline(always)]
            || {
                self.products(view, &mut products);
                gradient[0] = theta[0] * dot(view.weight, &products);
                gradient[1] = theta[1] * weighed(view.weight, &products, |d| d * d);
                self.level * view.weight.iter().sum::<f64>() + gradient[0] + gradient[1]
            },
        )
    }

    fn values_and_weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        value: &mut [f64],
        gradient: &mut [f64],
    ) -> f64 {
        let mut unasked = vec![0.0; view.len() - value.len()];
        let value = if value.is_empty() {
            &mut unasked[..]
        } else {
            value
        };
        wide(
            #[inline(always)]
            || {
                self.products(view, value);
                let sum = self.weigh(theta, view, value, gradient);
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

//! The linear covariance: the function is a straight line or plane, with an offset.
//!
//! `k(x, y) = b + sum_k x_k y_k`, Rasmussen and Williams (2006), section 4.2.2; scaled by an
//! amplitude and added to a radial covariance it makes a trend.

use super::{Covariance, Parameter, View};
use crate::matrix::lanes::{weighed, wide};
use crate::process::prior::Prior;

/// The linear covariance; `theta = (b)`, the offset's variance over that of a slope.
/// log b ~ N(0, 1.5^2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Linear;

impl Covariance for Linear {
    fn parameters(&self, _dimensions: usize) -> Vec<Parameter> {
        let prior = Prior {
            centre: 0.0,
            deviation: 1.5,
        };
        vec![Parameter::new("offset", prior)]
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

    fn weigh_by_parameters(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let mut along_x = vec![0.0; view.x.len()];
        let sum = self.weigh_by_input(theta, view, weight, &mut along_x);
        gradient[0] = theta[0] * weight.iter().sum::<f64>();
        sum
    }

    fn weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        wide(
            #[inline(always)]
            || {
                let mut sum = theta[0] * weight.iter().sum::<f64>();
                for (k, entry) in gradient.iter_mut().enumerate() {
                    *entry = weighed(weight, view.coordinate(k, 0, view.len()), |y| y);
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

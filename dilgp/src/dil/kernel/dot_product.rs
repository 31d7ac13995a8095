//! The dot-product kernel: Bayesian linear regression seen as a Gaussian process.
//!
//! `k(x, y) = a (x . y + c)`, with a the variance of each slope and a c that of the intercept.
//! Rasmussen and Williams (2006), section 4.2.2. It is not stationary: k(x, x) grows with |x|,
//! so uncertainty grows away from the origin. (The DIL-GP authors' code takes k(x, x) = a, which
//! is why their coverage for this kernel reads 0; here it is a (x . x + c).)

use super::{Kernel, Mask, Parts, RadialParts};
use crate::prior::Prior;

/// The dot-product kernel; `eta = (log a, log c)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DotProduct;

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

impl Kernel for DotProduct {
    fn parameters(&self) -> &'static [&'static str] {
        &["amplitude", "constant"]
    }

    /// log a ~ N(-log d, 2^2): d slopes share the unit variance. log c ~ N(0, 2^2).
    fn priors(&self, dimensions: usize) -> Vec<Prior> {
        let amplitude = Prior {
            centre: -(dimensions as f64).ln(),
            deviation: 2.0,
        };
        let constant = Prior {
            centre: 0.0,
            deviation: 2.0,
        };
        vec![amplitude, constant]
    }

    fn compare(&self, x: &[f64], y: &[f64]) -> f64 {
        dot(x, y)
    }

    fn add_compare_gradient(&self, _x: &[f64], y: &[f64], weight: f64, out: &mut [f64]) {
        for (out, b) in out.iter_mut().zip(y) {
            *out += weight * b;
        }
    }

    fn at_itself(&self, eta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        let amplitude = eta[0].exp();
        for (gradient, a) in gradient.iter_mut().zip(x) {
            *gradient = 2.0 * amplitude * a;
        }
        amplitude * (dot(x, x) + eta[1].exp())
    }

    fn values(&self, eta: &[f64], compared: &[f64], value: &mut [f64], slope: Option<&mut [f64]>) {
        let (amplitude, constant) = (eta[0].exp(), eta[1].exp());
        for (k, product) in value.iter_mut().zip(compared) {
            *k = amplitude * (product + constant);
        }
        if let Some(slope) = slope {
            slope.fill(amplitude);
        }
    }

    fn parts(&self, eta: &[f64], compared: &[f64], mask: Option<Mask>) -> Parts {
        let (amplitude, constant) = (eta[0].exp(), eta[1].exp());
        let offset = amplitude * constant;
        let value: Vec<f64> = compared
            .iter()
            .map(|product| amplitude * (product + constant))
            .collect();
        let radial = mask.map(|mask| {
            let (in_a, in_l, _) = mask.weights();
            let along: Vec<f64> = value.iter().map(|k| in_a * k + in_l * offset).collect();
            RadialParts {
                by_parameter: vec![along.clone(), vec![(in_a + in_l) * offset; value.len()]],
                value: along,
            }
        });
        Parts {
            by_parameter: vec![value.clone(), vec![offset; value.len()]],
            radial,
            value,
        }
    }
}

/// The dot-product kernel with `k(x, x) = a` where a variance is predicted, as in the DIL-GP
/// authors' code. It is no covariance: predicted variances come out negative. It exists to
/// reproduce their figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DotProductAsReleased;

impl Kernel for DotProductAsReleased {
    fn parameters(&self) -> &'static [&'static str] {
        DotProduct.parameters()
    }

    fn priors(&self, dimensions: usize) -> Vec<Prior> {
        DotProduct.priors(dimensions)
    }

    fn compare(&self, x: &[f64], y: &[f64]) -> f64 {
        DotProduct.compare(x, y)
    }

    fn add_compare_gradient(&self, x: &[f64], y: &[f64], weight: f64, out: &mut [f64]) {
        DotProduct.add_compare_gradient(x, y, weight, out);
    }

    fn at_itself(&self, eta: &[f64], _x: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        eta[0].exp()
    }

    fn values(&self, eta: &[f64], compared: &[f64], value: &mut [f64], slope: Option<&mut [f64]>) {
        DotProduct.values(eta, compared, value, slope);
    }

    fn parts(&self, eta: &[f64], compared: &[f64], mask: Option<Mask>) -> Parts {
        DotProduct.parts(eta, compared, mask)
    }
}

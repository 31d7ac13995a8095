//! Kernel: how strongly the values at two points are believed to vary together.
//!
//! A kernel here is free of noise and depends on two points through one number: their squared
//! distance, or their inner product. Its parameters are positive and handled by their logarithms
//! `eta`. The derivatives needed by the likelihood and by the invariance penalty come together,
//! as [`Parts`], for a whole slice of such numbers at once.

mod dot_product;
mod matern;
mod rbf;
mod rq;

pub use dot_product::DotProduct;
pub(crate) use dot_product::DotProductAsReleased;
pub use matern::Matern52;
pub use rbf::Rbf;
pub use rq::RationalQuadratic;

use crate::prior::Prior;

/// Which parameters the invariance penalty's dummy weight `w` multiplies.
///
/// The paper's gradient penalty (after invariant risk minimisation) differentiates the
/// likelihood along `w theta` at `w = 1`; this says which of theta takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mask {
    /// The amplitude (every kernel's first parameter).
    pub amplitude: bool,
    /// The squared length scale, or the constant of the dot-product kernel.
    pub length: bool,
    /// The noise variance.
    pub noise: bool,
}

impl Mask {
    /// Every scaled parameter takes part, as in the paper.
    pub const ALL: Self = Self {
        amplitude: true,
        length: true,
        noise: true,
    };

    /// 1 for a parameter that takes part, 0 for one that does not: amplitude, length, noise.
    pub fn weights(self) -> (f64, f64, f64) {
        let weight = |takes_part: bool| if takes_part { 1.0 } else { 0.0 };
        (
            weight(self.amplitude),
            weight(self.length),
            weight(self.noise),
        )
    }
}

/// Kernel values and derivatives, entry by entry for a slice of compared pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// k.
    pub value: Vec<f64>,
    /// d k / d eta_j, one vector a parameter.
    pub by_parameter: Vec<Vec<f64>>,
    /// The radial derivative, where a mask was given.
    pub radial: Option<RadialParts>,
}

/// The derivative of k(w theta) by w at w = 1, and how it changes with the parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct RadialParts {
    /// k' = d k(w theta) / d w at w = 1.
    pub value: Vec<f64>,
    /// d k' / d eta_j, one vector a parameter.
    pub by_parameter: Vec<Vec<f64>>,
}

/// A positive semi-definite function of two points.
pub trait Kernel: std::fmt::Debug + Send + Sync {
    /// Names of the parameters, amplitude first, in the order of `eta`.
    fn parameters(&self) -> &'static [&'static str];

    /// Weak beliefs about `eta` for standardised targets and inputs of `dimensions` coordinates
    /// that span a unit cube or have unit variance.
    fn priors(&self, dimensions: usize) -> Vec<Prior>;

    /// The number through which the kernel sees `x` and `y`.
    fn compare(&self, x: &[f64], y: &[f64]) -> f64;

    /// The gradient of `compare(x, y)` by `x`, multiplied by `weight` and added to `out`.
    fn add_compare_gradient(&self, x: &[f64], y: &[f64], weight: f64, out: &mut [f64]);

    /// k(x, x), and its gradient by x into `gradient`.
    fn at_itself(&self, eta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64;

    /// k for each compared pair, into `value`; d k / d compared into `slope` where asked.
    fn values(&self, eta: &[f64], compared: &[f64], value: &mut [f64], slope: Option<&mut [f64]>);

    /// k and its derivatives by the parameters; with a mask the radial derivative as well.
    fn parts(&self, eta: &[f64], compared: &[f64], mask: Option<Mask>) -> Parts;
}

/// |x - y|^2, the number through which stationary kernels compare.
fn squared_distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// Adds `weight` times the gradient of |x - y|^2 by x.
fn add_squared_distance_gradient(x: &[f64], y: &[f64], weight: f64, out: &mut [f64]) {
    for ((out, a), b) in out.iter_mut().zip(x).zip(y) {
        *out += 2.0 * weight * (a - b);
    }
}

/// The prior of a squared length scale: log l2 ~ N(log(d/4), 2^2).
///
/// The mean squared distance of two points is d/6 in the unit cube and 2d for z-scored inputs;
/// half of either is within 0.6 standard deviations of the centre.
fn length_prior(dimensions: usize) -> Prior {
    Prior {
        centre: (dimensions as f64 / 4.0).ln(),
        deviation: 2.0,
    }
}

//! Profile: how a radial covariance falls with distance.

use super::Parameter;
use crate::matrix::lanes::{exp, ln_1p};
use crate::process::prior::Prior;

/// How covariance falls with the squared distance s: p(0) = 1, written without branches so that
/// loops over it can be vectorised.
pub trait Profile: std::fmt::Debug + Clone + Copy + Send + Sync + 'static {
    /// A further positive parameter, if the profile has one.
    fn shape(self) -> Option<Parameter> {
        None
    }

    /// p(s); `shape` is 1 for a profile that has none.
    #[inline(always)]
    fn value(self, shape: f64, s: f64) -> f64 {
        self.derivatives(shape, s).0
    }

    /// p(s), dp/ds and dp/d log shape.
    fn derivatives(self, shape: f64, s: f64) -> (f64, f64, f64);
}

/// The squared-exponential profile, `p(s) = exp(-s / 2)`: functions with every derivative.
///
/// Rasmussen and Williams (2006), eq. 4.9.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rbf;

impl Profile for Rbf {
    #[inline(always)]
    fn derivatives(self, _shape: f64, s: f64) -> (f64, f64, f64) {
        let value = exp(-0.5 * s);
        (value, -0.5 * value, 0.0)
    }
}

/// The Matérn profile of smoothness 5/2, `p(s) = (1 + z + z^2 / 3) exp(-z)`, `z = sqrt(5 s)`:
/// functions with two derivatives, as most responses of machines have.
///
/// Rasmussen and Williams (2006), eq. 4.17; `dp/ds = -5/6 (1 + z) exp(-z)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matern52;

impl Profile for Matern52 {
    #[inline(always)]
    fn derivatives(self, _shape: f64, s: f64) -> (f64, f64, f64) {
        let z = (5.0 * s).sqrt();
        let decay = exp(-z);
        (
            (1.0 + z + z * z * (1.0 / 3.0)) * decay,
            (-5.0 / 6.0) * (1.0 + z) * decay,
            0.0,
        )
    }
}

/// The rational-quadratic profile, `p(s) = (1 + s / (2 alpha))^-alpha`: a mixture of
/// squared-exponential profiles of all lengths, the more of them the smaller alpha. Its shape is alpha,
/// log alpha ~ N(0, 1.5^2).
///
/// Rasmussen and Williams (2006), eq. 4.19; alpha to infinity gives the squared-exponential one.
/// With `B = 1 + s / (2 alpha)`: `dp/ds = -p / (2 B)`,
/// `dp/d log alpha = p (s / (2 B) - alpha log B)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RationalQuadratic;

impl Profile for RationalQuadratic {
    fn shape(self) -> Option<Parameter> {
        Some(Parameter::new("alpha", Prior::NEAR_ONE))
    }

    #[inline(always)]
    fn derivatives(self, alpha: f64, s: f64) -> (f64, f64, f64) {
        let t = 0.5 * s / alpha;
        let alpha_log_base = alpha * ln_1p(t);
        let value = exp(-alpha_log_base);
        let half_over_base = 0.5 / (1.0 + t);
        (
            value,
            -value * half_over_base,
            value * (s * half_over_base - alpha_log_base),
        )
    }
}

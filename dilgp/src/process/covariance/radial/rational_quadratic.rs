//! The rational-quadratic profile, `p(s) = (1 + s / (2 alpha))^-alpha`: a mixture of
//! squared-exponential profiles of all lengths, the more of them the smaller alpha.
//!
//! Rasmussen and Williams (2006), eq. 4.19; alpha to infinity gives the squared-exponential one.
//! With `B = 1 + s / (2 alpha)`: `dp/ds = -p / (2 B)`,
//! `dp/d log alpha = p (s / (2 B) - alpha log B)`.

use super::Profile;
use crate::matrix::lanes::{exp, ln_1p};
use crate::process::covariance::Parameter;
use crate::process::prior::Prior;

/// The rational-quadratic profile; its shape is alpha, log alpha ~ N(0, 1.5^2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RationalQuadratic;

impl Profile for RationalQuadratic {
    fn shape(self) -> Option<Parameter> {
        let prior = Prior {
            centre: 0.0,
            deviation: 1.5,
        };
        Some(Parameter::new("alpha", prior))
    }

    #[inline(always)]
    fn value(self, alpha: f64, s: f64) -> f64 {
        exp(-alpha * ln_1p(0.5 * s / alpha))
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

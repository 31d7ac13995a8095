//! The squared-exponential profile, `p(s) = exp(-s / 2)`: functions with every derivative.
//!
//! Rasmussen and Williams (2006), eq. 4.9.

use super::Profile;
use crate::matrix::lanes::exp;
use crate::process::covariance::Parameter;

/// The squared-exponential profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rbf;

impl Profile for Rbf {
    fn shape(self) -> Option<Parameter> {
        None
    }

    #[inline(always)]
    fn value(self, _shape: f64, s: f64) -> f64 {
        exp(-0.5 * s)
    }

    #[inline(always)]
    fn derivatives(self, _shape: f64, s: f64) -> (f64, f64, f64) {
        let value = exp(-0.5 * s);
        (value, -0.5 * value, 0.0)
    }
}

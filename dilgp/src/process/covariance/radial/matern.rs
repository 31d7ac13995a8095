//! The Matérn profile of smoothness 5/2, `p(s) = (1 + z + z^2 / 3) exp(-z)`, `z = sqrt(5 s)`:
//! functions with two derivatives, as most responses of machines have.
//!
//! Rasmussen and Williams (2006), eq. 4.17; `dp/ds = -5/6 (1 + z) exp(-z)`.

use super::Profile;
use crate::matrix::lanes::exp;
use crate::process::covariance::Parameter;

/// The Matérn profile of smoothness 5/2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matern52;

impl Profile for Matern52 {
    fn shape(self) -> Option<Parameter> {
        None
    }

    #[inline(always)]
    fn value(self, _shape: f64, s: f64) -> f64 {
        let z = (5.0 * s).sqrt();
        (1.0 + z + z * z * (1.0 / 3.0)) * exp(-z)
    }

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

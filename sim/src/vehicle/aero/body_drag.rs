//! Body drag: the quadratic drag of the fuselage, −|v| diag(c) v in body axes.

use crate::error::{Error, check};
use crate::lanes::Real;
use crate::lanes::axes::Axes;
use serde::{Deserialize, Serialize};

/// Coefficients of the body's drag; it acts at the centre of mass and makes no moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyDrag {
    /// c along each body axis [N s²/m²].
    pub quadratic_n_s2_per_m2: [f64; 3],
}

impl BodyDrag {
    pub(crate) fn check(&self) -> Result<(), Error> {
        for c in self.quadratic_n_s2_per_m2 {
            check("body_drag.quadratic_n_s2_per_m2", c, "not negative", |c| {
                c >= 0.0
            })?;
        }
        Ok(())
    }

    /// Force in body axes [N] at the airspeed `v` (vehicle minus wind, body axes) [m/s].
    #[inline(always)]
    pub(crate) fn force<R: Real>(&self, v: Axes<R>) -> Axes<R> {
        let [x, y, z] = self.quadratic_n_s2_per_m2;
        Axes::new(v.x * x, v.y * y, v.z * z) * -v.dot(v).sqrt()
    }
}

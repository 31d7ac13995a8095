//! Body drag: the quadratic drag of the fuselage, −|v| diag(c) v in body axes.

use crate::error::{Error, check};
use nalgebra::Vector3;
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

    /// Force in body axes [N] at the airspeed `air_velocity_m_s` (vehicle minus wind, body axes).
    pub fn force_n(&self, air_velocity_m_s: &Vector3<f64>) -> Vector3<f64> {
        let v = air_velocity_m_s;
        Vector3::from(self.quadratic_n_s2_per_m2).component_mul(v) * -v.norm()
    }
}

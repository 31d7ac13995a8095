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

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    #[test]
    fn the_force_is_against_the_motion_and_grows_with_the_square_of_its_speed() {
        let drag = BodyDrag {
            quadratic_n_s2_per_m2: [0.1, 0.2, 0.3],
        };
        // |v| = 13: -13 (0.1 * 3, 0.2 * -4, 0.3 * 12).
        let force: Vector3<f64> = drag.force(Axes::new(3.0, -4.0, 12.0)).into();
        assert!((force - Vector3::new(-3.9, 10.4, -46.8)).norm() < 1e-13);
    }

    #[test]
    fn no_coefficient_may_be_negative() {
        for axis in 0..3 {
            let mut drag = BodyDrag {
                quadratic_n_s2_per_m2: [0.0; 3],
            };
            assert!(drag.check().is_ok());
            drag.quadratic_n_s2_per_m2[axis] = -1e-9;
            assert!(drag.check().is_err(), "{drag:?}");
        }
    }
}

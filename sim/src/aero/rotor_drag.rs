//! Rotor drag: what moving through the air does to each rotor disc.
//!
//! The linear model of Svacha, Mohta and Kumar (ICUAS 2017) in the form of RotorPy's `multirotor`:
//! with the air velocity v_i at hub i and the rotor speed n_i,
//!
//! f_i = (0, 0, k_h (v_x² + v_y²)) − n_i diag(k_d, k_d, k_z) v_i,
//!
//! m_i = r_i × f_i − k_flap n_i (v_i × e_z).
//!
//! The terms are translational lift, rotor drag in and across the disc, and the moment of the
//! flapping blades. Thrust and reaction torque are not among them.

use super::BodyWrench;
use crate::error::{Error, check};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// Coefficients of one rotor; all rotors are alike.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotorDrag {
    /// k_d, drag within the disc over rotor speed and air speed [N s²/(rad m)].
    pub in_plane_n_s2_per_rad_m: f64,
    /// k_z, drag across the disc over rotor speed and air speed [N s²/(rad m)].
    pub axial_n_s2_per_rad_m: f64,
    /// k_h, translational lift over the square of the air speed within the disc [N s²/m²].
    pub translational_lift_n_s2_per_m2: f64,
    /// k_flap, flapping moment over rotor speed and air speed within the disc [N s²/rad].
    pub flapping_n_s2_per_rad: f64,
}

impl RotorDrag {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let not_negative = |x: f64| x >= 0.0;
        for (name, value) in [
            (
                "rotor_drag.in_plane_n_s2_per_rad_m",
                self.in_plane_n_s2_per_rad_m,
            ),
            ("rotor_drag.axial_n_s2_per_rad_m", self.axial_n_s2_per_rad_m),
            (
                "rotor_drag.translational_lift_n_s2_per_m2",
                self.translational_lift_n_s2_per_m2,
            ),
            (
                "rotor_drag.flapping_n_s2_per_rad",
                self.flapping_n_s2_per_rad,
            ),
        ] {
            check(name, value, "not negative", not_negative)?;
        }
        Ok(())
    }

    /// Force and moment of all rotors, for hubs `hubs_m` turning at `speeds_rad_s` on a body that
    /// moves through the air at `air_velocity_m_s` (body axes) and turns at `rates_rad_s`.
    pub fn wrench(
        &self,
        hubs_m: &[Vector3<f64>; 4],
        speeds_rad_s: &[f64; 4],
        air_velocity_m_s: &Vector3<f64>,
        rates_rad_s: &Vector3<f64>,
    ) -> BodyWrench {
        let mut wrench = BodyWrench::zero();
        for (hub, n) in hubs_m.iter().zip(speeds_rad_s) {
            let v = air_velocity_m_s + rates_rad_s.cross(hub);
            let in_plane = -n * self.in_plane_n_s2_per_rad_m;
            let lift = self.translational_lift_n_s2_per_m2 * (v.x * v.x + v.y * v.y);
            let force = Vector3::new(
                in_plane * v.x,
                in_plane * v.y,
                lift - n * self.axial_n_s2_per_rad_m * v.z,
            );
            let flapping = Vector3::new(v.y, -v.x, 0.0) * (n * self.flapping_n_s2_per_rad);
            wrench += BodyWrench {
                force_n: force,
                moment_n_m: hub.cross(&force) - flapping,
            };
        }
        wrench
    }
}

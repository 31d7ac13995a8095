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

use super::Wrench;
use crate::error::{Error, check};
use crate::lanes::Real;
use crate::lanes::axes::Axes;
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
    /// No drag at all.
    pub const NONE: RotorDrag = RotorDrag {
        in_plane_n_s2_per_rad_m: 0.0,
        axial_n_s2_per_rad_m: 0.0,
        translational_lift_n_s2_per_m2: 0.0,
        flapping_n_s2_per_rad: 0.0,
    };

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

    /// Force and moment of all rotors, for hubs `hubs` [m] turning at `speeds` [rad/s] on a body
    /// that moves through the air at `air_velocity` [m/s, body axes] and turns at `rates` [rad/s].
    #[inline(always)]
    pub(crate) fn wrench<R: Real>(
        &self,
        hubs: &[Axes<R>; 4],
        speeds: &[R; 4],
        air_velocity: Axes<R>,
        rates: Axes<R>,
    ) -> Wrench<R> {
        let zero = air_velocity.x.like(0.0);
        let mut wrench = Wrench::none(zero);
        for i in 0..4 {
            let (hub, n) = (hubs[i], speeds[i]);
            let v = air_velocity + rates.cross(hub);
            let in_plane = -(n * self.in_plane_n_s2_per_rad_m);
            let lift = (v.x * v.x + v.y * v.y) * self.translational_lift_n_s2_per_m2;
            let force = Axes::new(
                in_plane * v.x,
                in_plane * v.y,
                lift - n * self.axial_n_s2_per_rad_m * v.z,
            );
            let flapping = Axes::new(v.y, -v.x, zero) * (n * self.flapping_n_s2_per_rad);
            let moment = hub.cross(force) - flapping;
            wrench = wrench + Wrench { force, moment };
        }
        wrench
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    #[test]
    fn force_and_moment_are_the_published_formula_summed_over_the_rotors() {
        let drag = RotorDrag {
            in_plane_n_s2_per_rad_m: 1.2e-4,
            axial_n_s2_per_rad_m: 2.3e-4,
            translational_lift_n_s2_per_m2: 3.1e-2,
            flapping_n_s2_per_rad: 4.7e-5,
        };
        let hubs = [
            Vector3::new(0.15, 0.2, 0.03),
            Vector3::new(0.17, -0.21, 0.01),
            Vector3::new(-0.16, -0.19, 0.02),
            Vector3::new(-0.14, 0.18, -0.02),
        ];
        let speeds = [250.0, 300.0, 275.0, 310.0];
        let (air, rates) = (Vector3::new(3.0, -2.0, 1.5), Vector3::new(0.7, -1.1, 2.3));
        let (mut force, mut moment) = (Vector3::zeros(), Vector3::zeros());
        for (hub, n) in hubs.iter().zip(speeds) {
            let v = air + rates.cross(hub);
            let lift = 3.1e-2 * v.xy().norm_squared();
            let f = Vector3::new(0.0, 0.0, lift)
                - n * Vector3::new(1.2e-4 * v.x, 1.2e-4 * v.y, 2.3e-4 * v.z);
            force += f;
            moment += hub.cross(&f) - 4.7e-5 * n * v.cross(&Vector3::z());
        }
        let wrench = drag.wrench(
            &hubs.map(|hub| Axes::from(&hub)),
            &speeds,
            Axes::from(&air),
            Axes::from(&rates),
        );
        let [ours, turning]: [Vector3<f64>; 2] = [wrench.force.into(), wrench.moment.into()];
        assert!((ours - force).norm() < 1e-14, "{ours} {force}");
        assert!((turning - moment).norm() < 1e-14, "{turning} {moment}");
    }

    #[test]
    fn no_coefficient_may_be_negative() {
        assert!(RotorDrag::NONE.check().is_ok());
        for which in 0..4 {
            let mut drag = RotorDrag::NONE;
            *[
                &mut drag.in_plane_n_s2_per_rad_m,
                &mut drag.axial_n_s2_per_rad_m,
                &mut drag.translational_lift_n_s2_per_m2,
                &mut drag.flapping_n_s2_per_rad,
            ][which] = -1e-9;
            assert!(drag.check().is_err(), "{drag:?}");
        }
    }
}

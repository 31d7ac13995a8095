//! Side force: what crosswind does to four spinning propellers.
//!
//! The model of Shi et al. 2021 (OMAC), file `quadsim.py`, class `QuadrotorWithSideForce`:
//!
//! F_i = C_s ρ N_i^k₁ V^(2−k₁) D^(2+k₁) ((π/2)² − α²)(α + k₂)
//!
//! with V the air speed relative to the vehicle, α = asin(|v_z| / V) its angle to the rotor plane,
//! and the force along the part of the relative wind that lies in the rotor plane. The source
//! writes N_i = √(n_i / C_T) for the rotor speed n_i, which is dimensionally odd; it is what gives
//! the force its several newtons, so it is kept.

use super::BodyWrench;
use crate::Rotors;
use crate::elementary::{Arctangent, Power};
use crate::error::{Error, check};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// In-plane relative wind below which the force has no direction and is left out [m/s].
const LEAST_CROSSWIND_M_S: f64 = 1e-4;

/// Parameters of the propellers' side force.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideForce {
    /// C_s, in the odd units that the formula leaves.
    pub coefficient: f64,
    /// k₁, between 0 and 2.
    pub speed_exponent: f64,
    /// k₂ [rad].
    pub angle_offset_rad: f64,
    /// Propeller diameter D [m].
    pub propeller_diameter_m: f64,
    /// Air density ρ [kg/m³].
    pub air_density_kg_m3: f64,
}

/// What the side force depends on through the rotor speeds alone. It is the same for every wind
/// and attitude, so one evaluation serves all stages of an integration step that share the speeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotorPull {
    /// Σ w_i with w_i = C_s ρ D^(2+k₁) N_i^k₁.
    pub total: f64,
    /// Σ w_i r_i, with r_i the hub relative to the centre of mass in body axes [m × the above].
    pub moment_arm: Vector3<f64>,
}

impl SideForce {
    pub(crate) fn check(&self) -> Result<(), Error> {
        let not_negative = |x: f64| x >= 0.0;
        let positive = |x: f64| x > 0.0;
        check(
            "side_force.coefficient",
            self.coefficient,
            "not negative",
            not_negative,
        )?;
        check(
            "side_force.speed_exponent",
            self.speed_exponent,
            "between 0 and 2",
            |x| (0.0..=2.0).contains(&x),
        )?;
        check(
            "side_force.angle_offset_rad",
            self.angle_offset_rad,
            "not negative",
            not_negative,
        )?;
        check(
            "side_force.propeller_diameter_m",
            self.propeller_diameter_m,
            "positive",
            positive,
        )?;
        check(
            "side_force.air_density_kg_m3",
            self.air_density_kg_m3,
            "positive",
            positive,
        )
    }
}

/// The side force of one vehicle, with everything that no flight changes worked out beforehand.
#[derive(Debug, Clone)]
pub struct CrosswindPull {
    hubs_m: [Vector3<f64>; 4],
    scale: f64,
    /// Of a rotor speed: N_i^k₁ up to a constant.
    rotor_power: Power,
    /// Of the squared wind speed: V^(2−k₁) = (V²)^(1−k₁/2).
    wind_power: Power,
    arctangent: Arctangent,
    angle_offset_rad: f64,
}

impl CrosswindPull {
    /// The side force `side_force` acting on `rotors`.
    pub fn new(side_force: &SideForce, rotors: &Rotors) -> CrosswindPull {
        let k1 = side_force.speed_exponent;
        CrosswindPull {
            hubs_m: rotors.positions(),
            scale: side_force.coefficient
                * side_force.air_density_kg_m3
                * side_force.propeller_diameter_m.powf(2.0 + k1)
                * rotors.thrust_n_s2_per_rad2.powf(-0.5 * k1),
            rotor_power: Power::new(0.5 * k1),
            wind_power: Power::new(1.0 - 0.5 * k1),
            arctangent: Arctangent::new(),
            angle_offset_rad: side_force.angle_offset_rad,
        }
    }

    /// The part of the force that depends on the rotor speeds [rad/s] only.
    #[inline]
    pub fn pull(&self, speeds_rad_s: &[f64; 4]) -> RotorPull {
        let mut pull = RotorPull {
            total: 0.0,
            moment_arm: Vector3::zeros(),
        };
        for (speed, hub) in speeds_rad_s.iter().zip(&self.hubs_m) {
            let weight = self.scale * self.rotor_power.of(speed.max(0.0));
            pull.total += weight;
            pull.moment_arm += hub * weight;
        }
        pull
    }

    /// Force and moment for the wind relative to the vehicle in body axes (wind velocity minus
    /// vehicle velocity) [m/s].
    #[inline]
    pub fn wrench(&self, pull: &RotorPull, relative_wind_m_s: &Vector3<f64>) -> BodyWrench {
        let v = relative_wind_m_s;
        let crosswind_squared = v.x * v.x + v.y * v.y;
        if crosswind_squared < LEAST_CROSSWIND_M_S * LEAST_CROSSWIND_M_S {
            return BodyWrench::zero();
        }
        let crosswind = crosswind_squared.sqrt();
        // The same angle as asin(|v_z| / V), without the loss of digits near 90°.
        let angle = self.arctangent.of(v.z.abs(), crosswind);
        let strength = self.wind_power.of(crosswind_squared + v.z * v.z)
            * (FRAC_PI_2 * FRAC_PI_2 - angle * angle)
            * (angle + self.angle_offset_rad);
        let along = Vector3::new(v.x, v.y, 0.0) * (strength / crosswind);
        BodyWrench {
            force_n: along * pull.total,
            moment_n_m: pull.moment_arm.cross(&along),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Airframe;

    fn omac() -> (CrosswindPull, Airframe) {
        let airframe = Airframe::omac();
        (
            CrosswindPull::new(
                &airframe.side_force.expect("omac has one"),
                &airframe.rotors,
            ),
            airframe,
        )
    }

    #[test]
    fn the_force_is_the_published_formula_summed_over_the_rotors() {
        let (model, airframe) = omac();
        let speeds = [250.0, 300.0, 275.0, 310.0];
        let wind = Vector3::new(3.0, -1.0, 2.0);
        let BodyWrench {
            force_n: force,
            moment_n_m: moment,
        } = model.wrench(&model.pull(&speeds), &wind);

        let p = airframe.side_force.expect("omac has one");
        let (mut expected_force, mut expected_moment) = (Vector3::zeros(), Vector3::zeros());
        let speed = wind.norm();
        let angle = (wind.z.abs() / speed).asin();
        let along = Vector3::new(wind.x, wind.y, 0.0).normalize();
        for (n, hub) in speeds.iter().zip(airframe.rotors.positions()) {
            let big_n = (n / airframe.rotors.thrust_n_s2_per_rad2).sqrt();
            let magnitude = p.coefficient
                * p.air_density_kg_m3
                * big_n.powf(p.speed_exponent)
                * speed.powf(2.0 - p.speed_exponent)
                * p.propeller_diameter_m.powf(2.0 + p.speed_exponent)
                * (FRAC_PI_2.powi(2) - angle * angle)
                * (angle + p.angle_offset_rad);
            expected_force += along * magnitude;
            expected_moment += hub.cross(&(along * magnitude));
        }
        assert!((force - expected_force).norm() < 1e-12 * expected_force.norm());
        assert!((moment - expected_moment).norm() < 1e-12 * expected_force.norm());
        assert!(
            force.norm() > 1.0 && force.norm() < 20.0,
            "several newtons: {force}"
        );
    }

    #[test]
    fn wind_along_the_rotor_axis_has_no_side_force() {
        let (model, _) = omac();
        let wrench = model.wrench(&model.pull(&[300.0; 4]), &Vector3::new(0.0, 0.0, 9.0));
        assert_eq!(wrench, BodyWrench::zero());
    }

    #[test]
    fn stopped_rotors_feel_no_side_force() {
        let (model, _) = omac();
        let wrench = model.wrench(&model.pull(&[0.0; 4]), &Vector3::new(5.0, 0.0, 0.0));
        assert_eq!(wrench.force_n.norm(), 0.0);
    }
}

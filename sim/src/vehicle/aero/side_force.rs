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

use crate::error::{Error, check};
use serde::{Deserialize, Serialize};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_its_range_ends_included_where_they_are_legal() {
        let legal = crate::Airframe::omac().side_force.expect("omac has one");
        let with = |change: &dyn Fn(&mut SideForce)| {
            let mut force = legal;
            change(&mut force);
            force.check().is_ok()
        };
        assert!(with(&|force| force.coefficient = 0.0));
        assert!(!with(&|force| force.coefficient = -1e-9));
        assert!(with(&|force| force.speed_exponent = 0.0));
        assert!(with(&|force| force.speed_exponent = 2.0));
        assert!(!with(&|force| force.speed_exponent = 2.000_001));
        assert!(with(&|force| force.angle_offset_rad = 0.0));
        assert!(!with(&|force| force.angle_offset_rad = -1e-9));
        assert!(!with(&|force| force.propeller_diameter_m = 0.0));
        assert!(!with(&|force| force.air_density_kg_m3 = 0.0));
    }
}

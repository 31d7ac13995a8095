//! Uncertainty: how far a real vehicle may be from its airframe file.
//!
//! The autopilot keeps the file's numbers; the vehicle that flies has its own, drawn uniformly
//! within the declared ranges from the flight's seed.

use crate::error::{Error, check};
use crate::random::{Purpose, stream};
use crate::vehicle::airframe::Airframe;
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// Half-widths of uniform ranges around the nominal values, relative (0.1: ±10 %).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Uncertainty {
    /// Of the mass.
    pub mass_rel: f64,
    /// Of the inertia; the whole matrix is scaled.
    pub inertia_rel: f64,
    /// Of the rotors' time constant.
    pub rotor_lag_rel: f64,
    /// Of the thrust coefficient C_T; the torque coefficient is scaled alike. Where the airframe
    /// has a [`SideForce`](crate::SideForce) this moves that force too, the other way: its
    /// formula takes N = √(n / C_T) for the rotor speed, so that at one rotor speed C_T drawn
    /// 10 % low raises the force by 0.9^(−k₁/2) − 1, which is 8 % for `omac` (k₁ = 1.425).
    pub thrust_rel: f64,
    /// Greatest loss of rotor speed to a sagging battery: the top speed lies between this share
    /// below nominal and nominal.
    pub battery_sag_rel: f64,
}

impl Uncertainty {
    pub(crate) fn check(&self) -> Result<(), Error> {
        for (name, value) in [
            ("uncertainty.mass_rel", self.mass_rel),
            ("uncertainty.inertia_rel", self.inertia_rel),
            ("uncertainty.rotor_lag_rel", self.rotor_lag_rel),
            ("uncertainty.thrust_rel", self.thrust_rel),
            ("uncertainty.battery_sag_rel", self.battery_sag_rel),
        ] {
            check(name, value, "between 0 and 0.9", |x| {
                (0.0..=0.9).contains(&x)
            })?;
        }
        Ok(())
    }

    /// One vehicle that `nominal` may turn out to be.
    pub fn draw(&self, nominal: &Airframe, seed: u64) -> Airframe {
        let mut rng = stream(seed, Purpose::Vehicle);
        let mut factor = |half_width: f64| 1.0 + half_width * rng.random_range(-1.0..=1.0);
        let mass = factor(self.mass_rel);
        let inertia = factor(self.inertia_rel);
        let lag = factor(self.rotor_lag_rel);
        let thrust = factor(self.thrust_rel);
        let sag = 1.0 - self.battery_sag_rel * rng.random_range(0.0..=1.0);
        let mut vehicle = nominal.clone();
        vehicle.mass_kg *= mass;
        for entry in vehicle.inertia_kg_m2.iter_mut().flatten() {
            *entry *= inertia;
        }
        vehicle.rotors.lag_s *= lag;
        vehicle.rotors.thrust_n_s2_per_rad2 *= thrust;
        vehicle.rotors.torque_n_m_s2_per_rad2 *= thrust;
        vehicle.rotors.max_speed_rad_s *= sag;
        vehicle
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Uncertainty = Uncertainty {
        mass_rel: 0.1,
        inertia_rel: 0.2,
        rotor_lag_rel: 0.3,
        thrust_rel: 0.05,
        battery_sag_rel: 0.15,
    };

    #[test]
    fn drawn_vehicles_fill_their_ranges_and_nothing_more() {
        let nominal = Airframe::omac();
        let (mut least, mut most) = (f64::INFINITY, 0.0f64);
        for seed in 0..2_000 {
            let vehicle = WIDE.draw(&nominal, seed);
            let ratio = vehicle.mass_kg / nominal.mass_kg;
            (least, most) = (least.min(ratio), most.max(ratio));
            let sag = vehicle.rotors.max_speed_rad_s / nominal.rotors.max_speed_rad_s;
            assert!((0.85 - 1e-12..=1.0).contains(&sag));
            assert_eq!(vehicle.controller, nominal.controller);
        }
        assert!(
            (0.9..0.901).contains(&least) && (1.099..=1.1).contains(&most),
            "{least} {most}"
        );
    }

    #[test]
    fn no_uncertainty_is_the_nominal_vehicle_and_a_seed_is_one_vehicle() {
        let nominal = Airframe::omac();
        assert_eq!(Uncertainty::default().draw(&nominal, 5), nominal);
        assert_eq!(WIDE.draw(&nominal, 5), WIDE.draw(&nominal, 5));
        assert_ne!(WIDE.draw(&nominal, 5), WIDE.draw(&nominal, 6));
    }
}

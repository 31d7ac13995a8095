//! The multirotor: a rigid body with four lagging rotors, and what acts on it.
//!
//! Its body obeys Newton's and Euler's equations; rotor speeds follow ṅ = (n_command − n) / τ_rotor.

use crate::Airframe;
use crate::lanes::axes::Axes;
use crate::vehicle::aero::BodyWrench;
use crate::vehicle::per_rotor::{MOST_ROTORS, PerRotor};
use crate::vehicle::plant::{Motion, Plant};
use crate::vehicle::state::State;
use nalgebra::{Quaternion, Vector3};

/// How fast a state changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Derivative {
    /// Acceleration of the centre of mass in the world frame [m/s²].
    pub acceleration_m_s2: Vector3<f64>,
    /// Derivative of the attitude quaternion [1/s].
    pub attitude_per_s: Quaternion<f64>,
    /// Angular acceleration in body axes [rad/s²].
    pub angular_acceleration_rad_s2: Vector3<f64>,
    /// Derivative of the rotor speeds [rad/s²].
    pub rotors_rad_s2: PerRotor,
}

/// One vehicle's constants, ready for integration; nothing in it changes during a flight.
#[derive(Debug, Clone)]
pub struct Multirotor {
    pub(crate) plant: Plant<f64, MOST_ROTORS>,
}

impl Multirotor {
    /// The vehicle that `airframe` describes.
    ///
    /// # Panics
    /// When the inertia is singular, which [`Airframe::check`] excludes.
    pub fn new(airframe: &Airframe) -> Multirotor {
        Multirotor {
            plant: Plant::new(airframe),
        }
    }

    /// The same vehicle on another planet, or in another data set's rounding of gravity.
    pub fn with_gravity(mut self, gravity_m_s2: f64) -> Multirotor {
        self.plant.gravity = gravity_m_s2;
        self
    }

    /// Time derivative of the state at one instant, with the rotors commanded to `command_rad_s`
    /// and the wind velocity in the world frame.
    pub fn derivative(
        &self,
        state: &State,
        command_rad_s: &PerRotor,
        wind_m_s: &Vector3<f64>,
    ) -> Derivative {
        let plant = &self.plant;
        let rotors = plant.rotor_effect(&state.rotors_rad_s.padded());
        let rotors = plant.spinning_up(rotors, &command_rad_s.padded());
        let (rate, _) = plant.rate(&Motion::of(0.0, state), &rotors, Axes::from(wind_m_s));
        Derivative {
            acceleration_m_s2: rate.velocity.into(),
            attitude_per_s: rate.attitude.lane(0),
            angular_acceleration_rad_s2: rate.rates.into(),
            rotors_rad_s2: PerRotor::new(plant.count, |i| {
                let target = command_rad_s[i].clamp(plant.least_speed, plant.greatest_speed);
                (target - state.rotors_rad_s[i]) / plant.lag_s
            }),
        }
    }

    /// Everything that acts on the body at one instant except gravity, with rotors that keep their speed.
    pub fn wrench(&self, state: &State, wind_m_s: &Vector3<f64>) -> BodyWrench {
        let plant = &self.plant;
        let rotors = plant.rotor_effect(&state.rotors_rad_s.padded());
        let body = Motion::of(0.0, state);
        plant
            .body_wrench(&body, &rotors, Axes::from(wind_m_s))
            .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;

    #[test]
    fn a_state_is_finite_where_each_of_its_seventeen_numbers_is() {
        let state = State {
            position_m: Vector3::new(1.0, 2.0, 3.0),
            velocity_m_s: Vector3::new(4.0, 5.0, 6.0),
            attitude: UnitQuaternion::identity(),
            rates_rad_s: Vector3::new(7.0, 8.0, 9.0),
            rotors_rad_s: [100.0; 4].into(),
        };
        assert!(state.is_finite());
        for which in 0..17 {
            let mut broken = state;
            let mut attitude = Quaternion::identity();
            match which {
                0..3 => broken.position_m[which] = f64::NAN,
                3..6 => broken.velocity_m_s[which - 3] = f64::INFINITY,
                6..9 => broken.rates_rad_s[which - 6] = f64::NEG_INFINITY,
                9..13 => broken.rotors_rad_s[which - 9] = f64::NAN,
                _ => attitude.coords[which - 13] = f64::NAN,
            }
            broken.attitude = UnitQuaternion::new_unchecked(attitude);
            assert!(!broken.is_finite(), "number {which}");
        }
    }
}

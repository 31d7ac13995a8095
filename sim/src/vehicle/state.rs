//! State: everything of a vehicle that evolves in a flight.

use crate::vehicle::per_rotor::PerRotor;
use nalgebra::{UnitQuaternion, Vector3};
use trajectories::Reference;

/// Where the vehicle is and how it moves: everything that evolves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// Centre of mass in the world frame, relative to the start of the flight [m].
    pub position_m: Vector3<f64>,
    /// Velocity of the centre of mass in the world frame [m/s].
    pub velocity_m_s: Vector3<f64>,
    /// Turns body vectors into world vectors.
    pub attitude: UnitQuaternion<f64>,
    /// Angular velocity of the body against the world, in body axes [rad/s].
    pub rates_rad_s: Vector3<f64>,
    /// Speed of each rotor [rad/s].
    pub rotors_rad_s: PerRotor,
}

impl State {
    /// That of a vehicle on `reference` with its velocity, level but for the heading, whose rotors
    /// turn at `rotors_rad_s` [rad/s].
    pub fn on(reference: &Reference, rotors_rad_s: PerRotor) -> State {
        State {
            position_m: reference.position_m,
            velocity_m_s: reference.velocity_m_s,
            attitude: UnitQuaternion::from_axis_angle(&Vector3::z_axis(), reference.yaw_rad),
            rates_rad_s: Vector3::zeros(),
            rotors_rad_s,
        }
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.position_m.iter().all(|x| x.is_finite())
            && self.velocity_m_s.iter().all(|x| x.is_finite())
            && self.attitude.coords.iter().all(|x| x.is_finite())
            && self.rates_rad_s.iter().all(|x| x.is_finite())
            && self.rotors_rad_s.iter().all(|x| x.is_finite())
    }
}

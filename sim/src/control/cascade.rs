//! The cascade as a whole: the controller of one flight.

use super::attitude::{attitude_for, rate_setpoint};
use super::position::PositionLoop;
use super::rate::RateLoop;
use super::{CONTROL_PERIOD_S, Gains, Mixer, POSITION_TICKS, Wrench};
use crate::{Airframe, InertialMeasurement, Measurement};
use nalgebra::{UnitQuaternion, Vector3};
use trajectories::Reference;

/// What the autopilot sends to the rotors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotorCommand {
    /// Commanded speed of each rotor [rad/s].
    pub speeds_rad_s: [f64; 4],
    /// Whether the rotors' range forced a compromise between thrust and moments.
    pub rotors_saturated: bool,
    /// Whether the position loop's thrust or tilt limit was active.
    pub force_limited: bool,
}

/// Cascaded PID control: position at 50 Hz, attitude and body rates at 1 kHz, and a mixer.
///
/// The structure and the default gains are those of Shi et al. 2021 (OMAC); unlike there the
/// position integral is clamped and saturation follows a stated order.
#[derive(Debug, Clone)]
pub struct CascadedPid {
    position: PositionLoop,
    attitude_kp: Vector3<f64>,
    rate_setpoint_limit_rad_s: Vector3<f64>,
    rate: RateLoop,
    mixer: Mixer,
    wanted_attitude: UnitQuaternion<f64>,
    wanted_thrust_n: f64,
    force_limited: bool,
}

impl CascadedPid {
    /// A controller at rest.
    ///
    /// # Panics
    /// When the rotor geometry cannot be mixed, which [`Airframe::check`] excludes.
    pub fn new(airframe: &Airframe, gains: &Gains) -> CascadedPid {
        CascadedPid {
            position: PositionLoop::new(airframe, gains),
            attitude_kp: Vector3::from(gains.attitude_kp),
            rate_setpoint_limit_rad_s: Vector3::from(airframe.controller.rate_setpoint_limit_rad_s),
            rate: RateLoop::new(airframe, gains, CONTROL_PERIOD_S),
            mixer: Mixer::new(&airframe.rotors).expect("a checked airframe can be mixed"),
            wanted_attitude: UnitQuaternion::identity(),
            wanted_thrust_n: 0.0,
            force_limited: false,
        }
    }

    /// Whether the position loop runs at control tick `tick`, and so wants a measurement.
    pub fn positions_at(tick: u64) -> bool {
        tick.is_multiple_of(POSITION_TICKS)
    }

    /// Runs the position loop on what the sensors say.
    pub fn aim(&mut self, reference: &Reference, measured: &Measurement) {
        let period_s = POSITION_TICKS as f64 * CONTROL_PERIOD_S;
        let (force, limited) = self.position.force(reference, measured, period_s);
        self.wanted_attitude = attitude_for(&force, reference.yaw_rad);
        self.wanted_thrust_n = force.norm();
        self.force_limited = limited;
    }

    /// Runs the attitude and rate loops on the measured attitude and body rates, and mixes.
    pub fn command(&mut self, measured: &InertialMeasurement) -> RotorCommand {
        let setpoint = rate_setpoint(
            &measured.attitude,
            &self.wanted_attitude,
            &self.attitude_kp,
            &self.rate_setpoint_limit_rad_s,
        );
        let wanted = Wrench {
            thrust_n: self.wanted_thrust_n,
            moment_n_m: self.rate.torque(&setpoint, &measured.rates_rad_s),
        };
        let (speeds_rad_s, rotors_saturated) = self.mixer.speeds(&wanted);
        RotorCommand {
            speeds_rad_s,
            rotors_saturated,
            force_limited: self.force_limited,
        }
    }
}

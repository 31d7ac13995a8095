//! Margins: how far every loop of the cascade is from oscillating.
//!
//! The vehicle is linearised about a point of its trajectory and discretised exactly at the control
//! period, with the rotors' lag in it; the cascade is taken as it runs: attitude and rate loops
//! with their filter every millisecond, the position loop every 20 ms with its output held, sensors
//! with their delay. A loop is opened where its command goes out while everything else stays
//! closed, so that a gain margin is the factor on that loop's own gains at which the vehicle begins
//! to oscillate:
//!
//! * rate: at the torque command (kp, ki and kd together), which is also where a delay of all
//!   measurements of that axis acts
//! * attitude: at the rate setpoint
//! * velocity: at the acceleration that kd asks for, with kp and ki closed
//! * position: at the acceleration setpoint (kp, ki and kd together)
//!
//! Position and velocity loops are exact, aliases included. In the loops at 1 kHz the position
//! loop's samples are taken by their fundamental; aliases would come through four integrations.
//! Limits, saturation and sensor noise have no place in a linear loop.

mod cascade;
mod crossings;
mod curve;
mod linear;
mod loops;
mod modes;
mod steps;
pub(crate) mod trim;

pub use crossings::{Margins, Response};
pub use curve::{Curve, CurvePoint};
pub use loops::{LOOPS, Linearised, Loop};
pub use modes::Mode;
pub(crate) use steps::figures;
pub use steps::{SETTLED, StepFigures, StepResponse};

use crate::{Airframe, CONTROL_PERIOD_S, Domain, POSITION_TICKS};
use nalgebra::Vector3;
use trajectories::Trajectory;

/// Wind about which a hovering vehicle is linearised where no other is named [m/s]: a side force grows
/// with a root of the air speed, so that in still air it has no slope.
pub const USUAL_WIND_M_S: f64 = 3.0;

/// Period of the position loop [s].
const POSITION_PERIOD_S: f64 = POSITION_TICKS as f64 * CONTROL_PERIOD_S;

/// Instants of a trajectory at which margins are looked at.
pub const INSTANTS: usize = 40;

/// Those instants [s].
pub fn instants(trajectory: &dyn Trajectory) -> impl Iterator<Item = f64> {
    let duration_s = trajectory.duration_s();
    (0..INSTANTS).map(move |k| duration_s * (k as f64 + 0.5) / INSTANTS as f64)
}

/// Wind as it is often met in a domain, the mean and one standard deviation along x; [`USUAL_WIND_M_S`]
/// without one.
pub fn usual_wind_m_s(domain: Option<&Domain>) -> Vector3<f64> {
    match domain {
        Some(domain) => Vector3::from(domain.mean_m_s) + Vector3::x() * domain.sigma_m_s[0],
        None => Vector3::x() * USUAL_WIND_M_S,
    }
}

/// The thrust over the mass that holds the vehicle at rest in air that moves so [m/s²]; not finite where
/// the air is too fast for any.
pub(crate) fn holding_force_m_s2(airframe: &Airframe, wind_m_s: Vector3<f64>) -> Vector3<f64> {
    trim::Trim::hover(airframe, wind_m_s).specific_force_m_s2
}

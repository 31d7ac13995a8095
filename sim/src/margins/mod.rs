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

mod crossings;
mod linear;
mod loops;
mod modes;
mod trim;

pub use crossings::{Margins, Response};
pub use loops::{LOOPS, Linearised, Loop};
pub use modes::Mode;

//! The autopilot: position → attitude → rate → mixer, each loop at its own clock.

mod attitude;
mod cascade;
pub(crate) mod instruments;
mod mixer;
mod position;
mod rate;
pub(crate) mod sensors;
pub(crate) mod thrust_curve;

pub(crate) use attitude::{attitude_for, small_errors};
pub use cascade::RotorCommand;
pub(crate) use cascade::{Balance, Commands, InnerLoops};
pub use mixer::{Mixer, Wrench};
pub use position::limit_force;
pub(crate) use position::low_pass_decay;
pub(crate) use position::{PositionLoop, VerticalBalance};

/// Period of the attitude and rate loops, and of the wind [s]. The integrator may take smaller
/// steps; the loops keep this clock, or the closed loop would be first order in the step.
pub const CONTROL_PERIOD_S: f64 = 1e-3;

/// Control periods between two runs of the position loop (50 Hz).
pub const POSITION_TICKS: u64 = 20;

/// Whether the position loop runs at control tick `tick`.
pub(crate) fn positions_at(tick: u64) -> bool {
    tick.is_multiple_of(POSITION_TICKS)
}

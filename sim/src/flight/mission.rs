//! Mission: what is flown, by what, and what is due at each control tick.

use super::Setup;
use crate::START_ABOVE_GROUND_M;
use crate::control::CONTROL_PERIOD_S;
use crate::vehicle::state::State;
use trajectories::{Footing, Reference, Trajectory};

/// What every flight is asked for, but for its gains, its wind and its seed.
#[derive(Clone, Copy)]
pub(super) struct Mission<'a> {
    pub(super) setup: &'a Setup,
    pub(super) trajectory: &'a dyn Trajectory,
}

/// What is due at one control tick.
pub(super) struct Due {
    /// Time since the start [s].
    pub(super) time_s: f64,
    pub(super) reference: Reference,
    pub(super) footing: Footing,
}

impl Mission<'_> {
    /// Control periods of the whole flight.
    pub(super) fn ticks(&self) -> u64 {
        (self.trajectory.duration_s() / CONTROL_PERIOD_S).round() as u64
    }

    #[inline(always)]
    pub(super) fn at(&self, tick: u64) -> Due {
        let time_s = time_s(tick);
        Due {
            time_s,
            reference: self.trajectory.at(time_s),
            footing: self.trajectory.footing(time_s),
        }
    }

    /// Height above ground of what is at `z_m` in the world [m].
    pub(super) fn height_m(&self, z_m: f64) -> f64 {
        let ground_z_m = self.setup.world.ground_z_m();
        z_m - ground_z_m.unwrap_or(-START_ABOVE_GROUND_M)
    }

    /// The vehicle at the start: on the curve with its velocity, level, with the rotors at hover
    /// speed, or stopped where the trajectory begins on the ground.
    pub(super) fn start(&self) -> State {
        let airframe = &self.setup.airframe;
        let rotors_rad_s = match self.trajectory.footing(0.0) {
            Footing::Ground => airframe.rotors.min_speed_rad_s,
            _ => airframe.hover_speed_rad_s(),
        };
        State::on(&self.trajectory.at(0.0), rotors_rad_s)
    }
}

/// When a control tick is [s].
pub(super) fn time_s(tick: u64) -> f64 {
    tick as f64 * CONTROL_PERIOD_S
}

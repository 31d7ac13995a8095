//! Start: the state in which a flight begins, of the vehicle and of its loops.

use super::outcome::Mission;
use crate::control::{Balance, PositionLoop, VerticalBalance};
use crate::margins::trim::Trim;
use crate::vehicle::state::State;
use crate::{Airframe, GRAVITY_M_S2, Gains};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use trajectories::Footing;

/// How a flight begins that does not begin on the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// On the curve with its velocity, level, with the rotors at hover speed and empty integrals: the mean
    /// wind acts as a step.
    #[default]
    Rest,
    /// In balance with the mean wind of the flight: tilted, with the rotor speeds and integrals that keep it
    /// on the curve. Where an integral is limited or absent, it is as far from the curve as it would stay.
    Equilibrium,
}

/// Ways to begin, by name.
pub const STARTS: [(&str, Start); 2] = [("equilibrium", Start::Equilibrium), ("rest", Start::Rest)];

impl Start {
    /// Its name.
    pub fn name(self) -> &'static str {
        let named = STARTS.iter().find(|(_, start)| *start == self);
        named.map_or("", |(name, _)| name)
    }
}

/// A flight that begins.
pub(super) struct Begin {
    pub(super) state: State,
    pub(super) position_loop: PositionLoop,
    /// What the inner loops hold.
    pub(super) balance: Balance,
}

impl Begin {
    /// The flight of `vehicle` with `gains` in a wind of this mean and shear.
    pub(super) fn of(
        mission: &Mission,
        vehicle: &Airframe,
        gains: &Gains,
        mean_m_s: impl FnOnce() -> Vector3<f64>,
    ) -> Begin {
        let (setup, trajectory) = (mission.setup, mission.trajectory);
        let rest = Begin {
            state: mission.start(),
            position_loop: PositionLoop::new(&setup.airframe, gains),
            balance: Balance::default(),
        };
        if setup.start == Start::Rest || trajectory.footing(0.0) != Footing::Air {
            return rest;
        }
        let trim = Trim::along(vehicle, trajectory, 0.0, mean_m_s());
        // In air that is too fast for any tilt there is no balance.
        if !trim.state.is_finite() {
            return rest;
        }
        rest.balanced(mission, trim.state)
    }

    /// The same in `state`, with what the autopilot, which knows the nominal vehicle, holds for that.
    fn balanced(mut self, mission: &Mission, state: State) -> Begin {
        let (nominal, reference) = (&mission.setup.airframe, mission.trajectory.at(0.0));
        let rotors = &nominal.rotors;
        let speeds = state
            .rotors_rad_s
            .map(|speed| speed.clamp(rotors.min_speed_rad_s, rotors.max_speed_rad_s));
        let thrusts = speeds.map(|n| rotors.thrust_n_s2_per_rad2 * n * n);
        let wrench = rotors.asked(&thrusts);
        let axis = state.attitude * Vector3::z();
        let law = nominal.controller.law();
        let lift_m_s2 = wrench[0] / nominal.mass_kg * axis.z;
        let vertical = VerticalBalance::of(law.vertical.as_ref(), lift_m_s2);
        let wanted_m_s2 = axis * ((GRAVITY_M_S2 + vertical.error_m_s2) / axis.z);
        let acceleration_m_s2 =
            wanted_m_s2 - Vector3::z() * GRAVITY_M_S2 - reference.acceleration_m_s2;
        self.state = State {
            rotors_rad_s: speeds,
            position_m: state.position_m + self.position_loop.hold(&acceleration_m_s2),
            ..state
        };
        self.balance = Balance {
            torque_n_m: wrench.fixed_rows::<3>(1).into(),
            rates_rad_s: state.rates_rad_s,
            vertical,
        };
        self
    }
}

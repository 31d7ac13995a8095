//! Outcome: how a flight ended, as data, and when it is lost.

use super::Setup;
use crate::control::CONTROL_PERIOD_S;
use crate::lanes::Real;
use crate::lanes::axes::Axes;
use crate::vehicle::per_rotor::PerRotor;
use crate::vehicle::plant::Motion;
use crate::vehicle::rotors::sum;
use crate::vehicle::state::State;
use crate::{START_ABOVE_GROUND_M, Wind};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use trajectories::{Footing, Reference, Trajectory};

/// Distance from the reference at which a flight counts as lost [m].
const LOST_M: f64 = 5.0;

/// Body rate at which a flight counts as lost [rad/s].
const SPINNING_RAD_S: f64 = 100.0;

/// How a flight ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum Outcome {
    /// The whole trajectory was flown.
    Completed,
    /// The vehicle was lost; `diverged` to who reads the record.
    #[serde(rename = "diverged")]
    Lost {
        /// When [s].
        at_s: f64,
        /// Why.
        why: Loss,
    },
}

/// Why a vehicle was lost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// More than 5 m from the reference.
    FarFromReference,
    /// Body rates above 100 rad/s.
    Spinning,
    /// It hit something.
    Hit(Collision),
    /// A number overflowed.
    NotFinite,
}

/// What was hit, where and how hard.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Collision {
    /// Index of the obstacle in the world's list; absent for the ground.
    pub obstacle: Option<usize>,
    /// Where, in the world frame [m].
    pub point_m: [f64; 3],
    /// Normal impulse [N s].
    pub impulse_n_s: f64,
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Loss::FarFromReference => f.write_str("more than 5 m from the reference"),
            Loss::Spinning => f.write_str("body rates above 100 rad/s"),
            Loss::NotFinite => f.write_str("a number overflowed"),
            Loss::Hit(collision) => {
                let [x, y, z] = collision.point_m;
                let impulse = collision.impulse_n_s;
                match collision.obstacle {
                    None => f.write_str("hit the ground")?,
                    Some(index) => write!(f, "hit obstacle {index}")?,
                }
                write!(f, " at ({x:.2}, {y:.2}, {z:.2}) m with {impulse:.2} N s")
            }
        }
    }
}

/// Where a flight is certainly not lost: what [`loss`] finds in one, for all lanes at once.
#[inline(always)]
pub(super) fn sound<R: Real, const N: usize>(
    body: &Motion<R>,
    speeds: &[R; N],
    reference: &Reference,
) -> R::Mask {
    let Motion {
        position,
        velocity,
        attitude,
        rates,
    } = *body;
    let mut turning = *speeds;
    for speed in &mut turning {
        *speed = speed.abs();
    }
    let a = position.x;
    let error = position - Axes::fill(a, |_| reference.position_m);
    // Infinite or NaN where any of these numbers is.
    let size =
        velocity.dot(velocity) + (attitude.w.abs() + attitude.i.dot(attitude.i)) + sum(&turning);
    R::both(
        R::both(
            error.dot(error).within(0.0, LOST_M * LOST_M),
            rates
                .dot(rates)
                .within(0.0, SPINNING_RAD_S * SPINNING_RAD_S),
        ),
        size.below(a.like(f64::INFINITY)),
    )
}

/// Why a flight is lost, if it is.
pub(super) fn loss(state: &State, reference: &Reference) -> Option<Loss> {
    if !state.is_finite() {
        return Some(Loss::NotFinite);
    }
    if (state.position_m - reference.position_m).norm_squared() > LOST_M * LOST_M {
        return Some(Loss::FarFromReference);
    }
    if state.rates_rad_s.norm_squared() > SPINNING_RAD_S * SPINNING_RAD_S {
        return Some(Loss::Spinning);
    }
    None
}

// Mission: what is flown, by what, and what is due at each control tick.

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

    /// Control period from which on the flight is scored.
    pub(super) fn first_scored(&self) -> u64 {
        (self.setup.settle_s / CONTROL_PERIOD_S).round() as u64
    }

    /// The mean of a wind at the start, with what the height adds to it [m/s].
    pub(super) fn mean_m_s(&self, wind: &(impl Wind + ?Sized)) -> Vector3<f64> {
        let height_m = self.height_m(self.trajectory.at(0.0).position_m.z);
        let sheared = wind.sheared().map(|sheared| sheared.at(height_m));
        wind.mean_m_s() + sheared.unwrap_or_default()
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

    /// The vehicle at rest on the curve: with its velocity, level, with the rotors at hover speed, or
    /// stopped where the trajectory begins on the ground.
    pub(super) fn start(&self) -> State {
        let airframe = &self.setup.airframe;
        let rotors_rad_s = match self.trajectory.footing(0.0) {
            Footing::Ground => airframe.rotors.min_speed_rad_s,
            _ => airframe.hover_speed_rad_s(),
        };
        let all = PerRotor::new(airframe.rotors.count(), |_| rotors_rad_s);
        State::on(&self.trajectory.at(0.0), all)
    }
}

/// When a control tick is [s].
pub(super) fn time_s(tick: u64) -> f64 {
    tick as f64 * CONTROL_PERIOD_S
}

//! A flight: one vehicle, one controller, one trajectory, one wind, from start to end.

use crate::control::{CONTROL_PERIOD_S, CascadedPid, Gains, RotorCommand};
use crate::quadrotor::{Quadrotor, State};
use crate::score::{ACE_CAP_M, Instant, Score, Tally};
use crate::sensors::{SensorNoise, Sensors};
use crate::{Airframe, START_ABOVE_GROUND_M, Wind};
use nalgebra::{UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};
use trajectories::{Reference, Trajectory};

/// Distance from the reference at which a flight counts as lost [m].
const LOST_M: f64 = 5.0;

/// Body rate at which a flight counts as lost [rad/s].
const SPINNING_RAD_S: f64 = 100.0;

/// Everything about a flight that is not tuned, not steered and not weather.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The vehicle.
    pub airframe: Airframe,
    /// Noise of the position loop's sensors.
    pub sensors: SensorNoise,
    /// Integration steps in each control period of 1 ms.
    pub steps_per_period: u32,
    /// Control periods between two recorded samples; 0 records nothing.
    pub record_every: u32,
}

impl Setup {
    /// The default conditions for `airframe`: sensor noise, 1 ms steps, nothing recorded.
    pub fn new(airframe: Airframe) -> Setup {
        Setup {
            airframe,
            sensors: SensorNoise::default(),
            steps_per_period: 1,
            record_every: 0,
        }
    }
}

/// How a flight ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum Outcome {
    /// The whole trajectory was flown.
    Completed,
    /// The vehicle was lost.
    Diverged {
        /// When [s].
        at_s: f64,
        /// Why.
        why: Divergence,
    },
}

/// Why a vehicle was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Divergence {
    /// More than 5 m from the reference.
    FarFromReference,
    /// Body rates above 100 rad/s.
    Spinning,
    /// A rotor hub reached the ground.
    HitGround,
    /// A number overflowed.
    NotFinite,
}

/// One recorded instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Time since the start [s].
    pub time_s: f64,
    /// The vehicle.
    pub state: State,
    /// Where it should have been.
    pub reference: Reference,
    /// What the autopilot commanded.
    pub command: RotorCommand,
    /// Wind velocity in the world frame [m/s].
    pub wind_m_s: Vector3<f64>,
}

/// What came of a flight.
#[derive(Debug, Clone)]
pub struct Flight {
    /// How it ended.
    pub outcome: Outcome,
    /// How well it went while it lasted.
    pub score: Score,
    /// Recorded instants, in order of time.
    pub samples: Vec<Sample>,
}

impl Flight {
    /// Whether the whole trajectory was flown.
    pub fn completed(&self) -> bool {
        self.outcome == Outcome::Completed
    }

    /// What the flight counts for in a comparison: its ACE, or [`ACE_CAP_M`] where it was lost or
    /// did worse [m].
    pub fn cost_m(&self) -> f64 {
        match self.outcome {
            Outcome::Completed => self.score.ace_m.min(ACE_CAP_M),
            Outcome::Diverged { .. } => ACE_CAP_M,
        }
    }
}

/// Flies `trajectory` with `gains` in `wind`. The flight starts on the curve with its velocity,
/// level, with the rotors at hover speed. `seed` decides the sensor noise.
pub fn fly(
    setup: &Setup,
    trajectory: &dyn Trajectory,
    gains: &Gains,
    wind: &mut dyn Wind,
    seed: u64,
) -> Flight {
    let quadrotor = Quadrotor::new(&setup.airframe);
    let mut controller = CascadedPid::new(&setup.airframe, gains);
    let mut sensors = Sensors::new(setup.sensors, seed);
    let mut state = start(&setup.airframe, &trajectory.at(0.0));
    let mut tally = Tally::default();
    let mut samples = Vec::new();
    let hover = setup.airframe.hover_speed_rad_s();
    let dt_s = CONTROL_PERIOD_S / f64::from(setup.steps_per_period);
    let ticks = (trajectory.duration_s() / CONTROL_PERIOD_S).round() as u64;
    let mut outcome = Outcome::Completed;

    for tick in 0..ticks {
        let time_s = tick as f64 * CONTROL_PERIOD_S;
        let reference = trajectory.at(time_s);
        if let Some(why) = lost(&setup.airframe, &state, &reference) {
            outcome = Outcome::Diverged { at_s: time_s, why };
            break;
        }
        if CascadedPid::positions_at(tick) {
            controller.aim(&reference, &sensors.measure(&state));
        }
        let command = controller.command(&state);
        let wind_m_s = wind.step();
        tally.add(&instant(&state, &reference, &command, hover));
        if setup.record_every > 0 && tick.is_multiple_of(u64::from(setup.record_every)) {
            samples.push(Sample {
                time_s,
                state,
                reference,
                command,
                wind_m_s,
            });
        }
        for _ in 0..setup.steps_per_period {
            quadrotor.step(&mut state, &command.speeds_rad_s, &wind_m_s, dt_s);
        }
    }
    Flight {
        outcome,
        score: tally.score(),
        samples,
    }
}

fn start(airframe: &Airframe, reference: &Reference) -> State {
    State {
        position_m: reference.position_m,
        velocity_m_s: reference.velocity_m_s,
        attitude: UnitQuaternion::from_axis_angle(&Vector3::z_axis(), reference.yaw_rad),
        rates_rad_s: Vector3::zeros(),
        rotors_rad_s: [airframe.hover_speed_rad_s(); 4],
    }
}

fn instant(
    state: &State,
    reference: &Reference,
    command: &RotorCommand,
    hover_rad_s: f64,
) -> Instant {
    let effort = state.rotors_rad_s.iter().map(|n| {
        let thrust = (n / hover_rad_s) * (n / hover_rad_s);
        (thrust - 1.0) * (thrust - 1.0)
    });
    Instant {
        position_error_m: (state.position_m - reference.position_m).norm(),
        velocity_error_m_s: (state.velocity_m_s - reference.velocity_m_s).norm(),
        effort: effort.sum::<f64>() / 4.0,
        rotors_saturated: command.rotors_saturated,
        force_limited: command.force_limited,
    }
}

fn lost(airframe: &Airframe, state: &State, reference: &Reference) -> Option<Divergence> {
    if !state.is_finite() {
        return Some(Divergence::NotFinite);
    }
    if (state.position_m - reference.position_m).norm() > LOST_M {
        return Some(Divergence::FarFromReference);
    }
    if state.rates_rad_s.norm() > SPINNING_RAD_S {
        return Some(Divergence::Spinning);
    }
    hits_ground(airframe, state).then_some(Divergence::HitGround)
}

/// Whether a rotor hub or the centre of mass lies on or below the ground plane.
fn hits_ground(airframe: &Airframe, state: &State) -> bool {
    let height_m = state.position_m.z + START_ABOVE_GROUND_M;
    let reach_m = airframe
        .rotors
        .positions_m
        .iter()
        .map(|hub| Vector3::from(*hub).norm())
        .fold(0.0, f64::max);
    if height_m > reach_m {
        return false;
    }
    let lowest_hub_m = airframe
        .rotors
        .positions_m
        .iter()
        .map(|hub| (state.attitude * Vector3::from(*hub)).z)
        .fold(0.0, f64::min);
    height_m + lowest_hub_m <= 0.0
}

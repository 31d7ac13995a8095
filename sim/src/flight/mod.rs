//! A flight: one vehicle, one controller, one trajectory, one wind, from start to end.

mod batch;
mod body;
pub mod manoeuvre;
mod outcome;
pub mod rotor_out;
pub(crate) mod score;
mod single;
mod start;
mod step;
pub(crate) mod trust;

pub use batch::{fly_all, fly_each, fly_many};
pub use outcome::{Collision, Loss, Outcome};
pub use start::{STARTS, Start};
pub use step::step_in_flight;

use manoeuvre::Manoeuvre;
use outcome::Mission;
use rotor_out::RotorOut;
use score::{ACE_CAP_M, Score};
use single::Single;

use crate::control::sensors::SensorNoise;
use crate::control::{CONTROL_PERIOD_S, RotorCommand};
use crate::lanes::Instructions;
use crate::vehicle::airframe::Gains;

use crate::vehicle::state::State;
use crate::{Airframe, InertialMeasurement, Measurement, Wind, World};
use nalgebra::Vector3;
use std::sync::Arc;
use trajectories::{Reference, Trajectory};

/// Everything about a flight that is not tuned, not steered and not weather.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The vehicle as the autopilot knows it.
    pub airframe: Airframe,
    /// Whether the vehicle that flies is drawn from the airframe's declared uncertainty, by the
    /// flight's seed, or is the nominal one.
    pub uncertain: bool,
    /// Noise and delay of the sensors.
    pub sensors: SensorNoise,
    /// What can be touched.
    pub world: World,
    /// Integration steps in each control period of 1 ms.
    pub steps_per_period: u32,
    /// Control periods between two recorded samples; 0 records nothing.
    pub record_every: u32,
    /// How the vehicle begins.
    pub start: Start,
    /// What the score leaves out from the start of the flight; a loss counts at any time [s].
    pub settle_s: f64,
    /// The rotor that stops in flight, where one does.
    pub rotor_out: Option<RotorOut>,
    /// What is added to the setpoints, where anything is.
    pub manoeuvre: Option<Arc<Manoeuvre>>,
    /// What flights are computed with; those that round alike give the same bits.
    pub instructions: Instructions,
}

impl Setup {
    /// The default conditions for `airframe`: the nominal vehicle with sensor noise and its own delay over level
    /// ground, from rest, 1 ms steps, nothing recorded, the fastest instructions.
    pub fn new(airframe: Airframe) -> Setup {
        let sensors = SensorNoise {
            delay_periods: airframe.delay_periods(),
            ..SensorNoise::default()
        };
        Setup {
            airframe,
            uncertain: false,
            sensors,
            world: World::ground(),
            steps_per_period: 1,
            record_every: 0,
            start: Start::Rest,
            settle_s: 0.0,
            rotor_out: None,
            manoeuvre: None,
            instructions: Instructions::best(),
        }
    }

    /// Length of an integration step [s].
    fn step_s(&self) -> f64 {
        CONTROL_PERIOD_S / f64::from(self.steps_per_period)
    }

    /// Whether a flight keeps a sample of control tick `tick`.
    fn records(&self, tick: u64) -> bool {
        self.record_every > 0 && tick.is_multiple_of(u64::from(self.record_every))
    }
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
    /// Attitude and rates for which it commanded that.
    pub felt: InertialMeasurement,
    /// Position and velocity, where its position loop ran.
    pub measured: Option<Measurement>,
    /// Wind velocity in the world frame [m/s].
    pub wind_m_s: Vector3<f64>,
}

/// The outcome of a flight.
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
            Outcome::Lost { .. } => ACE_CAP_M,
        }
    }
}

/// Flies `trajectory` with `gains` in `wind`, which has not been stepped. The flight starts as [`Start`]
/// says, or standing with the rotors stopped where the trajectory begins on the ground. `seed` decides the sensor noise, and the vehicle where it is uncertain.
pub fn fly(
    setup: &Setup,
    trajectory: &dyn Trajectory,
    gains: &Gains,
    wind: &mut dyn Wind,
    seed: u64,
) -> Flight {
    let alone = Single {
        mission: Mission { setup, trajectory },
        gains,
        wind,
        seed,
    };
    alone.fly()
}

//! A flight: one vehicle, one controller, one trajectory, one wind, from start to end.

mod batch;
mod body;
pub(crate) mod concerns;
mod impact;
mod outcome;
pub(crate) mod score;
pub(crate) mod telemetry;
pub(crate) mod wind_evidence;

pub use batch::fly_many;
pub use outcome::{Collision, Loss, Outcome};

use body::Body;
use impact::Impact;

use crate::control::sensors::{SensorNoise, Sensors};
use crate::control::{
    CONTROL_PERIOD_S, CascadedPid, Commands, InnerLoops, PositionLoop, RotorCommand,
};
use crate::flight::score::{ACE_CAP_M, Instant, Score, Tally};
use crate::lanes::axes::{Axes, Turn};
use crate::lanes::{Instructions, Real, Work, run_single};
use crate::vehicle::airframe::Gains;
use crate::vehicle::plant::Motion;
use crate::vehicle::state::State;
use crate::{Airframe, Wind, World};
use nalgebra::{UnitQuaternion, Vector3};
use trajectories::{Footing, Reference, Trajectory};

/// Distance from the reference at which a flight counts as lost [m].
const LOST_M: f64 = 5.0;

/// Body rate at which a flight counts as lost [rad/s].
const SPINNING_RAD_S: f64 = 100.0;

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
    /// What flights are computed with; those that round alike give the same bits.
    pub instructions: Instructions,
}

impl Setup {
    /// The default conditions for `airframe`: the nominal vehicle with sensor noise over level
    /// ground, 1 ms steps, nothing recorded, the fastest instructions.
    pub fn new(airframe: Airframe) -> Setup {
        Setup {
            airframe,
            uncertain: false,
            sensors: SensorNoise::default(),
            world: World::ground(),
            steps_per_period: 1,
            record_every: 0,
            instructions: Instructions::best(),
        }
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
            Outcome::Lost { .. } => ACE_CAP_M,
        }
    }
}

/// Flies `trajectory` with `gains` in `wind`. The flight starts on the curve with its velocity,
/// level, with the rotors at hover speed, or standing with the rotors stopped where the trajectory
/// begins on the ground. `seed` decides the sensor noise, and the vehicle where it is uncertain.
pub fn fly(
    setup: &Setup,
    trajectory: &dyn Trajectory,
    gains: &Gains,
    wind: &mut dyn Wind,
    seed: u64,
) -> Flight {
    let alone = Alone {
        setup,
        trajectory,
        gains,
        wind,
        seed,
    };
    run_single(setup.instructions, alone)
}

/// What [`fly`] was asked for.
struct Alone<'a> {
    setup: &'a Setup,
    trajectory: &'a dyn Trajectory,
    gains: &'a Gains,
    wind: &'a mut dyn Wind,
    seed: u64,
}

impl Work for Alone<'_> {
    type Output = Flight;

    #[inline(always)]
    fn run<R: Real>(self, zero: R) -> Flight {
        let Alone {
            setup,
            trajectory,
            gains,
            wind,
            seed,
        } = self;

        let airframe = &setup.airframe;
        let drawn = setup.uncertain.then(|| airframe.drawn(seed));
        let vehicle = drawn.as_ref().unwrap_or(airframe);
        let mut position_loop = PositionLoop::new(airframe, gains);
        let mut inner_loops = InnerLoops::new(airframe, gains, zero);
        let mut sensors = Sensors::new(setup.sensors, seed);
        let mut state = start(airframe, trajectory);
        let mut body = Body::new(setup, vehicle, &state, zero);
        let mut tally = Tally::new(zero);
        let mut ticks_flown = 0;
        let mut samples = Vec::new();
        let per_hover = airframe.hover_speed_rad_s().powi(-2);
        let ticks = (trajectory.duration_s() / CONTROL_PERIOD_S).round() as u64;
        let mut outcome = Outcome::Completed;
        let mut impact = Impact::default();
        let mut landed = false;

        for tick in 0..ticks {
            let time_s = tick as f64 * CONTROL_PERIOD_S;
            let reference = trajectory.at(time_s);
            let footing = trajectory.footing(time_s);
            if let Some(touch) = body.touch.take() {
                impact.add(tick, &touch, footing, vehicle);
                landed |= footing == Footing::Landing;
            }
            let body_now = Motion::of(zero, &state);
            let rotors = state.rotors_rad_s.map(|n| zero.like(n));
            let sound = zero.all(sound(&body_now, &rotors, &reference));
            let astray = || {
                let why = if sound {
                    None
                } else {
                    lost(&state, &reference)
                };
                why.map(|why| Outcome::Lost { at_s: time_s, why })
            };
            if let Some(end) = impact.end(tick).or_else(astray) {
                outcome = end;
                break;
            }
            let seen = sensors.see(&state);
            if CascadedPid::positions_at(tick) {
                let measured = sensors.measure(&seen);
                if footing != Footing::Ground {
                    let aim = position_loop.aim(&reference, &measured);
                    inner_loops.aim(|_| aim);
                }
            }
            let felt = sensors.measure_inertial(&seen);
            let mut command = inner_loops.command(
                Turn::fill(zero, |_| felt.attitude.into_inner()),
                Axes::fill(zero, |_| felt.rates_rad_s),
            );
            if landed || footing == Footing::Ground {
                command.speeds = [zero.like(airframe.rotors.min_speed_rad_s); 4];
            }
            let wind_m_s = wind.step();
            tally.add(&instant(
                &body_now, &rotors, &reference, &command, per_hover,
            ));
            ticks_flown = tick + 1;
            if setup.record_every > 0 && tick.is_multiple_of(u64::from(setup.record_every)) {
                samples.push(Sample {
                    time_s,
                    state,
                    reference,
                    command: command.into(),
                    wind_m_s,
                });
            }
            for _ in 0..setup.steps_per_period {
                body.advance(&mut state, &command.speeds, &wind_m_s);
            }
        }
        Flight {
            outcome,
            score: tally.score(0, ticks_flown),
            samples,
        }
    }
}

fn start(airframe: &Airframe, trajectory: &dyn Trajectory) -> State {
    let reference = trajectory.at(0.0);
    let rotors_rad_s = match trajectory.footing(0.0) {
        Footing::Ground => airframe.rotors.min_speed_rad_s,
        _ => airframe.hover_speed_rad_s(),
    };
    State {
        position_m: reference.position_m,
        velocity_m_s: reference.velocity_m_s,
        attitude: UnitQuaternion::from_axis_angle(&Vector3::z_axis(), reference.yaw_rad),
        rates_rad_s: Vector3::zeros(),
        rotors_rad_s: [rotors_rad_s; 4],
    }
}

/// What one control period contributes to the score. `per_hover` is 1 / hover speed².
#[inline(always)]
fn instant<R: Real>(
    body: &Motion<R>,
    speeds: &[R; 4],
    reference: &Reference,
    command: &Commands<R>,
    per_hover: f64,
) -> Instant<R> {
    let like = speeds[0];
    let position_error = body.position - Axes::fill(like, |_| reference.position_m);
    let velocity_error = body.velocity - Axes::fill(like, |_| reference.velocity_m_s);
    let strain = |n: R| {
        let excess = n * n * per_hover - 1.0;
        excess * excess
    };
    let [a, b, c, d] = *speeds;
    Instant {
        position_error_squared: position_error.dot(position_error),
        velocity_error_squared: velocity_error.dot(velocity_error),
        effort: (strain(a) + strain(b)) + (strain(c) + strain(d)),
        unsaturated: command.unsaturated,
        force_limited: command.force_limited,
    }
}

/// Where a flight is certainly not [`lost`].
#[inline(always)]
fn sound<R: Real>(body: &Motion<R>, speeds: &[R; 4], reference: &Reference) -> R::Mask {
    let Motion {
        position,
        velocity,
        attitude,
        rates,
    } = *body;
    let [a, b, c, d] = *speeds;
    let error = position - Axes::fill(a, |_| reference.position_m);
    // Infinite or NaN where any of these numbers is.
    let size = velocity.dot(velocity)
        + (attitude.w.abs() + attitude.i.dot(attitude.i))
        + ((a.abs() + b.abs()) + (c.abs() + d.abs()));
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

fn lost(state: &State, reference: &Reference) -> Option<Loss> {
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

//! A flight: one vehicle, one controller, one trajectory, one wind, from start to end.

use crate::contact::{Contact, Hull, Part, Surface, Touch};
use crate::control::{CONTROL_PERIOD_S, CascadedPid, Gains, RotorCommand};
use crate::quadrotor::{Integrator, Quadrotor, State};
use crate::score::{ACE_CAP_M, Instant, Score, Tally};
use crate::sensors::{SensorNoise, Sensors};
use crate::{Airframe, Wind, World};
use nalgebra::{UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};
use trajectories::{Footing, Reference, Trajectory};

/// Distance from the reference at which a flight counts as lost [m].
const LOST_M: f64 = 5.0;

/// Body rate at which a flight counts as lost [rad/s].
const SPINNING_RAD_S: f64 = 100.0;

/// Change of speed by an impact on the landing gear that a vehicle survives where it may touch the
/// ground: a fall from 20 cm [m/s].
const HARD_LANDING_M_S: f64 = 2.0;

/// Control periods over which the impulses of one impact are summed; the contact solver spreads an
/// impact over two to five.
const IMPACT_PERIODS: u64 = 10;

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
}

impl Setup {
    /// The default conditions for `airframe`: the nominal vehicle with sensor noise over level
    /// ground, 1 ms steps, nothing recorded.
    pub fn new(airframe: Airframe) -> Setup {
        Setup {
            airframe,
            uncertain: false,
            sensors: SensorNoise::default(),
            world: World::ground(),
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
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Divergence {
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

impl std::fmt::Display for Divergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Divergence::FarFromReference => f.write_str("more than 5 m from the reference"),
            Divergence::Spinning => f.write_str("body rates above 100 rad/s"),
            Divergence::NotFinite => f.write_str("a number overflowed"),
            Divergence::Hit(collision) => {
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
/// level, with the rotors at hover speed, or standing with the rotors stopped where the trajectory
/// begins on the ground. `seed` decides the sensor noise, and the vehicle where it is uncertain.
pub fn fly(
    setup: &Setup,
    trajectory: &dyn Trajectory,
    gains: &Gains,
    wind: &mut dyn Wind,
    seed: u64,
) -> Flight {
    let airframe = &setup.airframe;
    let drawn = setup
        .uncertain
        .then(|| airframe.uncertainty.draw(airframe, seed));
    let vehicle = drawn.as_ref().unwrap_or(airframe);
    let quadrotor = Quadrotor::new(vehicle);
    let mut body = Body::new(setup, vehicle, &quadrotor);
    let mut controller = CascadedPid::new(airframe, gains);
    let mut sensors = Sensors::new(setup.sensors, seed);
    let mut state = start(airframe, trajectory);
    let mut tally = Tally::default();
    let mut samples = Vec::new();
    let hover = airframe.hover_speed_rad_s();
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
        if let Some(end) = impact
            .crash(tick)
            .or_else(|| lost(&state, &reference).map(|why| Outcome::Diverged { at_s: time_s, why }))
        {
            outcome = end;
            break;
        }
        let seen = sensors.see(&state);
        if CascadedPid::positions_at(tick) {
            let measured = sensors.measure(&seen);
            if footing != Footing::Ground {
                controller.aim(&reference, &measured);
            }
        }
        let mut command = controller.command(&sensors.measure_inertial(&seen));
        if landed || footing == Footing::Ground {
            command.speeds_rad_s = [airframe.rotors.min_speed_rad_s; 4];
        }
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
            body.advance(&mut state, &command.speeds_rad_s, &wind_m_s);
        }
    }
    Flight {
        outcome,
        score: tally.score(),
        samples,
    }
}

/// The vehicle's body: in free flight our integrator moves it, near a surface the contact solver.
struct Body<'a> {
    integrator: Integrator<'a>,
    vehicle: &'a Airframe,
    world: &'a World,
    hull: Hull,
    dt_s: f64,
    contact: Option<Contact>,
    /// The hardest touch since it was last looked at.
    touch: Option<Touch>,
}

impl<'a> Body<'a> {
    fn new(setup: &'a Setup, vehicle: &'a Airframe, quadrotor: &'a Quadrotor) -> Body<'a> {
        let dt_s = CONTROL_PERIOD_S / f64::from(setup.steps_per_period);
        Body {
            integrator: Integrator::new(quadrotor, dt_s),
            vehicle,
            world: &setup.world,
            hull: Hull::of(vehicle),
            dt_s,
            contact: None,
            touch: None,
        }
    }

    fn advance(&mut self, state: &mut State, command: &[f64; 4], wind_m_s: &Vector3<f64>) {
        self.hand_over(state);
        let Some(contact) = &mut self.contact else {
            self.integrator.step(state, command, wind_m_s);
            return;
        };
        let touch = self
            .integrator
            .step_in_contact(contact, state, command, wind_m_s);
        let hardest = self.touch.map_or(0.0, |touch| touch.impulse_n_s);
        self.touch = touch
            .filter(|touch| touch.impulse_n_s > hardest)
            .or(self.touch);
    }

    /// Gives the body to the contact solver on approach and takes it back when it is clear.
    fn hand_over(&mut self, state: &State) {
        let clearance_m = self.world.clearance_m(&state.position_m);
        let speed_m_s = state.velocity_m_s.norm();
        let dt_s = self.dt_s;
        if self.contact.is_none() {
            if clearance_m < self.hull.take_over_m(speed_m_s, dt_s) && state.is_finite() {
                self.contact = Some(Contact::new(self.world, self.vehicle, state, dt_s));
            }
        } else if clearance_m > self.hull.give_back_m(speed_m_s, dt_s) {
            self.contact = None;
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

fn lost(state: &State, reference: &Reference) -> Option<Divergence> {
    if !state.is_finite() {
        return Some(Divergence::NotFinite);
    }
    if (state.position_m - reference.position_m).norm_squared() > LOST_M * LOST_M {
        return Some(Divergence::FarFromReference);
    }
    if state.rates_rad_s.norm_squared() > SPINNING_RAD_S * SPINNING_RAD_S {
        return Some(Divergence::Spinning);
    }
    None
}

/// The touches of one impact, until it is clear what they amount to.
#[derive(Debug, Default)]
struct Impact {
    /// Control tick of the first touch.
    since: u64,
    impulse_n_s: f64,
    hardest: Option<Touch>,
    crash: bool,
}

impl Impact {
    fn add(&mut self, tick: u64, touch: &Touch, footing: Footing, vehicle: &Airframe) {
        if self.hardest.is_none() || (!self.crash && tick >= self.since + IMPACT_PERIODS) {
            *self = Impact {
                since: tick,
                ..Impact::default()
            };
        }
        self.impulse_n_s += touch.impulse_n_s;
        let hardest = self.hardest.get_or_insert(*touch);
        if touch.impulse_n_s > hardest.impulse_n_s {
            *hardest = *touch;
        }
        let gentle = touch.part == Part::Gear
            && touch.surface == Surface::Ground
            && self.impulse_n_s <= HARD_LANDING_M_S * vehicle.mass_kg;
        self.crash |= footing == Footing::Air || !gentle;
    }

    /// The end of the flight, once a crash has spent its impulse.
    fn crash(&self, tick: u64) -> Option<Outcome> {
        let touch = self
            .hardest
            .filter(|_| self.crash && tick >= self.since + IMPACT_PERIODS)?;
        Some(Outcome::Diverged {
            at_s: self.since as f64 * CONTROL_PERIOD_S,
            why: Divergence::Hit(Collision {
                obstacle: match touch.surface {
                    Surface::Ground => None,
                    Surface::Obstacle(index) => Some(index),
                },
                point_m: touch.point_m.into(),
                impulse_n_s: self.impulse_n_s,
            }),
        })
    }
}

//! Batch: several flights at once, each with its own wind, one flight a lane.
//!
//! All flights of a batch are at the same instant, so the reference is evaluated once for all. The
//! arithmetic is that of a single flight, lane by lane, and every random number comes from the
//! flight's own seed: a flight has the same bits here as from [`fly`](super::fly), whatever flies
//! beside it.
//!
//! A flight that comes near a surface leaves its batch and is flown again by itself, from the
//! start, with the contact solver; so are all flights whose sensors have a delay or noise on
//! attitude and rates, and those that begin or end on the ground. A flight that is lost keeps its
//! lane, idle, until its batch is done.

use super::{Flight, Loss, Outcome, Setup, instant, lost, sound, start};
use crate::control::sensors::Sensors;
use crate::control::{CONTROL_PERIOD_S, CascadedPid, InnerLoops, PositionLoop};
use crate::flight::score::Tally;
use crate::lanes::axes::Axes;
use crate::lanes::{MOST_LANES, Real, Work};
use crate::vehicle::contact::Hull;
use crate::vehicle::integrator::Stepper;
use crate::vehicle::plant::{Motion, Plant};
use crate::vehicle::state::State;
use crate::{Airframe, Gains, Wind, lanes};
use nalgebra::Vector3;
use trajectories::{Footing, Reference, Trajectory};

/// Flies `trajectory` with `gains` once for each of `seeds`, in the wind that `weather` makes of
/// the seed. The flights are those of [`fly`](super::fly) to the last bit, in the order of their
/// seeds, but unrecorded.
pub fn fly_many<W: Wind>(
    setup: &Setup,
    trajectory: &dyn Trajectory,
    gains: &Gains,
    weather: impl Fn(u64) -> W,
    seeds: &[u64],
) -> Vec<Flight> {
    let setup = Setup {
        record_every: 0,
        ..setup.clone()
    };
    let mission = Mission {
        setup: &setup,
        trajectory,
        gains,
        weather: &weather,
    };
    let noise = &setup.sensors;
    if noise.delay_periods > 0
        || noise.attitude_rad > 0.0
        || noise.rates_rad_s > 0.0
        || trajectory.footing(0.0) != Footing::Air
    {
        return seeds.iter().map(|seed| mission.alone(*seed)).collect();
    }
    let together = Together {
        mission: &mission,
        seeds,
    };
    lanes::run(setup.instructions, together)
}

/// What is flown.
struct Mission<'a, F> {
    setup: &'a Setup,
    trajectory: &'a dyn Trajectory,
    gains: &'a Gains,
    weather: &'a F,
}

impl<W: Wind, F: Fn(u64) -> W> Mission<'_, F> {
    fn alone(&self, seed: u64) -> Flight {
        let mut wind = (self.weather)(seed);
        super::fly(self.setup, self.trajectory, self.gains, &mut wind, seed)
    }
}

/// All flights of a mission, as many at once as there are lanes.
struct Together<'a, 'b, F> {
    mission: &'a Mission<'b, F>,
    seeds: &'a [u64],
}

impl<W: Wind, F: Fn(u64) -> W> Work for Together<'_, '_, F> {
    type Output = Vec<Flight>;

    #[inline(always)]
    fn run<R: Real>(self, zero: R) -> Vec<Flight> {
        let nominal = Plant::new(&self.mission.setup.airframe);
        let mut flights = Vec::with_capacity(self.seeds.len());
        for seeds in self.seeds.chunks(R::LANES) {
            let mut ends = [None; MOST_LANES];
            // What is left over fills its lanes with more of the same where that is faster than
            // flying it alone.
            if seeds.len() > R::LANES / 4 {
                let mut full = seeds.to_vec();
                full.resize(R::LANES, seeds[0]);
                ends = Batch::new(self.mission, &nominal, &full, zero).fly();
            }
            for (seed, end) in seeds.iter().zip(ends) {
                flights.push(match end {
                    Some((outcome, score)) => Flight {
                        outcome,
                        score,
                        samples: Vec::new(),
                    },
                    None => self.mission.alone(*seed),
                });
            }
        }
        flights
    }
}

/// How the flight in each lane ended, where it did so within the batch.
type Ends = [Option<(Outcome, crate::Score)>; MOST_LANES];

/// Steps for which the winds are drawn at once.
const WIND_STEPS: usize = 16;

/// Flights side by side.
struct Batch<'a, R, W, F> {
    mission: &'a Mission<'a, F>,
    hull: Hull,
    /// Clearance at which a vehicle at rest is certainly in free air [m].
    surely_clear_m: f64,
    plant: Plant<R>,
    stepper: Stepper<R>,
    position_loops: Vec<PositionLoop>,
    inner_loops: InnerLoops<R>,
    sensors: Vec<Sensors>,
    winds: Vec<W>,
    tally: Tally<R>,
    body: Motion<R>,
    /// 1 where the flight goes on, 0 where it is over.
    flying: R,
}

impl<'a, R: Real, W: Wind, F: Fn(u64) -> W> Batch<'a, R, W, F> {
    #[inline(always)]
    fn new(
        mission: &'a Mission<'a, F>,
        nominal: &Plant<f64>,
        seeds: &[u64],
        zero: R,
    ) -> Batch<'a, R, W, F> {
        let (setup, gains) = (mission.setup, mission.gains);
        let airframe = &setup.airframe;
        let drawn: Vec<Airframe> = seeds
            .iter()
            .filter(|_| setup.uncertain)
            .map(|seed| airframe.drawn(*seed))
            .collect();
        let plants: Vec<Plant<f64>> = drawn.iter().map(Plant::new).collect();
        let plant = Plant::fill(zero, |k| plants.get(k).unwrap_or(nominal));
        let state = start(airframe, mission.trajectory);
        let speeds = state.rotors_rad_s.map(|n| zero.like(n));
        let dt_s = CONTROL_PERIOD_S / f64::from(setup.steps_per_period);
        // The uncertainty leaves the geometry as it is.
        let hull = Hull::of(airframe);
        Batch {
            mission,
            // A millimetre for the rounding.
            surely_clear_m: hull.take_over_m(0.0, dt_s) + 1e-3,
            hull,
            stepper: Stepper::new(&plant, dt_s, &speeds),
            plant,
            position_loops: vec![PositionLoop::new(airframe, gains); seeds.len()],
            inner_loops: InnerLoops::new(airframe, gains, zero),
            sensors: seeds
                .iter()
                .map(|seed| Sensors::new(setup.sensors, *seed))
                .collect(),
            winds: seeds.iter().map(|seed| (mission.weather)(*seed)).collect(),
            tally: Tally::new(zero),
            body: Motion::of(zero, &state),
            flying: zero.like(1.0),
        }
    }

    #[inline(always)]
    fn fly(mut self) -> Ends {
        let Mission {
            setup, trajectory, ..
        } = *self.mission;
        let ticks = (trajectory.duration_s() / CONTROL_PERIOD_S).round() as u64;
        let per_hover = setup.airframe.hover_speed_rad_s().powi(-2);
        let zero = self.flying.like(0.0);
        let mut ends: Ends = [None; MOST_LANES];
        let mut winds = [[Vector3::zeros(); WIND_STEPS]; MOST_LANES];
        for tick in 0..ticks {
            let time_s = tick as f64 * CONTROL_PERIOD_S;
            let reference = trajectory.at(time_s);
            if trajectory.footing(time_s) != Footing::Air {
                return ends;
            }
            let alarm = R::pick(
                sound(&self.body, self.stepper.speeds(), &reference),
                zero,
                self.flying,
            );
            if !zero.all(alarm.below(zero.like(0.5))) {
                self.look_for_the_lost(tick, &reference, &mut ends);
                if zero.all(self.flying.below(zero.like(0.5))) {
                    return ends;
                }
            }
            if CascadedPid::positions_at(tick) {
                self.aim(&reference);
            }
            let command = self
                .inner_loops
                .command(self.body.attitude, self.body.rates);
            let now = tick as usize % WIND_STEPS;
            if now == 0 {
                self.draw_winds(&mut winds);
            }
            let wind = Axes::fill(zero, |k| winds[k][now]);
            let speeds = self.stepper.speeds();
            self.tally.add(&instant(
                &self.body, speeds, &reference, &command, per_hover,
            ));
            for _ in 0..setup.steps_per_period {
                if !zero.all(self.clear()) {
                    self.dismiss_the_low();
                }
                let (plant, stepper) = (&self.plant, &mut self.stepper);
                self.body = stepper.step(plant, &self.body, &command.speeds, wind).0;
            }
        }
        for (k, end) in ends.iter_mut().enumerate().take(R::LANES) {
            if self.flying.lane(k) == 1.0 {
                *end = Some((Outcome::Completed, self.tally.score(k, ticks)));
            }
        }
        ends
    }

    /// Where the vehicle is certainly in free air at this step.
    #[inline(always)]
    fn clear(&self) -> R::Mask {
        let world = &self.mission.setup.world;
        let (position, velocity) = (self.body.position, self.body.velocity);
        let ground_z_m = world.ground_z_m().unwrap_or(f64::NEG_INFINITY);
        let obstacles = if world.obstacles().is_empty() {
            0.0
        } else {
            f64::INFINITY
        };
        let speed = velocity.dot(velocity).sqrt();
        let dt_s = self.stepper.dt_s();
        let needed = speed * (2.0 * dt_s) + self.surely_clear_m;
        (needed + (ground_z_m + obstacles)).below(position.z)
    }

    #[inline(never)]
    fn draw_winds(&mut self, winds: &mut [[Vector3<f64>; WIND_STEPS]; MOST_LANES]) {
        for (wind, steps) in self.winds.iter_mut().zip(winds) {
            wind.steps(steps);
        }
    }

    #[cold]
    fn look_for_the_lost(&mut self, tick: u64, reference: &Reference, ends: &mut Ends) {
        for (k, end) in ends.iter_mut().enumerate().take(R::LANES) {
            let why: Option<Loss> = lost(&self.state(k), reference);
            if let Some(why) = why.filter(|_| self.flying.lane(k) == 1.0) {
                let at_s = tick as f64 * CONTROL_PERIOD_S;
                let outcome = Outcome::Lost { at_s, why };
                *end = Some((outcome, self.tally.score(k, tick)));
                self.dismiss(k);
            }
        }
    }

    #[cold]
    fn dismiss_the_low(&mut self) {
        for k in 0..R::LANES {
            let state = self.state(k);
            let clearance_m = self.mission.setup.world.clearance_m(&state.position_m);
            let speed_m_s = state.velocity_m_s.norm();
            if clearance_m < self.hull.take_over_m(speed_m_s, self.stepper.dt_s()) {
                self.dismiss(k);
            }
        }
    }

    fn dismiss(&mut self, lane: usize) {
        let flying = self.flying;
        self.flying = flying.fill(|k| if k == lane { 0.0 } else { flying.lane(k) });
    }

    /// Runs the position loops on what the sensors say.
    fn aim(&mut self, reference: &Reference) {
        let mut lane = 0;
        let states: Vec<State> = (0..R::LANES).map(|k| self.state(k)).collect();
        let loops = self.position_loops.iter_mut().zip(&mut self.sensors);
        let aims: Vec<_> = loops
            .map(|(position_loop, sensors)| {
                let measured = sensors.measure(&states[lane]);
                lane += 1;
                position_loop.aim(reference, &measured)
            })
            .collect();
        self.inner_loops.aim(|k| aims[k]);
    }

    fn state(&self, k: usize) -> State {
        self.body.state(self.stepper.speeds(), k)
    }
}

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

use super::alone::Alone;
use super::mission::{Due, Mission};
use super::outcome::{loss, sound};
use super::score::Tally;
use super::{Flight, Outcome, Setup};
use crate::control::sensors::Sensors;
use crate::control::{CascadedPid, InnerLoops, PositionLoop};
use crate::lanes::axes::Axes;
use crate::lanes::{MOST_LANES, Real, Work};
use crate::vehicle::contact::Hull;
use crate::vehicle::integrator::Stepper;
use crate::vehicle::plant::{Motion, Plant};
use crate::vehicle::state::State;
use crate::wind::Sheared;
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
    let together = Together {
        mission: Mission {
            setup: &setup,
            trajectory,
            gains,
        },
        weather: &weather,
        seeds,
    };
    let noise = &setup.sensors;
    if noise.delay_periods > 0
        || noise.attitude_rad > 0.0
        || noise.rates_rad_s > 0.0
        || trajectory.footing(0.0) != Footing::Air
    {
        return seeds.iter().map(|seed| together.alone(*seed)).collect();
    }
    lanes::run(setup.instructions, together)
}

/// All flights of a mission, as many at once as there are lanes.
struct Together<'a, F> {
    mission: Mission<'a>,
    weather: &'a F,
    seeds: &'a [u64],
}

impl<W: Wind, F: Fn(u64) -> W> Together<'_, F> {
    fn alone(&self, seed: u64) -> Flight {
        let alone = Alone {
            mission: self.mission,
            wind: &mut (self.weather)(seed),
            seed,
        };
        alone.fly()
    }
}

impl<W: Wind, F: Fn(u64) -> W> Work for Together<'_, F> {
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
                ends = Batch::new(&self, &nominal, &full, zero).fly();
            }
            for (seed, end) in seeds.iter().zip(ends) {
                flights.push(match end {
                    Some((outcome, score)) => Flight {
                        outcome,
                        score,
                        samples: Vec::new(),
                    },
                    None => self.alone(*seed),
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
struct Batch<'a, R, W> {
    mission: Mission<'a>,
    hull: Hull,
    /// Clearance at which a vehicle at rest is certainly in free air [m].
    surely_clear_m: f64,
    plant: Plant<R>,
    stepper: Stepper<R>,
    position_loops: Vec<PositionLoop>,
    inner_loops: InnerLoops<R>,
    sensors: Vec<Sensors>,
    winds: Vec<W>,
    /// What the height of each vehicle adds to its wind, where it does.
    sheared: [Option<Sheared>; MOST_LANES],
    /// What was drawn of each wind and not yet met.
    drawn: [[Vector3<f64>; WIND_STEPS]; MOST_LANES],
    tally: Tally<R>,
    body: Motion<R>,
    /// 1 where the flight goes on, 0 where it is over.
    flying: R,
    ends: Ends,
}

impl<'a, R: Real, W: Wind> Batch<'a, R, W> {
    #[inline(always)]
    fn new<F: Fn(u64) -> W>(
        together: &Together<'a, F>,
        nominal: &Plant<f64>,
        seeds: &[u64],
        zero: R,
    ) -> Batch<'a, R, W> {
        let mission = together.mission;
        let (setup, airframe) = (mission.setup, &mission.setup.airframe);
        let drawn: Vec<Airframe> = seeds
            .iter()
            .filter(|_| setup.uncertain)
            .map(|seed| airframe.drawn(*seed))
            .collect();
        let plants: Vec<Plant<f64>> = drawn.iter().map(Plant::new).collect();
        let plant = Plant::fill(zero, |k| plants.get(k).unwrap_or(nominal));
        let state = mission.start();
        let speeds = state.rotors_rad_s.map(|n| zero.like(n));
        // The uncertainty leaves the geometry as it is.
        let hull = Hull::of(airframe);
        let winds: Vec<W> = seeds.iter().map(|seed| (together.weather)(*seed)).collect();
        let sensors = |seed: &u64| Sensors::new(setup.sensors, *seed);
        Batch {
            mission,
            surely_clear_m: hull.surely_clear_m(setup.step_s()),
            hull,
            stepper: Stepper::new(&plant, setup.step_s(), &speeds),
            plant,
            position_loops: vec![PositionLoop::new(airframe, mission.gains); seeds.len()],
            inner_loops: InnerLoops::new(airframe, mission.gains, zero),
            sensors: seeds.iter().map(sensors).collect(),
            sheared: std::array::from_fn(|k| winds.get(k).and_then(Wind::sheared)),
            winds,
            drawn: [[Vector3::zeros(); WIND_STEPS]; MOST_LANES],
            tally: Tally::new(airframe.hover_speed_rad_s(), zero),
            body: Motion::of(zero, &state),
            flying: zero.like(1.0),
            ends: [None; MOST_LANES],
        }
    }

    #[inline(always)]
    fn fly(mut self) -> Ends {
        let mission = self.mission;
        for tick in 0..mission.ticks() {
            let due = mission.at(tick);
            // Near the ground the rest is flown alone.
            if due.footing != Footing::Air || !self.some_fly_on(&due) {
                return self.ends;
            }
            if CascadedPid::positions_at(tick) {
                self.aim(&due.reference);
            }
            let (attitude, rates) = (self.body.attitude, self.body.rates);
            let command = self.inner_loops.command(attitude, rates);
            let wind = self.wind(tick);
            let speeds = self.stepper.speeds();
            (self.tally).add(&self.body, speeds, &due.reference, &command);
            for _ in 0..mission.setup.steps_per_period {
                self.advance(&command.speeds, wind);
            }
        }
        for k in 0..R::LANES {
            self.end(k, Outcome::Completed);
        }
        self.ends
    }

    /// Ends the flights that are lost now; false where no other is left.
    #[inline(always)]
    fn some_fly_on(&mut self, due: &Due) -> bool {
        let zero = self.flying.like(0.0);
        let sound = sound(&self.body, self.stepper.speeds(), &due.reference);
        let alarm = R::pick(sound, zero, self.flying);
        if zero.all(alarm.below(zero.like(0.5))) {
            return true;
        }
        self.end_the_lost(due);
        !zero.all(self.flying.below(zero.like(0.5)))
    }

    /// Wind velocity in each lane over one control period.
    #[inline(always)]
    fn wind(&mut self, tick: u64) -> Axes<R> {
        let now = tick as usize % WIND_STEPS;
        if now == 0 {
            self.draw_winds();
        }
        if self.sheared.iter().any(Option::is_some) {
            return self.at_their_heights(now);
        }
        Axes::fill(self.flying, |k| self.drawn[k][now])
    }

    /// The winds in `drawn` with what the heights of the vehicles add to them.
    #[inline(never)]
    fn at_their_heights(&self, now: usize) -> Axes<R> {
        let z_m = self.body.position.z;
        Axes::fill(self.flying, |k| {
            let wind = self.drawn[k][now];
            let sheared = self.sheared[k];
            sheared.map_or(wind, |sheared| {
                wind + sheared.at(self.mission.height_m(z_m.lane(k)))
            })
        })
    }

    /// One integration step. Whoever comes near a surface leaves the batch before it.
    #[inline(always)]
    fn advance(&mut self, command: &[R; 4], wind: Axes<R>) {
        if !self.flying.all(self.clear()) {
            self.dismiss_the_low();
        }
        let (plant, stepper) = (&self.plant, &mut self.stepper);
        self.body = stepper.step(plant, &self.body, command, wind).0;
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
    fn draw_winds(&mut self) {
        for (wind, steps) in self.winds.iter_mut().zip(&mut self.drawn) {
            wind.steps(steps);
        }
    }

    #[cold]
    fn end_the_lost(&mut self, due: &Due) {
        let at_s = due.time_s;
        for k in 0..R::LANES {
            if let Some(why) = loss(&self.state(k), &due.reference) {
                self.end(k, Outcome::Lost { at_s, why });
            }
        }
    }

    /// The flight in lane `k` is over, unless it was before.
    fn end(&mut self, k: usize, outcome: Outcome) {
        if self.flying.lane(k) == 1.0 {
            self.ends[k] = Some((outcome, self.tally.score(k)));
            self.dismiss(k);
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

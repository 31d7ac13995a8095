//! Lockstep: as many flights as a register has lanes, all at the same instant.
//!
//! The reference is evaluated once for all, and a wind that several flights meet is drawn once. The
//! arithmetic is that of a single flight, lane by lane, and every random number comes from the
//! flight's own seed.

use super::Weather;
use crate::control::sensors::Sensors;
use crate::control::{InnerLoops, PositionLoop, positions_at};
use crate::flight::Outcome;
use crate::flight::outcome::{Due, Mission, loss, sound};
use crate::flight::score::Tally;
use crate::flight::start::Begin;
use crate::lanes::axes::Axes;
use crate::lanes::{MOST_LANES, Real};
use crate::vehicle::contact::Hull;
use crate::vehicle::integrator::Stepper;
use crate::vehicle::plant::{Motion, Plant};
use crate::vehicle::rotors::of_lane;
use crate::vehicle::state::State;
use crate::wind::Sheared;
use crate::{Airframe, Gains, Wind};
use nalgebra::Vector3;
use std::collections::VecDeque;
use trajectories::{Footing, Reference};

/// One flight of a batch.
#[derive(Clone, Copy)]
pub(super) struct Lane<'a> {
    pub(super) gains: &'a Gains,
    pub(super) seed: u64,
}

/// Where the flight in a lane has its wind from.
enum Source<'w> {
    /// It is drawn for it.
    Own(Box<dyn Wind + 'w>),
    /// It is that of an earlier lane, of the same seed.
    Of(usize),
}

/// How the flight in each lane ended, where it did so within the batch.
pub(super) type Ends = [Option<(Outcome, crate::Score)>; MOST_LANES];

/// Steps for which the winds are drawn at once.
const WIND_STEPS: usize = 16;

/// Flights side by side.
pub(super) struct Lockstep<'a, 'w, R, const N: usize> {
    mission: Mission<'a>,
    /// That of each lane's vehicle.
    hulls: Vec<Hull>,
    /// Clearance at which a vehicle of any lane is certainly in free air at rest [m].
    surely_clear_m: f64,
    plant: Plant<R, N>,
    stepper: Stepper<R, N>,
    position_loops: Vec<PositionLoop>,
    inner_loops: InnerLoops<R, N>,
    sensors: Vec<Sensors>,
    winds: Vec<Source<'w>>,
    /// What the height of each vehicle adds to its wind, where it does.
    sheared: [Option<Sheared>; MOST_LANES],
    /// What was drawn of each wind and not yet met.
    drawn: [[Vector3<f64>; WIND_STEPS]; MOST_LANES],
    tally: Tally<R, N>,
    body: Motion<R>,
    /// Motions that the sensors have not shown yet, oldest first; empty without a delay.
    unseen: VecDeque<Motion<R>>,
    /// 1 while the flight lasts, 0 once it is over.
    flying: R,
    ends: Ends,
}

impl<'a, 'w, R: Real, const N: usize> Lockstep<'a, 'w, R, N> {
    /// One flight for each lane of `zero`.
    #[inline(always)]
    pub(super) fn new(
        mission: Mission<'a>,
        nominal: &Plant<f64, N>,
        weather: Weather<'_, 'w>,
        lanes: &[Lane],
        zero: R,
    ) -> Lockstep<'a, 'w, R, N> {
        let (setup, airframe) = (mission.setup, &mission.setup.airframe);
        let drawn: Vec<Airframe> = lanes
            .iter()
            .filter(|_| setup.uncertain)
            .map(|lane| airframe.drawn(lane.seed))
            .collect();
        let plants: Vec<Plant<f64, N>> = drawn.iter().map(Plant::new).collect();
        let plant = Plant::fill(zero, |k| plants.get(k).unwrap_or(nominal));
        let vehicle = |k: usize| drawn.get(k).unwrap_or(airframe);
        let hulls: Vec<Hull> = (0..lanes.len()).map(|k| Hull::of(vehicle(k))).collect();
        let clear_m = hulls.iter().map(|hull| hull.surely_clear_m(setup.step_s()));
        let winds = sources(lanes, weather);
        let begins: Vec<Begin> = (lanes.iter().enumerate())
            .map(|(k, lane)| {
                Begin::of(&mission, vehicle(k), lane.gains, || {
                    mission.mean_m_s(own(&winds, k))
                })
            })
            .collect();
        let starts: Vec<[f64; N]> = begins
            .iter()
            .map(|begin| begin.state.rotors_rad_s.padded())
            .collect();
        let speeds = std::array::from_fn(|i| zero.fill(|k| starts[k][i]));
        let body = Motion::fill(zero, |k| &begins[k].state);
        let mut inner_loops = InnerLoops::new(airframe, |k| lanes[k].gains, zero);
        inner_loops.hold(|k| begins[k].balance);
        let sensors = |lane: &Lane| Sensors::new(setup.sensors, lane.seed);
        Lockstep {
            mission,
            surely_clear_m: clear_m.fold(0.0, f64::max),
            hulls,
            stepper: Stepper::new(&plant, setup.step_s(), &speeds),
            plant,
            position_loops: begins
                .into_iter()
                .map(|begin| begin.position_loop)
                .collect(),
            inner_loops,
            sensors: lanes.iter().map(sensors).collect(),
            sheared: std::array::from_fn(|k| winds.get(k).and_then(|_| own(&winds, k).sheared())),
            winds,
            drawn: [[Vector3::zeros(); WIND_STEPS]; MOST_LANES],
            tally: Tally::new(airframe, zero),
            body,
            unseen: VecDeque::new(),
            flying: zero.like(1.0),
            ends: [None; MOST_LANES],
        }
    }

    /// Flies until all are over or near the ground.
    #[inline(always)]
    pub(super) fn fly(mut self) -> Ends {
        let mission = self.mission;
        let first_scored = mission.first_scored();
        for tick in 0..mission.ticks() {
            let due = mission.at(tick);
            // Near the ground the rest is flown alone.
            if due.footing != Footing::Air || !self.some_fly_on(&due) {
                return self.ends;
            }
            let seen = self.seen();
            if positions_at(tick) {
                self.aim(&due.reference, &seen);
            }
            let climb = seen.velocity.z;
            let command = (self.inner_loops).command(seen.attitude, seen.rates, climb);
            let wind = self.wind(tick);
            let speeds = self.stepper.speeds();
            if tick >= first_scored {
                (self.tally).add(&self.body, speeds, &due.reference, &command);
            }
            for _ in 0..mission.setup.steps_per_period {
                self.advance(&command.speeds, wind);
            }
        }
        for k in 0..R::LANES {
            self.end(k, Outcome::Completed);
        }
        self.ends
    }

    /// What the sensors show now: see [`Sensors::see`].
    #[inline(always)]
    fn seen(&mut self) -> Motion<R> {
        let delay = self.mission.setup.sensors.delay_periods as usize;
        if delay == 0 {
            return self.body;
        }
        self.unseen.push_back(self.body);
        let shown = self.unseen.front().copied().unwrap_or(self.body);
        if self.unseen.len() > delay {
            self.unseen.pop_front();
        }
        shown
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
    fn advance(&mut self, command: &[R; N], wind: Axes<R>) {
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
        for (lane, wind) in self.winds.iter_mut().enumerate() {
            match wind {
                Source::Own(wind) => wind.steps(&mut self.drawn[lane]),
                Source::Of(earlier) => self.drawn[lane] = self.drawn[*earlier],
            }
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
            let Some(hull) = self.hulls.get(k) else {
                break;
            };
            if clearance_m < hull.take_over_m(speed_m_s, self.stepper.dt_s()) {
                self.dismiss(k);
            }
        }
    }

    fn dismiss(&mut self, lane: usize) {
        let flying = self.flying;
        self.flying = flying.fill(|k| if k == lane { 0.0 } else { flying.lane(k) });
    }

    /// Runs the position loops on what the sensors say.
    fn aim(&mut self, reference: &Reference, seen: &Motion<R>) {
        let mut lane = 0;
        let speeds = self.stepper.speeds();
        let plant = &self.plant;
        let states: Vec<State> = (0..R::LANES)
            .map(|k| seen.state(of_lane(speeds, plant.count, k), k))
            .collect();
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
        let speeds = of_lane(self.stepper.speeds(), self.plant.count, k);
        self.body.state(speeds, k)
    }
}

/// Where each lane has its wind from: the first of each seed draws it.
fn sources<'w>(lanes: &[Lane], weather: Weather<'_, 'w>) -> Vec<Source<'w>> {
    let first = |seed| lanes.iter().position(|lane| lane.seed == seed);
    let source = |(number, lane): (usize, &Lane)| match first(lane.seed) {
        Some(earlier) if earlier < number => Source::Of(earlier),
        _ => Source::Own(weather(lane.seed)),
    };
    lanes.iter().enumerate().map(source).collect()
}

/// The wind of a lane.
fn own<'s>(winds: &'s [Source<'_>], lane: usize) -> &'s dyn Wind {
    match &winds[lane] {
        Source::Own(wind) => wind.as_ref(),
        Source::Of(earlier) => own(winds, *earlier),
    }
}

//! One flight, wherever it leads and whatever its sensors are.

use super::body::{Body, Impact, in_all_lanes};
use super::manoeuvre::Added;
use super::outcome::{Due, Mission, loss, sound};
use super::score::Tally;
use super::start::Begin;
use super::{Flight, Outcome, Sample};
use crate::control::sensors::Sensors;
use crate::control::{Commands, InnerLoops, PositionLoop};
use crate::lanes::axes::{Axes, Turn};
use crate::lanes::{Real, Work, run_single};
use crate::vehicle::per_rotor::{MOST_ROTORS, PerRotor};
use crate::vehicle::plant::Motion;
use crate::vehicle::rotors::QUAD;
use crate::vehicle::state::State;
use crate::{Airframe, GRAVITY_M_S2, Gains, InertialMeasurement, Measurement, Wind};
use trajectories::Footing;

/// A mission flown once, with one set of gains, in one wind.
pub(super) struct Single<'a> {
    pub(super) mission: Mission<'a>,
    pub(super) gains: &'a Gains,
    pub(super) wind: &'a mut dyn Wind,
    pub(super) seed: u64,
}

impl Single<'_> {
    pub(super) fn fly(self) -> Flight {
        run_single(self.mission.setup.instructions, self)
    }
}

impl Work for Single<'_> {
    type Output = Flight;

    #[inline(always)]
    fn run<R: Real>(self, zero: R) -> Flight {
        match self.mission.setup.airframe.rotors.count() {
            QUAD => self.flown::<R, QUAD>(zero),
            _ => self.flown::<R, MOST_ROTORS>(zero),
        }
    }
}

impl Single<'_> {
    /// The flight of a vehicle with places for `N` rotors.
    #[inline(always)]
    fn flown<R: Real, const N: usize>(self, zero: R) -> Flight {
        let (mission, setup) = (self.mission, self.mission.setup);
        // The autopilot knows the nominal vehicle, whatever flies.
        let drawn = setup.uncertain.then(|| setup.airframe.drawn(self.seed));
        let vehicle = drawn.as_ref().unwrap_or(&setup.airframe);
        let mut sensors = Sensors::new(setup.sensors, self.seed);
        let begin = Begin::of(&mission, vehicle, self.gains, || {
            mission.mean_m_s(self.wind)
        });
        let mut state = begin.state;
        let mut pilot = Pilot::new(&setup.airframe, self.gains, begin, zero);
        let mut body = Body::<R, N>::new(setup, vehicle, &state, zero);
        let mut impact = Impact::default();
        let mut tally = Tally::new(&setup.airframe, zero);
        let mut samples = Vec::new();
        let sheared = self.wind.sheared();
        let first_scored = mission.first_scored();
        let mut outcome = Outcome::Completed;
        for tick in 0..mission.ticks() {
            let due = mission.at(tick);
            // What was touched over the period before, and how that leaves the vehicle.
            if let Some(touch) = body.touch.take() {
                impact.add(tick, &touch, due.footing, vehicle);
                pilot.landed |= due.footing == Footing::Landing;
            }
            let motion = Motion::of(zero, &state);
            let rotors = in_all_lanes(&state.rotors_rad_s, zero);
            let is_sound = zero.all(sound(&motion, &rotors, &due.reference));
            if let Some(end) = impact.end(tick).or_else(|| end(is_sound, &state, &due)) {
                outcome = end;
                break;
            }
            // The autopilot sees what its sensors give, the score where the vehicle is.
            let (measured, felt) = sensors.sense(tick, &state);
            let added = (setup.manoeuvre.as_ref()).and_then(|added| added.at(due.time_s));
            let command = pilot.command(&due, measured.as_ref(), &felt, added, zero);
            let mut wind_m_s = self.wind.step();
            if let Some(sheared) = &sheared {
                wind_m_s += sheared.at(mission.height_m(state.position_m.z));
            }
            if tick >= first_scored {
                tally.add(&motion, &rotors, &due.reference, &command);
            }
            if setup.records(tick) {
                samples.push(Sample {
                    time_s: due.time_s,
                    state,
                    reference: due.reference,
                    command: pilot.inner_loops.single(&command),
                    felt,
                    measured,
                    wind_m_s,
                });
            }
            if let Some(rotor) = setup.rotor_out.and_then(|out| out.at(tick)) {
                body.stop(rotor);
            }
            // Command and wind are held until the next tick.
            for _ in 0..setup.steps_per_period {
                body.advance(&mut state, &command.speeds, &wind_m_s);
            }
        }
        Flight {
            outcome,
            score: tally.score(0),
            samples,
        }
    }
}

/// The end of a flight that is lost without an impact.
#[inline(always)]
fn end(is_sound: bool, state: &State, due: &Due) -> Option<Outcome> {
    if is_sound {
        return None;
    }
    let at_s = due.time_s;
    loss(state, &due.reference).map(|why| Outcome::Lost { at_s, why })
}

/// The autopilot of one flight.
struct Pilot<R, const N: usize> {
    position_loop: PositionLoop,
    inner_loops: InnerLoops<R, N>,
    /// Of the vehicle as the autopilot knows it [N].
    weight_n: f64,
    /// Whether the ground was felt where the trajectory lands.
    landed: bool,
    /// Speeds of rotors that are stopped [rad/s].
    stopped_rad_s: PerRotor,
}

impl<R: Real, const N: usize> Pilot<R, N> {
    #[inline(always)]
    fn new(airframe: &Airframe, gains: &Gains, begin: Begin, zero: R) -> Pilot<R, N> {
        let mut inner_loops = InnerLoops::new(airframe, |_| gains, zero);
        inner_loops.hold(|_| begin.balance);
        Pilot {
            position_loop: begin.position_loop,
            inner_loops,
            weight_n: airframe.mass_kg * GRAVITY_M_S2,
            landed: false,
            stopped_rad_s: PerRotor::new(airframe.rotors.count(), |_| {
                airframe.rotors.min_speed_rad_s
            }),
        }
    }

    /// The rotor commands of one control tick, from what was measured.
    #[inline(always)]
    fn command(
        &mut self,
        due: &Due,
        measured: Option<&Measurement>,
        felt: &InertialMeasurement,
        added: Option<Added>,
        zero: R,
    ) -> Commands<R, N> {
        // On the ground the position loop would only wind up its integral.
        if let Some(measured) = measured.filter(|_| due.footing != Footing::Ground) {
            let aim = self.position_loop.aim(&due.reference, measured);
            self.inner_loops.aim(|_| aim);
        }
        let mut command = self.inner_loops.command_added(
            Turn::fill(zero, |_| felt.attitude.into_inner()),
            Axes::fill(zero, |_| felt.rates_rad_s),
            zero.like(felt.climb_m_s),
            added.map(|added| {
                let rates = Axes::fill(zero, |_| added.rates_rad_s);
                (rates, zero.like(added.thrust_share * self.weight_n))
            }),
        );
        if self.landed || due.footing == Footing::Ground {
            command.speeds = in_all_lanes(&self.stopped_rad_s, zero);
        }
        command
    }
}

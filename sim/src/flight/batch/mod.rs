//! Batch: several flights at once, each with its own gains and its own wind, one flight a lane.
//!
//! A flight has the same bits here as from [`fly`](super::fly), whatever else is in the batch
//! ([`lockstep`]).
//!
//! A flight that comes near a surface leaves its batch and is flown again on its own, from the
//! start, with the contact solver; so are all flights whose sensors have noise on attitude and rates, those that begin or end on the ground, and those with
//! a manoeuvre or a rotor that stops. A flight that is lost keeps its
//! lane, idle, until its batch is done.

mod lockstep;

use super::outcome::Mission;
use super::single::Single;
use super::{Flight, Setup};
use crate::lanes::{MOST_LANES, Real, Work};
use crate::vehicle::per_rotor::MOST_ROTORS;
use crate::vehicle::plant::Plant;
use crate::vehicle::rotors::QUAD;
use crate::{Gains, Wind, lanes};
use lockstep::{Lane, Lockstep};
use trajectories::{Footing, Trajectory};

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
    let flown = fly_each(setup, trajectory, &[*gains], weather, seeds);
    flown.into_iter().flatten().collect()
}

/// For each of `gains` the flights of [`fly_many`]. Flights of one seed are side by side, and the
/// wind that they meet is drawn once for all that share a batch.
pub fn fly_each<W: Wind>(
    setup: &Setup,
    trajectory: &dyn Trajectory,
    gains: &[Gains],
    weather: impl Fn(u64) -> W,
    seeds: &[u64],
) -> Vec<Vec<Flight>> {
    let of_seed = |seed: u64| gains.iter().map(move |gains| (*gains, seed));
    let flights: Vec<(Gains, u64)> = seeds.iter().copied().flat_map(of_seed).collect();
    let flown = fly_all(setup, trajectory, &flights, weather);
    let mut sorted: Vec<Vec<Flight>> = gains.iter().map(|_| Vec::new()).collect();
    for (number, flight) in flown.into_iter().enumerate() {
        sorted[number % gains.len()].push(flight);
    }
    sorted
}

/// `flights`, each with gains and a seed of its own: those of [`fly`](super::fly) to the last bit,
/// in the same order, but unrecorded.
pub fn fly_all<W: Wind>(
    setup: &Setup,
    trajectory: &dyn Trajectory,
    flights: &[(Gains, u64)],
    weather: impl Fn(u64) -> W,
) -> Vec<Flight> {
    let setup = Setup {
        record_every: 0,
        ..setup.clone()
    };
    let lanes = flights
        .iter()
        .map(|(gains, seed)| Lane { gains, seed: *seed });
    let lanes: Vec<Lane> = lanes.collect();
    // With one kind of wind flights are compiled once, whatever wind a caller has.
    let weather = |seed| -> Box<dyn Wind + '_> { Box::new(weather(seed)) };
    let together = Together {
        mission: Mission {
            setup: &setup,
            trajectory,
        },
        weather: &weather,
        flights: &lanes,
    };
    together.fly()
}

/// The wind that is made of a seed.
type Weather<'a, 'w> = &'a dyn Fn(u64) -> Box<dyn Wind + 'w>;

/// All flights of a mission, as many at once as there are lanes.
struct Together<'a, 'w> {
    mission: Mission<'a>,
    weather: Weather<'a, 'w>,
    flights: &'a [Lane<'a>],
}

impl Together<'_, '_> {
    /// Not generic: a caller's crate, which may be compiled with less optimisation, has no copy of its own.
    fn fly(self) -> Vec<Flight> {
        let Mission { setup, trajectory } = self.mission;
        if setup.sensors.disturbs_inner_loops()
            || trajectory.footing(0.0) != Footing::Air
            || setup.rotor_out.is_some()
            || setup.manoeuvre.is_some()
        {
            let alone = self.flights.iter().map(|lane| self.alone(lane));
            return alone.collect();
        }
        lanes::run(setup.instructions, self)
    }

    fn alone(&self, lane: &Lane) -> Flight {
        let mut wind = (self.weather)(lane.seed);
        let alone = Single {
            mission: self.mission,
            gains: lane.gains,
            wind: wind.as_mut(),
            seed: lane.seed,
        };
        alone.fly()
    }
}

impl Work for Together<'_, '_> {
    type Output = Vec<Flight>;

    #[inline(always)]
    fn run<R: Real>(self, zero: R) -> Vec<Flight> {
        match self.mission.setup.airframe.rotors.count() {
            QUAD => self.flown::<R, QUAD>(zero),
            _ => self.flown::<R, MOST_ROTORS>(zero),
        }
    }
}

impl Together<'_, '_> {
    /// The flights of a vehicle with places for `N` rotors.
    #[inline(always)]
    fn flown<R: Real, const N: usize>(self, zero: R) -> Vec<Flight> {
        let nominal: Plant<f64, N> = Plant::new(&self.mission.setup.airframe);
        let mut flights = Vec::with_capacity(self.flights.len());
        for lanes in self.flights.chunks(R::LANES) {
            let mut ends = [None; MOST_LANES];
            // What is left over fills its lanes with more of the same where that is faster than
            // flying it alone.
            if lanes.len() > R::LANES / 4 {
                let mut full = lanes.to_vec();
                full.resize(R::LANES, lanes[0]);
                ends = Lockstep::new(self.mission, &nominal, self.weather, &full, zero).fly();
            }
            for (lane, end) in lanes.iter().zip(ends) {
                flights.push(match end {
                    Some((outcome, score)) => Flight {
                        outcome,
                        score,
                        samples: Vec::new(),
                    },
                    None => self.alone(lane),
                });
            }
        }
        flights
    }
}

//! Tuning: what one evaluation is. One flight of one trajectory in one fresh wind, or several in
//! as many winds; flights of several evaluations may be flown side by side.

pub mod limits;
pub mod seed;
#[cfg(test)]
mod tests;

use crate::streams::{Stream, Study};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sim::{
    ACE_CAP_M, Airframe, Domain, DomainWind, Flight, Gains, Outcome, Score, Setup, fly, fly_all,
    fly_each,
};
use trajectories::Trajectory;

/// Flights that one core flies together.
const TOGETHER: usize = 16;

/// Share of the training flights that meet the gusty domain: 100 of 115. The ratio is ours: the paper
/// has it between source and target samples of its regression, and says nothing of its flights.
pub const GUSTY_SHARE: f64 = 100.0 / 115.0;

/// The weather of one flight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weather {
    /// Name of the wind domain.
    pub domain: String,
    /// Seed of the gusts and of the sensor noise.
    #[serde(with = "seed")]
    pub seed: u64,
}

/// One flight of an evaluation, without its samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Flown {
    /// What it met.
    pub weather: Weather,
    /// How it ended.
    pub outcome: Outcome,
    /// How well it went while it lasted.
    pub score: Score,
}

/// What an evaluation costs: the mean over its flights of
/// J = ACE + w_e effort + w_s saturation, where effort is the time mean over the rotors of
/// (thrust / hover thrust − 1)² and saturation the share of the time in which a rotor was at the
/// end of its range. Both are pure numbers, so their weights are lengths. A lost flight has an ACE
/// of [`ACE_CAP_M`], as in held-out tests; an evaluation of which at least half the flights were
/// lost has no cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Weight of the control effort, w_e [m].
    pub effort_m: f64,
    /// Weight of the rotors' saturation, w_s [m].
    pub saturation_m: f64,
}

impl Flown {
    /// Whether the vehicle was lost.
    pub fn is_lost(&self) -> bool {
        self.outcome != Outcome::Completed
    }
}

impl Cost {
    /// Whether evaluations cost more than their error.
    pub fn is_weighted(&self) -> bool {
        self.effort_m != 0.0 || self.saturation_m != 0.0
    }

    /// The cost of an evaluation with these flights [m]; `None` if it is lost.
    pub fn of(&self, flights: &[Flown]) -> Option<f64> {
        let cost = |flown: &Flown| {
            let score = &flown.score;
            let error_m = match flown.is_lost() {
                true => ACE_CAP_M,
                false => score.ace_m.min(ACE_CAP_M),
            };
            error_m + self.effort_m * score.effort + self.saturation_m * score.rotor_saturation
        };
        let lost = has_no_cost(flights.iter().map(|flown| &flown.outcome));
        (!lost).then(|| flights.iter().map(cost).sum::<f64>() / flights.len() as f64)
    }
}

/// Whether an evaluation whose flights ended so is lost, that is, has no cost: where at least half
/// of them were. Everything that calls an evaluation lost asks this.
pub fn has_no_cost<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> bool {
    let (mut lost, mut flights) = (0, 0);
    for outcome in outcomes {
        flights += 1;
        lost += usize::from(*outcome != Outcome::Completed);
    }
    2 * lost >= flights
}

/// The tuning problem: vehicle, trajectory and winds.
pub struct Tuning {
    /// Vehicle and sensors.
    pub setup: Setup,
    /// What is flown.
    pub trajectory: Box<dyn Trajectory>,
    /// The domains in which gains are tested; in the paper's problem gusty and steady.
    pub domains: Vec<Domain>,
    /// The domains of the training flights.
    pub training: Vec<Domain>,
    /// The training flights' shares of these, in the same order; they sum to 1.
    pub shares: Vec<f64>,
    /// The study's seed: it decides the winds of the tests.
    pub seed: u64,
    /// Decides the training winds and everything that the study draws: the study's seed, or one of
    /// its own where the study takes an earlier run's flights as data, so that it meets none of
    /// their winds and none of their initial points again.
    pub study_seed: u64,
}

impl Tuning {
    /// The paper's problem for `trajectory`: the default airframe and the mixture of both domains.
    pub fn of_paper(trajectory: Box<dyn Trajectory>, seed: u64) -> Tuning {
        Tuning {
            setup: Setup::new(Airframe::omac()),
            trajectory,
            domains: vec![Domain::gusty(), Domain::steady()],
            training: vec![Domain::gusty(), Domain::steady()],
            shares: vec![GUSTY_SHARE, 1.0 - GUSTY_SHARE],
            seed,
            study_seed: seed,
        }
    }

    /// The domain whose wind margins are computed in: the first of training, or of the tests where a record
    /// of the first form has no other.
    pub fn usual_wind(&self) -> Option<&Domain> {
        self.training.first().or(self.domains.first())
    }

    /// The weather of training flight `number`: the same for every surrogate and every gain, so
    /// that the n-th flights of two runs of one seed differ by their gains alone.
    pub fn training_weather(&self, number: u64) -> Weather {
        // 53 bits make a number in [0, 1).
        let dice = (Study::Mixture.at(self.study_seed, number) >> 11) as f64 / (1u64 << 53) as f64;
        let mut passed = 0.0;
        let drawn = self.shares.iter().position(|share| {
            passed += share;
            dice < passed
        });
        // Rounding may leave the sum of the shares a little below 1.
        let domain = &self.training[drawn.unwrap_or(self.training.len() - 1)];
        Weather {
            domain: domain.name.clone(),
            seed: Study::Training.at(self.study_seed, number),
        }
    }

    /// The weathers of evaluation `number` where each consists of `flights` flights.
    pub fn weathers(&self, number: u64, flights: u64) -> Vec<Weather> {
        let numbers = number * flights..(number + 1) * flights;
        numbers.map(|n| self.training_weather(n)).collect()
    }

    /// Flies each of `flights`, gains in a weather, on all cores; the result depends neither on their
    /// number nor on what is flown in the same batch.
    pub fn evaluate(&self, flights: &[(Gains, Weather)]) -> Vec<Flown> {
        let flown = |(weather, flight): (&Weather, Flight)| Flown {
            weather: weather.clone(),
            outcome: flight.outcome,
            score: flight.score,
        };
        let together = flights.par_chunks(TOGETHER).flat_map_iter(|flights| {
            let of_each = self.fly_together(flights);
            let weathers = flights.iter().map(|(_, weather)| weather);
            weathers.zip(of_each).map(flown)
        });
        together.collect()
    }

    /// Unrecorded flights: those of [`Tuning::fly`] to the last bit.
    fn fly_together(&self, flights: &[(Gains, Weather)]) -> Vec<Flight> {
        let wind = |seed| {
            let met = flights.iter().find(|(_, weather)| weather.seed == seed);
            let (_, weather) = met.expect("only these seeds are flown");
            self.wind(self.domain(&weather.domain), seed)
        };
        let of_seed = |(gains, weather): &'_ (Gains, Weather)| (*gains, weather.seed);
        let flights: Vec<(Gains, u64)> = flights.iter().map(of_seed).collect();
        fly_all(&self.setup, self.trajectory.as_ref(), &flights, wind)
    }

    /// The domain of that name.
    fn domain(&self, name: &str) -> &Domain {
        let mut domains = self.domains.iter().chain(&self.training);
        let domain = domains.find(|domain| domain.name == name);
        domain.expect("a weather is made by the problem that flies it")
    }

    /// The wind of a domain that the flight of `seed` meets.
    fn wind(&self, domain: &Domain, seed: u64) -> DomainWind {
        domain.wind(seed, self.trajectory.duration_s())
    }

    /// The `number`-th held-out weather of a domain (0 gusty, 1 steady); none is ever flown in
    /// training.
    pub fn held_out_weather(&self, domain: usize, number: u64) -> Weather {
        Weather {
            domain: self.domains[domain].name.clone(),
            seed: Study::HeldOut.within(self.seed, domain as u64, number),
        }
    }

    /// The unrecorded flights of each of `gains` in winds of one domain, one a seed: those of
    /// [`Tuning::fly`] to the last bit, several at a time.
    pub fn fly_batch(&self, gains: &[Gains], domain: usize, seeds: &[u64]) -> Vec<Vec<Flight>> {
        let wind = |seed| self.wind(&self.domains[domain], seed);
        fly_each(&self.setup, self.trajectory.as_ref(), gains, wind, seeds)
    }

    /// One flight with `gains` in `weather`, recorded every `record_every` control periods
    /// (0: not at all).
    ///
    /// # Panics
    /// When the weather's domain is none of this problem's.
    pub fn fly(&self, gains: &Gains, weather: &Weather, record_every: u32) -> Flight {
        let mut wind = self.wind(self.domain(&weather.domain), weather.seed);
        let setup = Setup {
            record_every,
            ..self.setup.clone()
        };
        fly(
            &setup,
            self.trajectory.as_ref(),
            gains,
            &mut wind,
            weather.seed,
        )
    }
}

//! Tuning: what one evaluation is. One flight of one trajectory in one fresh wind, or several in
//! as many winds.

use crate::streams::{Stream, Study};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sim::{
    ACE_CAP_M, Airframe, Domain, Dryden, Flight, Gains, Outcome, Score, Setup, WindEvidence, fly,
    fly_many, telemetry,
};
use trajectories::Trajectory;

/// Flights of an evaluation that one core flies together.
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
    /// What its telemetry says of the wind, where a study asks; nothing of a flight too short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wind: Option<WindEvidence>,
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

    /// The cost of an evaluation with these flights [m]; nothing where it is lost.
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
    /// The study's seed: it decides the winds of the tests and of the floor.
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

    /// Flies `gains` in each of `weathers`, on all cores; the result does not depend on their
    /// number. Where they are `sensed`, each flight's telemetry is kept long enough to infer what
    /// it says of the wind; nothing else changes.
    pub fn evaluate(&self, gains: &Gains, weathers: Vec<Weather>, sensed: bool) -> Vec<Flown> {
        let flown = |(weather, flight): (&Weather, Flight)| Flown {
            wind: self.sensed(weather, &flight),
            weather: weather.clone(),
            outcome: flight.outcome,
            score: flight.score,
        };
        if sensed {
            let one = |weather| flown((weather, self.fly(gains, weather, 1)));
            return weathers.par_iter().map(one).collect();
        }
        let together = weathers.par_chunks(TOGETHER).flat_map_iter(|weathers| {
            let flights = self.fly_together(gains, weathers);
            weathers.iter().zip(flights).map(flown)
        });
        together.collect()
    }

    /// The unrecorded flights of `gains`: those of [`Tuning::fly`] to the last bit.
    fn fly_together(&self, gains: &Gains, weathers: &[Weather]) -> Vec<Flight> {
        let seeds: Vec<u64> = weathers.iter().map(|weather| weather.seed).collect();
        let wind = |seed| {
            let weather = weathers.iter().find(|weather| weather.seed == seed);
            let weather = weather.expect("only these seeds are flown");
            Dryden::new(self.domain(&weather.domain), seed)
        };
        fly_many(&self.setup, self.trajectory.as_ref(), gains, wind, &seeds)
    }

    /// The domain of that name.
    fn domain(&self, name: &str) -> &Domain {
        let mut domains = self.domains.iter().chain(&self.training);
        let domain = domains.find(|domain| domain.name == name);
        domain.expect("a weather is made by the problem that flies it")
    }

    /// What the telemetry of a flight that was recorded at every control period says of its wind.
    fn sensed(&self, weather: &Weather, flight: &Flight) -> Option<WindEvidence> {
        let logged = telemetry(&self.setup, &flight.samples, weather.seed)?;
        WindEvidence::of(&logged, self.setup.airframe.mass_kg)
    }

    /// The `number`-th held-out weather of a domain (0 gusty, 1 steady); none is ever flown in
    /// training.
    pub fn held_out_weather(&self, domain: usize, number: u64) -> Weather {
        Weather {
            domain: self.domains[domain].name.clone(),
            seed: Study::HeldOut.within(self.seed, domain as u64, number),
        }
    }

    /// The `number`-th weather of a domain in which its floor is searched; neither trained in nor
    /// held out by any study.
    pub fn floor_weather(&self, domain: usize, number: u64) -> Weather {
        Weather {
            domain: self.domains[domain].name.clone(),
            seed: Study::Floor.within(self.seed, domain as u64, number),
        }
    }

    /// The unrecorded flights of `gains` in winds of one domain, one a seed: those of
    /// [`Tuning::fly`] to the last bit, several at a time.
    pub fn fly_batch(&self, gains: &Gains, domain: usize, seeds: &[u64]) -> Vec<Flight> {
        let domain = &self.domains[domain];
        fly_many(
            &self.setup,
            self.trajectory.as_ref(),
            gains,
            |seed| Dryden::new(domain, seed),
            seeds,
        )
    }

    /// One flight with `gains` in `weather`, recorded every `record_every` control periods
    /// (0: not at all).
    ///
    /// # Panics
    /// When the weather's domain is none of this problem's.
    pub fn fly(&self, gains: &Gains, weather: &Weather, record_every: u32) -> Flight {
        let mut wind = Dryden::new(self.domain(&weather.domain), weather.seed);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn tuning(seed: u64) -> Tuning {
        Tuning::of_paper(trajectories::by_name("hover").expect("legal"), seed)
    }

    #[test]
    fn training_and_held_out_winds_never_meet() {
        let mut seeds = HashSet::new();
        for seed in 0..20 {
            let tuning = tuning(seed);
            for number in 0..200 {
                assert!(seeds.insert(tuning.training_weather(number).seed));
                for domain in 0..2 {
                    assert!(seeds.insert(tuning.held_out_weather(domain, number).seed));
                }
            }
        }
    }

    #[test]
    fn evaluations_of_many_flights_are_the_flights_alone() {
        let tuning = tuning(2);
        let gains = tuning.setup.airframe.gains;
        let weathers: Vec<Weather> = (0..21).map(|n| tuning.training_weather(n)).collect();
        assert!(weathers.iter().any(|w| w.domain == "steady"));
        let together = tuning.evaluate(&gains, weathers.clone(), false);
        assert_eq!(together.len(), 21);
        for (weather, flown) in weathers.iter().zip(&together) {
            assert_eq!(&flown.weather, weather);
            assert_eq!(tuning.fly(&gains, weather, 0).score, flown.score);
        }
    }

    #[test]
    fn flights_in_a_batch_are_the_flights_alone() {
        let tuning = tuning(2);
        let gains = tuning.setup.airframe.gains;
        let weathers: Vec<Weather> = (0..6).map(|n| tuning.held_out_weather(0, n)).collect();
        let seeds: Vec<u64> = weathers.iter().map(|weather| weather.seed).collect();
        let batch = tuning.fly_batch(&gains, 0, &seeds);
        for (weather, flight) in weathers.iter().zip(&batch) {
            assert_eq!(tuning.fly(&gains, weather, 0).score, flight.score);
        }
    }

    #[test]
    fn the_mixture_is_87_to_13() {
        let gusty = (0..20_000)
            .filter(|number| tuning(5).training_weather(*number).domain == "gusty")
            .count();
        // Standard error of a share of 0.87 over 20 000 draws: 0.0024.
        assert!(
            (gusty as f64 / 20_000.0 - GUSTY_SHARE).abs() < 4.0 * 0.0024,
            "{gusty}"
        );
    }

    fn flown(ace_m: f64, outcome: Outcome) -> Flown {
        Flown {
            weather: tuning(1).training_weather(0),
            outcome,
            score: Score {
                ace_m,
                mean_distance_m: 0.0,
                mean_square_m2: 0.0,
                max_error_m: 0.0,
                mean_state_error: 0.0,
                effort: 0.5,
                rotor_saturation: 0.25,
                force_limitation: 0.0,
            },
            wind: None,
        }
    }

    #[test]
    fn the_cost_is_the_mean_of_error_and_weighted_effort_and_saturation() {
        let flights = [
            flown(0.2, Outcome::Completed),
            flown(0.4, Outcome::Completed),
        ];
        let plain = Cost::default().of(&flights).expect("completed");
        assert!((plain - 0.3).abs() < 1e-12);
        let weighted = Cost {
            effort_m: 0.1,
            saturation_m: 2.0,
        };
        let cost = weighted.of(&flights).expect("completed");
        assert!(
            (cost - (0.3 + 0.1 * 0.5 + 2.0 * 0.25)).abs() < 1e-12,
            "{cost}"
        );
    }

    #[test]
    fn a_lost_flight_counts_the_cap_and_as_many_as_half_leave_no_cost() {
        let lost = Outcome::Diverged {
            at_s: 1.0,
            why: sim::Divergence::Spinning,
        };
        let [kept, lost] = [flown(0.2, Outcome::Completed), flown(0.1, lost)];
        let of = |flights: &[&Flown]| {
            let flights: Vec<Flown> = flights.iter().map(|flown| (*flown).clone()).collect();
            Cost::default().of(&flights)
        };
        assert_eq!(of(&[&lost]), None);
        assert_eq!(of(&[&kept, &lost]), None);
        let one_of_three = of(&[&kept, &lost, &kept]).expect("one of three is lost");
        assert!((one_of_three - (0.4 + ACE_CAP_M) / 3.0).abs() < 1e-12);
    }

    #[test]
    fn evaluations_of_several_flights_share_no_weather() {
        let tuning = tuning(4);
        assert_eq!(tuning.weathers(7, 1), [tuning.training_weather(7)]);
        let seeds = (0..50).flat_map(|n| tuning.weathers(n, 3)).map(|w| w.seed);
        assert_eq!(seeds.collect::<HashSet<_>>().len(), 150);
    }

    #[test]
    fn a_mixture_of_three_domains_is_drawn_by_its_shares() {
        let mut tuning = tuning(5);
        let third = Domain {
            name: "third".to_owned(),
            ..Domain::steady()
        };
        tuning.training.push(third);
        tuning.shares = vec![0.5, 0.2, 0.3];
        let drawn = (0..20_000).filter(|n| tuning.training_weather(*n).domain == "third");
        let share = drawn.count() as f64 / 20_000.0;
        // Standard error of a share of 0.3 over 20 000 draws: 0.0032.
        assert!((share - 0.3).abs() < 4.0 * 0.0032, "{share}");
    }

    #[test]
    fn the_same_weather_with_the_same_gains_is_the_same_flight() {
        let tuning = tuning(1);
        let weather = tuning.training_weather(0);
        let gains = tuning.setup.airframe.gains;
        let (once, again) = (
            tuning.fly(&gains, &weather, 0),
            tuning.fly(&gains, &weather, 10),
        );
        assert_eq!(once.score, again.score);
    }
}

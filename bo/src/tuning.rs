//! Tuning: what one evaluation is. One flight of one trajectory in one fresh wind.

use crate::history::Observation;
use serde::Serialize;
use sim::{Airframe, Domain, Dryden, Flight, Gains, Setup, fly};
use trajectories::Trajectory;

/// Streams of random numbers: training flights, held-out flights, the choice of domain, and the
/// flights of the floor's search.
const TRAINING: u64 = 11;
const HELD_OUT: u64 = 12;
const MIXTURE: u64 = 13;
const FLOOR: u64 = 14;

/// Share of the training flights that meet the gusty domain: 100 of 115, the paper's ratio of
/// source to target samples.
pub const GUSTY_SHARE: f64 = 100.0 / 115.0;

/// The weather of one flight.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Weather {
    /// Name of the wind domain.
    pub domain: String,
    /// Seed of the gusts and of the sensor noise.
    pub seed: u64,
}

/// The tuning problem: vehicle, trajectory and winds.
pub struct Tuning {
    /// Vehicle and sensors.
    pub setup: Setup,
    /// What is flown.
    pub trajectory: Box<dyn Trajectory>,
    /// The two domains: gusty, steady.
    pub domains: [Domain; 2],
    /// Share of the training flights in the first domain.
    pub gusty_share: f64,
    /// The study's seed: it decides every wind.
    pub seed: u64,
}

impl Tuning {
    /// The paper's problem for `trajectory`: the default airframe and the mixture of both domains.
    pub fn of_paper(trajectory: Box<dyn Trajectory>, seed: u64) -> Tuning {
        Tuning {
            setup: Setup::new(Airframe::omac()),
            trajectory,
            domains: [Domain::gusty(), Domain::steady()],
            gusty_share: GUSTY_SHARE,
            seed,
        }
    }

    /// The weather of training flight `number`: the same for every surrogate and every gain, so
    /// that the n-th flights of two runs of one seed differ by their gains alone.
    pub fn training_weather(&self, number: u64) -> Weather {
        // 53 bits make a number in [0, 1).
        let dice = (sim::mix(&[self.seed, MIXTURE, number]) >> 11) as f64 / (1u64 << 53) as f64;
        let domain = usize::from(dice >= self.gusty_share);
        Weather {
            domain: self.domains[domain].name.clone(),
            seed: sim::mix(&[self.seed, TRAINING, number]),
        }
    }

    /// The `number`-th held-out weather of a domain (0 gusty, 1 steady); none is ever flown in
    /// training.
    pub fn held_out_weather(&self, domain: usize, number: u64) -> Weather {
        Weather {
            domain: self.domains[domain].name.clone(),
            seed: sim::mix(&[self.seed, HELD_OUT, domain as u64, number]),
        }
    }

    /// The `number`-th weather of a domain in which its floor is searched; neither trained in nor
    /// held out by any study.
    pub fn floor_weather(&self, domain: usize, number: u64) -> Weather {
        Weather {
            domain: self.domains[domain].name.clone(),
            seed: sim::mix(&[self.seed, FLOOR, domain as u64, number]),
        }
    }

    /// One flight with `gains` in `weather`, recorded every `record_every` control periods
    /// (0: not at all).
    ///
    /// # Panics
    /// When the weather's domain is none of this problem's.
    pub fn fly(&self, gains: &Gains, weather: &Weather, record_every: u32) -> Flight {
        let domain = self
            .domains
            .iter()
            .find(|domain| domain.name == weather.domain)
            .expect("a weather is made by the problem that flies it");
        let mut wind = Dryden::new(domain, weather.seed);
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

/// What a study sees of a flight: its ACE, or that it crashed.
pub fn observation(flight: &Flight) -> Observation {
    Observation {
        cost: flight.cost_m(),
        crashed: !flight.completed(),
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

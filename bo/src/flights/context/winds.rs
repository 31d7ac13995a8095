//! Winds: the wind that each simulated flight met, as numbers for a surrogate.
//!
//! A flight in a rough wind costs more whatever its gains are. Told how rough it was, a surrogate takes
//! that part of the cost for the wind's and not for noise. The numbers are the root mean square and the
//! spread of the horizontal wind over the time of the flight, each in deviations from its mean over the
//! first of the study's own training winds, which are known before anything is flown. The wind of a
//! flight that was lost counts whole; what a wind gains with the height does not count. What a wind does
//! at one moment of a trajectory, and what it does to some gains more than to others, is left to the noise.

use crate::flights::tuning::{Flown, Tuning, Weather};
use sim::{CONTROL_PERIOD_S, Domain, WindFeatures};

/// Training winds whose mean and deviation are the units.
const LOOKED_AT: u64 = 64;

/// Least part of a mean that a deviation may be: winds that differ by less are all alike.
const LEAST_DEVIATION: f64 = 1e-6;

/// The winds of one study.
#[derive(Debug, Clone)]
pub struct Winds {
    domains: Vec<Domain>,
    flight_s: f64,
    mean: [f64; Winds::NUMBERS],
    deviation: [f64; Winds::NUMBERS],
}

impl Winds {
    /// Numbers of a wind.
    pub const NUMBERS: usize = Winds::NAMES.len();

    /// What they are.
    pub const NAMES: [&str; 2] = ["wind_rms", "wind_spread"];

    /// The winds in which `tuning` trains.
    pub fn of(tuning: &Tuning) -> Winds {
        let mut winds = Winds {
            domains: tuning.training.clone(),
            flight_s: tuning.trajectory.duration_s(),
            mean: [0.0; Winds::NUMBERS],
            deviation: [1.0; Winds::NUMBERS],
        };
        let first = (0..LOOKED_AT).map(|number| tuning.training_weather(number));
        let first: Vec<[f64; Winds::NUMBERS]> =
            first.filter_map(|own| winds.numbers(&own)).collect();
        let count = first.len() as f64;
        let mean = |k: usize| first.iter().map(|own| own[k]).sum::<f64>() / count;
        winds.mean = std::array::from_fn(mean);
        winds.deviation = std::array::from_fn(|k| {
            let squares = first.iter().map(|own| (own[k] - winds.mean[k]).powi(2));
            let deviation = (squares.sum::<f64>() / count).sqrt();
            match deviation > LEAST_DEVIATION * winds.mean[k].abs() {
                true => deviation,
                false => f64::INFINITY,
            }
        });
        winds
    }

    /// The context of one evaluation with these flights, of which there is at least one: the mean of what they
    /// met. A wind that is not known counts as the mean wind.
    pub fn context(&self, flights: &[Flown]) -> Vec<f64> {
        let met = flights.iter().map(|flown| self.met(&flown.weather));
        let sum = met.fold([0.0; Winds::NUMBERS], |sum, met| {
            let met = met.unwrap_or_default();
            std::array::from_fn(|k| sum[k] + met[k])
        });
        sum.map(|sum| sum / flights.len() as f64).to_vec()
    }

    /// What the flight in `weather` met, in deviations from the mean; nothing where it is none of the
    /// study's.
    pub fn met(&self, weather: &Weather) -> Option<[f64; Winds::NUMBERS]> {
        let numbers = self.numbers(weather)?;
        Some(std::array::from_fn(|k| {
            (numbers[k] - self.mean[k]) / self.deviation[k]
        }))
    }

    /// Root mean square and spread [m/s].
    fn numbers(&self, weather: &Weather) -> Option<[f64; Winds::NUMBERS]> {
        let own = |domain: &&Domain| domain.name == weather.domain;
        let domain = self.domains.iter().find(own)?;
        let mut wind = domain.wind(weather.seed, self.flight_s);
        let steps = (self.flight_s / CONTROL_PERIOD_S).round() as usize;
        let met = WindFeatures::met(&mut wind, steps);
        Some([met.rms_m_s(), met.spread_m_s])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper() -> Tuning {
        Tuning::of_paper(trajectories::by_name("hover").expect("shipped"), 3)
    }

    #[test]
    fn numbers_have_mean_0_and_variance_1_over_winds_that_did_not_make_the_units() {
        let tuning = paper();
        let winds = Winds::of(&tuning);
        let met: Vec<_> = (1_000..1_400)
            .filter_map(|number| winds.met(&tuning.training_weather(number)))
            .collect();
        assert_eq!(met.len(), 400);
        for k in 0..Winds::NUMBERS {
            let mean = met.iter().map(|own| own[k]).sum::<f64>() / 400.0;
            let variance = met.iter().map(|own| (own[k] - mean).powi(2)).sum::<f64>() / 400.0;
            // Of 64 winds the mean is known to an eighth of a deviation; five of these.
            assert!(mean.abs() < 0.7, "{k}: {mean}");
            assert!((0.4..2.5).contains(&variance), "{k}: {variance}");
        }
    }

    #[test]
    fn gusty_winds_spread_more_than_steady_ones() {
        let tuning = paper();
        let winds = Winds::of(&tuning);
        let spread = |domain: usize| {
            let numbers = 0..50;
            let met = numbers.map(|k| winds.met(&tuning.held_out_weather(domain, k)));
            met.map(|own| own.expect("a domain of the study")[1])
                .sum::<f64>()
                / 50.0
        };
        assert!(spread(0) > spread(1) + 1.0, "{} {}", spread(0), spread(1));
    }

    #[test]
    fn a_wind_of_no_domain_of_the_study_has_no_numbers_and_winds_all_alike_have_zeros() {
        let mut tuning = paper();
        let elsewhere = Weather {
            domain: "elsewhere".to_owned(),
            seed: 1,
        };
        assert_eq!(Winds::of(&tuning).met(&elsewhere), None);
        let still = Domain {
            sigma_m_s: [0.0; 3],
            ..Domain::steady()
        };
        (tuning.training, tuning.shares) = (vec![still], vec![1.0]);
        let met = Winds::of(&tuning).met(&tuning.training_weather(80));
        assert_eq!(
            met.map(|own| own.map(f64::abs)),
            Some([0.0; Winds::NUMBERS])
        );
    }
}

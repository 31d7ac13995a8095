//! Context: the wind of each flight as input of a surrogate, besides the gains.

use crate::error::choice::retired;
use crate::flights::tuning::{Flown, Tuning, Weather};
use crate::{Error, choice};
use search::surrogates;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sim::{CONTROL_PERIOD_S, Domain, WindFeatures};

/// The context of a study's surrogate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Context {
    /// Nothing.
    #[default]
    None,
    /// How rough each flight's wind was, which only a simulator knows ([`Winds`]); its effect on the cost adds to
    /// that of the gains.
    Winds,
    /// Environments that earlier versions inferred: their runs are shown, and no more.
    Retired(&'static str),
}

/// The legal names in their order.
pub const CONTEXTS: [(&str, Context); 2] = [("none", Context::None), ("winds", Context::Winds)];

impl Context {
    /// The choice of that name.
    ///
    /// # Errors
    /// When there is none; the message lists them.
    pub fn by_name(given: &str) -> Result<Context, Error> {
        let found = CONTEXTS.iter().find(|(name, _)| *name == given);
        let known = CONTEXTS.map(|(name, _)| name).join(", ");
        Ok(found
            .ok_or_else(|| choice::unknown("environments", given, &known))?
            .1)
    }

    /// That of the surrogate of that name where nothing else is asked for.
    pub fn usual(surrogate: &str) -> Context {
        match surrogate {
            surrogates::AUTO => Context::Winds,
            _ => Context::None,
        }
    }

    /// The surrogates that can use it.
    pub fn able(self) -> &'static [&'static str] {
        match self {
            Context::None => &surrogates::NAMES,
            Context::Winds => &surrogates::CONTEXTUAL,
            Context::Retired(_) => &[],
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Context::None => "none",
            Context::Winds => "winds",
            Context::Retired(name) => name,
        }
    }
}

impl Serialize for Context {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Context {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Context, D::Error> {
        let given = String::deserialize(from)?;
        match retired("environments", &given) {
            Some((name, _)) => Ok(Context::Retired(name)),
            None => Context::by_name(&given).map_err(serde::de::Error::custom),
        }
    }
}

/// Training winds whose mean and deviation are the units.
const LOOKED_AT: u64 = 64;

/// Least part of a mean that a deviation may be: winds that differ by less are all alike.
const LEAST_DEVIATION: f64 = 1e-6;

/// The winds of one study as numbers for a surrogate.
///
/// A flight in a rough wind costs more whatever its gains are. With its wind as context, a surrogate
/// attributes that part of the cost to the wind and not to noise. The numbers are the root mean square and
/// the spread of the horizontal wind over the time of the flight, each in deviations from its mean over the
/// first of the study's own training winds, which are known before anything is flown. The wind of a flight
/// that was lost counts whole; the increase of a wind with height does not count. The effect of a wind at
/// one moment of a trajectory, and its effect on some gains more than on others, is left to the noise.
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

    #[test]
    fn names_read_back_and_unknown_ones_are_listed() {
        for (name, context) in CONTEXTS {
            assert_eq!(Context::by_name(name).expect("legal"), context);
            assert_eq!(context.name(), name);
        }
        for name in ["wind", "telemetry"] {
            let line = Context::by_name(name).expect_err("unknown").to_string();
            let said = format!("--environments does not know `{name}`");
            assert!(
                line.starts_with(&said) && line.ends_with("none, winds"),
                "{line}"
            );
        }
        let earlier: Context = serde_json::from_str("\"labels\"").expect("of an earlier version");
        assert_eq!((earlier.name(), earlier.able().len()), ("labels", 0));
    }

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

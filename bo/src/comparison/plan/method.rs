//! Method: a way to come to gains. A surrogate or a baseline.

use crate::flights::tuning::GUSTY_SHARE;
use crate::run::settings::surrogate_name;
use crate::{Error, choice};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A way to come to gains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// The airframe's own gains: no tuning.
    DefaultGains,
    /// Uniform points of the search space.
    RandomSearch,
    /// CMA-ES, with the budget of the surrogates.
    CmaEs,
    /// Bayesian optimisation with the surrogate of that name.
    Surrogate(&'static str),
    /// CMA-ES in the winds of the test domain itself, with a large budget: what can be reached.
    Oracle,
}

/// The baselines by name.
pub const BASELINES: [(&str, Method); 4] = [
    ("default", Method::DefaultGains),
    ("random", Method::RandomSearch),
    ("cma-es", Method::CmaEs),
    ("floor", Method::Oracle),
];

/// The surrogate by whose posterior random search recommends.
const JUDGE_OF_RANDOM: &str = "gp";

impl Method {
    /// The method that the others are compared with unless another is named.
    pub const REFERENCE: Method = Method::Surrogate("gp");

    /// The method that stands by that name in a list of surrogates.
    ///
    /// # Errors
    /// When there is none; the message lists them and the nearest.
    pub fn of_surrogate(given: &str) -> Result<Method, Error> {
        Ok(Method::Surrogate(surrogate_name(given)?))
    }

    /// The name that it goes by on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Method::Surrogate(name) => name,
            baseline => {
                let known = BASELINES.iter().find(|(_, method)| *method == baseline);
                known.expect("every baseline is listed").0
            }
        }
    }

    /// The surrogate by whose posterior it recommends; `None` if it has none.
    pub fn surrogate(self) -> Option<&'static str> {
        match self {
            Method::Surrogate(name) => Some(name),
            Method::RandomSearch => Some(JUDGE_OF_RANDOM),
            Method::DefaultGains | Method::CmaEs | Method::Oracle => None,
        }
    }

    /// Whether what it finds depends on which winds it trained in.
    pub fn trains(self) -> bool {
        !matches!(self, Method::DefaultGains | Method::Oracle)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Method::DefaultGains => "default gains",
            Method::RandomSearch => "random search",
            Method::CmaEs => "CMA-ES",
            Method::Oracle => "floor",
            Method::Surrogate(name) => search::surrogates::label(name),
        })
    }
}

/// The winds of the tuning flights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Training {
    /// 100 gusty flights to 15 steady ones, the paper's ratio of source to target samples.
    Mixture,
    /// The gusty domain alone: the steady one is never met.
    Gusty,
}

/// The legal names in their order.
pub const TRAININGS: [(&str, Training); 2] =
    [("mixture", Training::Mixture), ("gusty", Training::Gusty)];

impl Training {
    /// Its name.
    pub fn name(self) -> &'static str {
        let known = TRAININGS.iter().find(|(_, training)| *training == self);
        known.expect("every training is listed").0
    }

    /// Share of the tuning flights in the gusty domain.
    pub fn gusty_share(self) -> f64 {
        match self {
            Training::Mixture => GUSTY_SHARE,
            Training::Gusty => 1.0,
        }
    }

    /// The training of that name.
    ///
    /// # Errors
    /// When there is none; the message lists them.
    pub fn by_name(given: &str) -> Result<Training, Error> {
        let known = TRAININGS.iter().find(|(name, _)| *name == given);
        let (_, training) = known.ok_or_else(|| {
            let names = TRAININGS.map(|(name, _)| name);
            choice::unknown("training", given, &names.join(", "))
        })?;
        Ok(*training)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_name_is_a_method_and_the_nearest_of_another_is_named() {
        for name in search::surrogates::NAMES {
            assert_eq!(Method::of_surrogate(name).expect("legal").name(), name);
        }
        let error = Method::of_surrogate("gp-level").expect_err("unknown");
        let line = error.to_string();
        assert!(line.contains("did you mean `gp-level-set`"), "{line}");
    }

    #[test]
    fn no_two_methods_share_a_name_or_a_label() {
        let baselines = BASELINES.map(|(_, method)| method);
        let surrogates = search::surrogates::NAMES.map(Method::Surrogate);
        let methods = baselines.into_iter().chain(surrogates);
        let methods: Vec<Method> = methods.collect();
        let distinct = |of: fn(&Method) -> String| {
            methods
                .iter()
                .map(of)
                .collect::<std::collections::BTreeSet<_>>()
                .len()
        };
        assert_eq!(distinct(|method| method.name().to_owned()), methods.len());
        assert_eq!(distinct(Method::to_string), methods.len());
    }
}

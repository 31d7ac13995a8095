//! Method: a way to come to gains. A surrogate, or one of the baselines beside them.

use crate::Error;
use crate::settings::surrogate_name;
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
    Floor,
}

/// The baselines by name.
pub const BASELINES: [(&str, Method); 4] = [
    ("default", Method::DefaultGains),
    ("random", Method::RandomSearch),
    ("cma-es", Method::CmaEs),
    ("floor", Method::Floor),
];

impl Method {
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

    /// The baseline or surrogate of that name.
    ///
    /// # Errors
    /// When there is none; the message lists the surrogates.
    pub fn by_name(given: &str) -> Result<Method, Error> {
        match BASELINES.iter().find(|(name, _)| *name == given) {
            Some((_, method)) => Ok(*method),
            None => Ok(Method::Surrogate(surrogate_name(given)?)),
        }
    }

    /// Whether what it finds depends on which winds it trained in.
    pub fn trains(self) -> bool {
        !matches!(self, Method::DefaultGains | Method::Floor)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Method::DefaultGains => "default gains",
            Method::RandomSearch => "random search",
            Method::CmaEs => "CMA-ES",
            Method::Floor => "floor",
            Method::Surrogate(name) => crate::surrogates::label(name),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_found_by_its_own_name() {
        let baselines = BASELINES.map(|(_, method)| method);
        let surrogates = crate::surrogates::NAMES.map(Method::Surrogate);
        for method in baselines.into_iter().chain(surrogates) {
            assert_eq!(Method::by_name(method.name()).expect("legal"), method);
        }
        assert!(Method::by_name("cma").is_err());
    }
}

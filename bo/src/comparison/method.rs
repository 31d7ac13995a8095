//! Method: a way to come to gains. A surrogate, or one of the baselines beside them.

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
    fn no_two_methods_share_a_name_or_a_label() {
        let baselines = BASELINES.map(|(_, method)| method);
        let surrogates = crate::surrogates::NAMES.map(Method::Surrogate);
        let methods: Vec<Method> = baselines.into_iter().chain(surrogates).collect();
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

//! Method: a way to come to gains. A surrogate, a baseline, or a program of the user's own.

use crate::flights::tuning::GUSTY_SHARE;
use crate::run::settings::surrogate_name;
use crate::{Error, choice};
use serde::{Deserialize, Serialize};
use shell::Failure;
use shell::files::checksum;
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
    /// A program of the user's own.
    Program(Program),
}

/// An optimiser that runs as a process of its own. Its name and command are kept as long as this process
/// lives, since the names of methods stand in all that is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Program {
    /// What tables call it.
    pub name: &'static str,
    /// What a shell starts.
    pub command: &'static str,
    /// How long it may take over an answer [s].
    #[serde(skip)]
    pub answer_s: u64,
}

/// The baselines by name.
pub const BASELINES: [(&str, Method); 3] = [
    ("default", Method::DefaultGains),
    ("random", Method::RandomSearch),
    ("cma-es", Method::CmaEs),
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
            Method::Program(program) => program.name,
            baseline => {
                let known = BASELINES.iter().find(|(_, method)| *method == baseline);
                known.expect("every baseline is listed").0
            }
        }
    }

    /// Its part of a cell's name: another command is another method.
    pub fn key(self) -> String {
        match self {
            Method::Program(Program { name, command, .. }) => {
                format!("{name}-{}", checksum(command.as_bytes()))
            }
            built_in => built_in.name().to_owned(),
        }
    }

    /// The surrogate by whose posterior it recommends; `None` if it has none.
    pub fn surrogate(self) -> Option<&'static str> {
        match self {
            Method::Surrogate(name) => Some(name),
            Method::RandomSearch => Some(JUDGE_OF_RANDOM),
            Method::DefaultGains | Method::CmaEs | Method::Program(_) => None,
        }
    }

    /// Whether what it finds depends on which winds it trained in.
    pub fn trains(self) -> bool {
        self != Method::DefaultGains
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Method::DefaultGains => "default gains",
            Method::RandomSearch => "random search",
            Method::CmaEs => "CMA-ES",
            Method::Surrogate(name) => search::surrogates::label(name),
            Method::Program(program) => program.name,
        })
    }
}

/// Letters of the longest name of a program.
const LONGEST_NAME: usize = 24;

impl Program {
    /// The program that `given` says as NAME=COMMAND.
    ///
    /// # Errors
    /// No command, or a name that another method has or that is none for a file.
    pub fn of(given: &str, answer_s: u64) -> Result<Program, Error> {
        let refused = |wanted: &str| Failure::out_of_range("method", given, wanted);
        let parts = given.split_once('=');
        let parts = parts.map(|(name, command)| (name, command.trim()));
        let (name, command) = parts
            .filter(|(_, command)| !command.is_empty())
            .ok_or_else(|| refused("NAME=COMMAND"))?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let short = (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(plain);
        if !short || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let wanted = "a NAME of 1 to 24 letters, digits and hyphens that begins with a letter";
            return Err(refused(wanted).into());
        }
        let known = search::surrogates::NAMES;
        let known = known.into_iter().chain(BASELINES.map(|(name, _)| name));
        let labels = search::surrogates::NAMES.map(search::surrogates::label);
        let mut taken = known.chain(labels).chain(["all", "none"]);
        if taken.any(|taken| taken.eq_ignore_ascii_case(name)) {
            return Err(refused("a NAME that no other method has").into());
        }
        Ok(Program {
            name: name.to_owned().leak(),
            command: command.to_owned().leak(),
            answer_s,
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
    fn a_program_has_a_name_of_its_own_and_a_key_that_follows_its_command() {
        let key = |given| Method::Program(Program::of(given, 9).expect("legal")).key();
        assert_ne!(key("mine=a --b=c"), key("mine=a --b=d"));
        assert_eq!(key("mine=a"), key("mine= a "));
        assert!(key("mine=a").starts_with("mine-"));
        let wanted = "a NAME of 1 to 24 letters, digits and hyphens that begins with a letter";
        for (given, wanted) in [
            ("mine", "NAME=COMMAND"),
            ("mine= ", "NAME=COMMAND"),
            ("=a", wanted),
            ("my method=a", wanted),
            ("../x=a", wanted),
            ("1st=a", wanted),
            ("cma-es=a", "a NAME that no other method has"),
            ("DIL-GP=a", "a NAME that no other method has"),
        ] {
            let line = Program::of(given, 9).expect_err("refused").to_string();
            assert_eq!(line, format!("--method is {given}; it must be {wanted}"));
        }
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

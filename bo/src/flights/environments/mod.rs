//! Environments: in which of a few kinds of weather each flight was flown, and for which of them
//! gains are wanted.
//!
//! Either inferred from each flight's own telemetry ([`Inference`]), or taken from the labels that
//! only a simulator knows, as a limit to compare with. A surrogate that takes environments learns
//! the cost from gains and environment together, and is asked for the target's.

mod inference;
mod logbook;
mod mixture;
mod record;
mod winds;

pub use inference::{Inference, Inferred};
pub use logbook::{Logbook, Sensed};
pub use mixture::{Mixture, Point};
pub use record::{ComponentRecord, EnvironmentsRecord, FlightRecord};
pub use winds::Winds;

use crate::search::surrogates;
use crate::{ChoiceError, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Where a flight's environment is known from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Environments {
    /// Nowhere: the surrogate is not told of any.
    #[default]
    None,
    /// Its own telemetry.
    Telemetry,
    /// The name of the domain that was drawn for it, which a real flight does not have.
    Labels,
    /// The wind itself, which only a simulator knows: no environments to aim at, but numbers whose effect
    /// on the cost is told from the gains' ([`Winds`]).
    Winds,
}

/// The legal names in their order.
pub const ENVIRONMENTS: [(&str, Environments); 4] = [
    ("none", Environments::None),
    ("telemetry", Environments::Telemetry),
    ("labels", Environments::Labels),
    ("winds", Environments::Winds),
];

/// The environment for which gains are searched and recommended.
///
/// By labels the first two are the domains of these names. By telemetry the gusty environment is
/// the one with the greater spread S of the wind, the steady one the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The gusty one.
    Gusty,
    /// The steady one.
    Steady,
    /// At each point the one in which the surrogate believes the cost to be greatest.
    Worst,
    /// All with equal weights, however often they were met.
    Mean,
}

/// The legal names in their order.
pub const TARGETS: [(&str, Target); 4] = [
    ("gusty", Target::Gusty),
    ("steady", Target::Steady),
    ("worst", Target::Worst),
    ("mean", Target::Mean),
];

/// The member of `known` called `given`.
fn by_name<T: Copy>(flag: &'static str, known: &[(&str, T)], given: &str) -> Result<T, Error> {
    let found = known.iter().find(|(name, _)| *name == given);
    let unknown = || {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        ChoiceError::unknown(flag, given, names.join(", "))
    };
    Ok(found.ok_or_else(unknown)?.1)
}

impl Environments {
    /// The choice of that name.
    ///
    /// # Errors
    /// When there is none; the message lists them.
    pub fn by_name(given: &str) -> Result<Environments, Error> {
        by_name("environments", &ENVIRONMENTS, given)
    }

    /// What the surrogate of that name is told of where nothing else is asked for.
    pub fn usual(surrogate: &str) -> Environments {
        match surrogate {
            surrogates::AUTO => Environments::Winds,
            _ => Environments::None,
        }
    }

    /// Whether one of several may be aimed at.
    pub fn are_told_apart(self) -> bool {
        matches!(self, Environments::Telemetry | Environments::Labels)
    }

    /// The surrogates that can be told of them.
    pub fn able(self) -> &'static [&'static str] {
        match self {
            Environments::None => &surrogates::NAMES,
            Environments::Telemetry | Environments::Labels => &surrogates::TOLD_OF_ENVIRONMENTS,
            Environments::Winds => &surrogates::TOLD_OF_COVARIATES,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        let known = ENVIRONMENTS.iter().find(|(_, own)| *own == self);
        known.expect("every choice is listed").0
    }
}

impl Target {
    /// The target of that name.
    ///
    /// # Errors
    /// When there is none; the message lists them.
    pub fn by_name(given: &str) -> Result<Target, Error> {
        by_name("target", &TARGETS, given)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        let known = TARGETS.iter().find(|(_, own)| *own == self);
        known.expect("every target is listed").0
    }
}

impl Serialize for Environments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Environments {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Environments, D::Error> {
        let given = String::deserialize(from)?;
        Environments::by_name(&given).map_err(serde::de::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Target, D::Error> {
        let given = String::deserialize(from)?;
        Target::by_name(&given).map_err(serde::de::Error::custom)
    }
}

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_unknown_ones_are_listed() {
        for (name, environments) in ENVIRONMENTS {
            assert_eq!(Environments::by_name(name).expect("legal"), environments);
            assert_eq!(environments.name(), name);
        }
        for (name, target) in TARGETS {
            assert_eq!(Target::by_name(name).expect("legal"), target);
            assert_eq!(target.name(), name);
        }
        let line = |result: Result<(), Error>| result.expect_err("unknown").to_string();
        assert_eq!(
            line(Environments::by_name("label").map(|_| ())),
            "--environments does not know `label`: did you mean `labels`? It may be none, telemetry, labels, winds"
        );
        assert_eq!(
            line(Target::by_name("calm").map(|_| ())),
            "--target does not know `calm`; it may be gusty, steady, worst, mean"
        );
    }
}

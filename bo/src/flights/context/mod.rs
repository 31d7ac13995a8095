//! Context: the wind of each flight as input of a surrogate, beside the gains.

mod winds;

pub use winds::Winds;

use crate::error::choice::retired;
use crate::{ChoiceError, Error};
use search::surrogates;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
            .ok_or_else(|| ChoiceError::unknown("environments", given, known))?
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
}

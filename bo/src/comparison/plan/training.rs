//! Training: in which winds a method may fly before it is tested in both.

use crate::flights::tuning::GUSTY_SHARE;
use crate::{ChoiceError, Error};
use serde::{Deserialize, Serialize};

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
            ChoiceError::unknown("training", given, names.join(", "))
        })?;
        Ok(*training)
    }
}

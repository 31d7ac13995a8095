//! Words: settings that are named, and how a record is read in which they stand.

use crate::error::choice::retired;
use crate::flights::context::Context;
use crate::{Error, choice};
use search::ACQUISITIONS;
use search::surrogates;
use serde::{Deserialize, Deserializer};

/// The legal name equal to `given`.
///
/// # Errors
/// When there is none; the message lists them and the nearest.
pub fn trajectory_name(given: &str) -> Result<&'static str, Error> {
    trajectories::by_name(given)?;
    let legal = trajectories::NAMES.into_iter().find(|name| *name == given);
    Ok(legal.expect("by_name knows exactly these names"))
}

/// The legal name equal to `given`.
///
/// # Errors
/// When there is none; the message lists them and the nearest, or what stands in the place of a retired
/// one.
pub fn surrogate_name(given: &str) -> Result<&'static str, Error> {
    choice::refuse_retired("surrogate", given)?;
    Ok(surrogates::legal(given)?)
}

/// Autopilots in whose ranges a search can stay.
pub const EXPORTABLE: [&str; 2] = ["px4", "ardupilot"];

/// The legal name equal to `given`.
fn one_of(flag: &'static str, names: &[&'static str], given: &str) -> Result<&'static str, Error> {
    let legal = names.iter().copied().find(|name| *name == given);
    legal.ok_or_else(|| choice::unknown(flag, given, &names.join(", ")))
}

/// The acquisition that goes without saying in a record: the paper's upper confidence bound.
pub const USUAL_ACQUISITION: &str = "ucb";

pub(super) fn usual_acquisition() -> &'static str {
    USUAL_ACQUISITION
}

pub(crate) fn one() -> u64 {
    1
}

pub(crate) fn is_one(count: &u64) -> bool {
    *count == 1
}

pub(super) fn surrogate_read<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
    let given = String::deserialize(from)?;
    match retired("surrogate", &given) {
        Some((name, _)) => Ok(name),
        None => surrogate_name(&given).map_err(serde::de::Error::custom),
    }
}

pub(super) fn acquisition_read<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<&'static str, D::Error> {
    let given = String::deserialize(from)?;
    match retired("acquisition", &given) {
        Some((name, _)) => Ok(name),
        None => acquisition_name(&given).map_err(serde::de::Error::custom),
    }
}

pub(super) fn autopilot_read<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<&'static str>, D::Error> {
    let given = Option::<String>::deserialize(from)?;
    let known = given.map(|given| one_of("exportable", &EXPORTABLE, &given));
    known.transpose().map_err(serde::de::Error::custom)
}

pub(super) fn is_usual(acquisition: &&'static str) -> bool {
    *acquisition == USUAL_ACQUISITION
}

pub(super) fn is_none(context: &Context) -> bool {
    *context == Context::None
}

/// The legal name equal to `given`.
///
/// # Errors
/// When there is none; the message lists them, or what stands in the place of a retired one.
pub fn acquisition_name(given: &str) -> Result<&'static str, Error> {
    choice::refuse_retired("acquisition", given)?;
    one_of("acquisition", &ACQUISITIONS, given)
}

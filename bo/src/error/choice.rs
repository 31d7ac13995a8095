//! Choice: a name or a setting that cannot be had.

use super::Error;
use shell::Failure;

/// Names that records of earlier versions hold and nothing is searched with any more: the setting, the name, and
/// what stands in its place.
const RETIRED: [(&str, &str, &str); 9] = [
    ("acquisition", "thompson", "ucb"),
    ("acquisition", "ucb-theory", "ucb"),
    ("environments", "labels", "winds"),
    ("environments", "telemetry", "winds"),
    ("surrogate", "gp-environments", "gp-level-set"),
    ("surrogate", "gp-informed", "gp-level-set"),
    ("surrogate", "gp-matern", "matern"),
    ("surrogate", "rbf", "matern"),
    ("surrogate", "rq", "matern"),
];

/// The retired name of that `setting` equal to `given`, with what stands in its place.
pub fn retired(setting: &str, given: &str) -> Option<(&'static str, &'static str)> {
    let found = RETIRED
        .iter()
        .find(|own| (own.0, own.1) == (setting, given));
    found.map(|(_, name, instead)| (*name, *instead))
}

/// Refuses a retired name of the setting `flag`, with what stands in its place.
///
/// # Errors
/// A usage error.
pub fn refuse_retired(flag: &str, given: &str) -> Result<(), Error> {
    retired(flag, given).map_or(Ok(()), |(given, instead)| {
        let line = format!("{flag} {given} is gone; take {instead}");
        Err(Failure::usage(line).into())
    })
}

/// That `flag`, without its dashes, was given a word that is none of those `known`.
pub fn unknown(flag: &str, given: &str, known: &str) -> Error {
    let rather = shell::names::rather(given, known);
    Failure::usage(format!("--{flag} does not know `{given}`{rather}")).into()
}

/// That the list `flag`, without its dashes, names the same thing twice.
pub fn named_twice(flag: &str, name: &str) -> Error {
    Failure::usage(format!("--{flag} names `{name}` twice")).into()
}

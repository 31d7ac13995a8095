//! Fields: the table of a study's settings. The study file, its printed form, the flags with their
//! help, and the command that makes a run again are loops over it.
//!
//! What has a structure of its own, the bounds of the gains and the winds, stands in [`PARTS`] and
//! is read and printed by rooms of its own.

mod flight;
mod problem;
mod tables;

use super::field::{Field, Flag, Legal, NONE, number};
use super::{Config, Fault, Set};
use serde::Serialize;
use toml::Value;

/// The tables of a study file in their order, with what stands above them. The first is the file.
pub const TABLES: [(&str, &str); 8] = [
    (
        "",
        "# A Windhover study: bo --config FILE. Every field may be left out; flags override it.\n\n",
    ),
    ("flight", ""),
    (
        "sensors",
        "# What the autopilot measures: white noise, position and velocity 50 times a second, the rest 1000.\n",
    ),
    ("budget", ""),
    ("acquisition", ""),
    (
        "cost",
        "# The cost of an evaluation is the mean over its flights of\n\
         #   J = ACE + effort_m * effort + saturation_m * saturation   [m]\n\
         # with ACE the root of the time mean of |p - p_d|^2, effort the time mean over the rotors of\n\
         # (thrust / hover thrust - 1)^2, saturation the share of the time with a rotor at the end of\n\
         # its range. A lost flight has an ACE of 2 m; an evaluation that loses at least half of its\n\
         # flights has no cost. Tests report ACE alone.\n",
    ),
    ("gains", ""),
    (
        "limits",
        "# Margins (sim margins): gains below a limit are neither flown nor recommended. On threads\n\
         # and flight_s the result does not depend.\n",
    ),
];

/// The keys of a study file whose structure is their own.
pub const PARTS: [&str; 3] = ["gains.bounds", "training", "test"];

/// Every setting in the order in which it is printed and read: what brings defaults of its own
/// stands before them.
pub fn fields() -> impl Iterator<Item = &'static Field> {
    problem::FIELDS
        .iter()
        .chain(&flight::FIELDS)
        .chain(&tables::FIELDS)
}

/// The field of that key.
pub fn field(key: &str) -> Option<&'static Field> {
    fields().find(|field| field.key == key)
}

/// A setting that a study file alone says.
const fn plain(
    key: &'static str,
    meaning: &'static str,
    legal: Legal,
    get: fn(&Config) -> Value,
    set: Set,
) -> Field {
    Field {
        key,
        meaning,
        flag: None,
        help: "",
        legal,
        get,
        set: Some(set),
    }
}

const fn flag(name: &'static str, value: &'static str) -> Option<Flag> {
    Some(Flag { name, value })
}

fn or_none(names: &[&'static str]) -> Vec<&'static str> {
    names.iter().copied().chain([NONE]).collect()
}

/// The word for what goes with the other settings.
const USUAL: &str = "usual";

fn or_usual(names: &[&'static str]) -> Vec<&'static str> {
    names.iter().copied().chain([USUAL]).collect()
}

/// The word of what was chosen, or that which stands for none.
fn usual_or(own: Option<impl Serialize>) -> Value {
    own.map_or_else(|| USUAL.into(), |own| Value::try_from(own).expect("a word"))
}

fn put<T>(place: &mut T, value: T) -> Result<(), Fault> {
    *place = value;
    Ok(())
}

fn put_number(place: &mut f64, given: &Value) -> Result<(), Fault> {
    put(place, number(given).expect("checked to be a number"))
}

fn count(given: &Value) -> u64 {
    let count = given.as_integer().and_then(|count| count.try_into().ok());
    count.expect("checked to be within limits that are not negative")
}

/// A number, or the word for none.
fn or_no_number(number: Option<f64>) -> Value {
    number.map_or_else(|| NONE.into(), Value::Float)
}

fn word(given: &Value) -> &str {
    given.as_str().unwrap_or_default()
}

/// What the name that is given stands for.
fn named<T: Copy>(known: &[(&str, T)], given: &Value) -> Option<T> {
    let known = known.iter().find(|(name, _)| *name == word(given));
    known.map(|(_, thing)| *thing)
}

/// The name that is given.
fn one_of(known: &[&'static str], given: &Value) -> Option<&'static str> {
    known.iter().copied().find(|name| *name == word(given))
}

//! Problem: the settings at the top of a study file: what is flown, and what learns from it.

use super::{flag, named, put, word};
use crate::flights::context::CONTEXTS;
use crate::run::settings::{LAMBDA, surrogate_name};
use crate::study::field::{Field, Legal, NONE, number, whole};
use crate::study::place::{airframe, in_short, kind, route, warm_start};
use crate::study::{Fault, Route};
use search::surrogates;
use sim::log::Format;
use toml::Value;

/// Forms of log.
const LOGS: [Format; 3] = [Format::Csv, Format::Mcap, Format::Ulog];

/// What gains may be good in.
const OBJECTIVES: [&str; 2] = ["ace", "motor-activity"];

pub(super) static FIELDS: [Field; 9] = [
    Field {
        key: "trajectory",
        meaning: "What is flown: {names}; a file of waypoints (t,x,y,z[,yaw] in s, m, rad) beside this one, \
                  or { name = \"...\", csv = \"...\" } with its text.",
        flag: flag("traj", "NAME|CSV"),
        help: "{names}, or a waypoint file",
        legal: Legal::Shipped(|| trajectories::NAMES.to_vec()),
        get: |c| match &c.route {
            Route::Shipped(name) => (*name).into(),
            Route::Given { name, csv } => {
                let keys = [("name", name), ("csv", csv)];
                let keys = keys.map(|(key, text)| (key.to_owned(), text.clone().into()));
                Value::Table(keys.into_iter().collect())
            }
        },
        set: Some(|c, v, folder| {
            c.route = route(folder, v)?;
            c.name_flight();
            Ok(())
        }),
    },
    Field {
        key: "airframe",
        meaning: "The vehicle: {names}; an airframe file beside this one, or its keys in a table.",
        flag: flag("airframe", "NAME"),
        help: "{names}, or an airframe file",
        legal: Legal::Shipped(|| sim::AIRFRAME_NAMES.to_vec()),
        get: |c| in_short(&c.airframe, |own| &own.name),
        set: Some(|c, v, folder| put(&mut c.airframe, airframe(folder, v)?)),
    },
    Field {
        key: "objective",
        meaning: "What gains are to be good in: ace (the error), or ace and motor-activity (how far the rotors' \
                  commands travel): the search is then for the front of both, of which bo show --front prints the \
                  gains; what is recommended is the end of least error.",
        flag: flag("objective", "NAMES"),
        help: "ace, or ace,motor-activity: the front of both",
        legal: Legal::Words(|| OBJECTIVES.to_vec()),
        get: |c| {
            let count = 1 + usize::from(c.settings.measured.trades_activity);
            let names = OBJECTIVES[..count].iter().map(|name| (*name).into());
            Value::Array(names.collect())
        },
        set: Some(|c, v, _| {
            let given = v.as_array().map_or(&[][..], Vec::as_slice);
            let has = |name: &str| given.iter().any(|word| word.as_str() == Some(name));
            if !has(OBJECTIVES[0]) {
                return kind("objective", "a list of objectives with ace in it");
            }
            put(&mut c.settings.measured.trades_activity, has(OBJECTIVES[1]))
        }),
    },
    Field {
        key: "surrogate",
        meaning: "What learns cost from gains: {names}.",
        flag: flag("surrogate", "NAME"),
        help: "{names}",
        legal: Legal::Name(|| surrogates::NAMES.to_vec()),
        get: |c| c.settings.surrogate.into(),
        set: Some(|c, v, _| {
            let name = surrogate_name(word(v)).map_err(|error| Fault::Choice(Box::new(error)))?;
            c.settings.set_surrogate(name);
            Ok(())
        }),
    },
    Field {
        key: "lambda",
        meaning: "Weight L of the invariance penalty, from {least}; none for a surrogate without one. With g0 \
                  and g1 the slopes of the likelihood in two environments of the n evaluations, what is \
                  minimised is\n\
                  \x20 dil-gp            -log p + L (g0^2 + g1^2), the paper's Algorithm 1\n\
                  \x20 dil-gp-released   (-log p + L/2 (g0^2 + g1^2)) / n, the authors' code\n\
                  \x20 dil-gp-per-point  -log p + L/n * 1/2 (g0^2 + g1^2), ours",
        flag: flag(LAMBDA.flag, "L"),
        help: "Weight of DIL-GP's penalty (formulas: bo config --print)",
        legal: Legal::NumberOrNone(LAMBDA),
        get: |c| c.settings.lambda.map_or(NONE.into(), Value::Float),
        set: Some(|c, v, _| put(&mut c.settings.lambda, number(v))),
    },
    Field {
        key: "environments",
        meaning: "Context of each flight for the surrogate: {names}. winds is how rough its wind was, which a \
                  simulator knows; gp-level-set and auto can use it. Default: winds for auto, none for the others.",
        flag: flag("environments", "NAME"),
        help: "Context of each flight: {names} [default: winds for auto, none for the others]",
        legal: Legal::Word(|| CONTEXTS.map(|(name, _)| name).to_vec()),
        get: |c| c.settings.environments.name().into(),
        set: Some(|c, v, _| {
            put(
                &mut c.settings.environments,
                named(&CONTEXTS, v).unwrap_or_default(),
            )
        }),
    },
    Field {
        key: "warm_start",
        meaning: "Evaluations of an earlier run as data beside the budget: none, its folder or run.json, or \
                  all of them in a table.",
        flag: flag("warm-start", "RUN"),
        help: "Take an earlier run's evaluations as data, beside the budget",
        legal: Legal::Own,
        get: |c| match &c.warm_start {
            Some(start) => Value::try_from(start).expect("its numbers were read from JSON or TOML"),
            None => NONE.into(),
        },
        set: Some(|c, v, folder| put(&mut c.warm_start, warm_start(folder, v)?)),
    },
    Field {
        key: "seed",
        meaning: "Decides the initial design, every wind and every fit; 0 to 2^64 - 1, in quotes from 2^63.",
        flag: flag("seed", "N"),
        help: "Decides the initial design, every wind and every fit",
        legal: Legal::Seed,
        get: |c| whole(c.settings.seed),
        set: Some(|c, v, _| put(&mut c.settings.seed, seed(v)?)),
    },
    Field {
        key: "log",
        meaning: "Logs of the flight that is drawn, 1 kHz: any of {names} (mcap for Foxglove, ulog for PX4's \
                  tools). The result does not depend on it.",
        flag: flag("log", "FORMS"),
        help: "Log the drawn flight: some of {names} (Foxglove, PX4), or all",
        legal: Legal::Words(|| LOGS.map(Format::name).to_vec()),
        get: |c| Value::Array(c.logs.iter().map(|log| log.name().into()).collect()),
        set: Some(|c, v, _| {
            let given = v.as_array().into_iter().flatten().map(word);
            let known = given.filter_map(|name| Format::by_name(name).ok());
            put(&mut c.logs, known.collect())
        }),
    },
];

/// TOML's integers end at 2⁶³ − 1; greater seeds stand in quotes.
fn seed(given: &Value) -> Result<u64, Fault> {
    let seed = match given {
        Value::Integer(seed) => u64::try_from(*seed).ok(),
        Value::String(seed) => seed.parse().ok(),
        _ => None,
    };
    seed.ok_or(Fault::Kind {
        key: "seed",
        wanted: "a whole number from 0 to 18446744073709551615, in quotes above 9223372036854775807",
    })
}

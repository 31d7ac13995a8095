//! Fields: the table of a study's settings. The study file, its printed form, the flags with their
//! help, and the command that makes a run again are loops over it.
//!
//! What has a structure of its own, the bounds of the gains and the winds, stands in [`PARTS`] and
//! is read and printed by [`super::gains`] and [`super::winds`].

use super::field::{Field, Flag, Legal, NONE, number, whole};
use super::gains::tuned_in_short;
use super::place::{airframe, in_short, route, warm_start};
use super::{EXPORTABLE, Fault, Route};
use crate::flights::environments::{ENVIRONMENTS, TARGETS, Target};
use crate::run::settings::{
    COST_WEIGHT, FLIGHT_S, FLIGHTS, HELD_OUT, INITIAL, ITERATIONS, KAPPA, LAMBDA, THREADS,
};
use crate::search::ACQUISITIONS;
use crate::search::surrogates;
use sim::log::Format;
use toml::Value;

/// The tables of a study file in their order, with what stands above them. The first is the file.
pub const TABLES: [(&str, &str); 6] = [
    (
        "",
        "# A Windhover study: bo --config FILE. Every field may be left out; flags override it.\n\n",
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
    ("limits", "# The result does not depend on these.\n"),
];

/// The keys of a study file whose structure is their own.
pub const PARTS: [&str; 3] = ["gains.bounds", "training", "test"];

/// Forms of log.
const LOGS: [Format; 3] = [Format::Csv, Format::Mcap, Format::Ulog];

/// Every setting in the order in which it is printed and read: what brings defaults of its own
/// stands before them.
pub static FIELDS: [Field; 21] = [
    Field {
        key: "trajectory",
        meaning: "What is flown: {names}; a file of waypoints (t,x,y,z[,yaw] in s, m, rad) beside this one, \
                  or { name = \"...\", csv = \"...\" } with its text.",
        flag: flag("traj", "NAME|CSV", "{names}, or a waypoint file"),
        legal: Legal::Shipped(|| trajectories::NAMES.to_vec()),
        get: |config| match &config.route {
            Route::Shipped(name) => (*name).into(),
            Route::Given { name, csv } => {
                let keys = [("name", name), ("csv", csv)];
                let keys = keys.map(|(key, text)| (key.to_owned(), text.clone().into()));
                Value::Table(keys.into_iter().collect())
            }
        },
        set: Some(|config, given, folder| {
            config.route = route(folder, given)?;
            put(
                &mut config.settings.trajectory,
                config.route.name().to_owned(),
            )
        }),
    },
    Field {
        key: "airframe",
        meaning: "The vehicle: {names}; an airframe file beside this one, or its keys in a table.",
        flag: flag("airframe", "NAME", "{names}, or an airframe file"),
        legal: Legal::Shipped(|| sim::AIRFRAME_NAMES.to_vec()),
        get: |config| in_short(&config.airframe, |airframe| &airframe.name),
        set: Some(|config, given, folder| put(&mut config.airframe, airframe(folder, given)?)),
    },
    Field {
        key: "surrogate",
        meaning: "What learns cost from gains: {names}.",
        flag: flag("surrogate", "NAME", "{names}"),
        legal: Legal::Name(|| surrogates::NAMES.to_vec()),
        get: |config| config.settings.surrogate.into(),
        set: Some(|config, given, _| {
            let name = surrogates::legal(word(given)).map_err(Fault::Surrogate)?;
            config.settings.set_surrogate(name);
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
        flag: flag(
            LAMBDA.flag,
            "L",
            "Weight of DIL-GP's penalty (formulas: bo config --print)",
        ),
        legal: Legal::NumberOrNone(LAMBDA),
        get: |config| {
            config
                .settings
                .lambda
                .map_or_else(|| NONE.into(), Value::Float)
        },
        set: Some(|config, given, _| put(&mut config.settings.lambda, number(given))),
    },
    Field {
        key: "environments",
        meaning: "Whether gp-informed, gp-matern or gp-level-set is told each flight's environment: {names}; \
                  telemetry is inferred from the flight itself, labels are the domain drawn for it.",
        flag: flag(
            "environments",
            "NAME",
            "What gp-informed, -matern and -level-set know: {names}",
        ),
        legal: Legal::Word(|| ENVIRONMENTS.map(|(name, _)| name).to_vec()),
        get: |config| config.settings.environments.name().into(),
        set: Some(|config, given, _| {
            let known = ENVIRONMENTS
                .into_iter()
                .find(|(name, _)| *name == word(given));
            let known = known.map(|(_, environments)| environments);
            put(&mut config.settings.environments, known.unwrap_or_default())
        }),
    },
    Field {
        key: "target",
        meaning: "With environments, the one aimed at: {names}. mean gives them equal weights; so does none.",
        flag: flag(
            "target",
            "NAME",
            "With environments: {names} (the same as mean)",
        ),
        legal: Legal::Word(|| or_none(&TARGETS.map(|(name, _)| name))),
        get: |config| config.settings.target.map_or(NONE, Target::name).into(),
        set: Some(|config, given, _| {
            let known = TARGETS.into_iter().find(|(name, _)| *name == word(given));
            put(&mut config.settings.target, known.map(|(_, target)| target))
        }),
    },
    Field {
        key: "warm_start",
        meaning: "Evaluations of an earlier run as data beside the budget: none, its folder or run.json, or \
                  all of them in a table.",
        flag: flag(
            "warm-start",
            "RUN",
            "Take an earlier run's evaluations as data, beside the budget",
        ),
        legal: Legal::Own,
        get: |config| match &config.warm_start {
            Some(start) => Value::try_from(start).expect("its numbers were read from JSON or TOML"),
            None => NONE.into(),
        },
        set: Some(|config, given, folder| put(&mut config.warm_start, warm_start(folder, given)?)),
    },
    Field {
        key: "seed",
        meaning: "Decides the initial design, every wind and every fit; 0 to 2^64 - 1, in quotes from 2^63.",
        flag: flag(
            "seed",
            "N",
            "Decides the initial design, every wind and every fit",
        ),
        legal: Legal::Seed,
        get: |config| whole(config.settings.seed),
        set: Some(|config, given, _| put(&mut config.settings.seed, seed(given)?)),
    },
    Field {
        key: "log",
        meaning: "Logs of the flight that is drawn, 1 kHz: any of {names} (mcap for Foxglove, ulog for PX4's \
                  tools). The result does not depend on it.",
        flag: flag(
            "log",
            "FORMS",
            "Log the drawn flight: some of {names} (Foxglove, PX4), or all",
        ),
        legal: Legal::Words(|| LOGS.map(Format::name).to_vec()),
        get: |config| {
            config
                .logs
                .iter()
                .map(|format| format.name())
                .collect::<Vec<_>>()
                .into()
        },
        set: Some(|config, given, _| {
            let given = given.as_array().into_iter().flatten().map(word);
            let known = given.filter_map(|name| Format::by_name(name).ok());
            put(&mut config.logs, known.collect())
        }),
    },
    Field {
        key: "budget.initial",
        meaning: "Evaluations before the surrogate is asked, {least} to {most}; the first has the start gains.",
        flag: flag(
            INITIAL.flag,
            "N",
            "Evaluations before it is asked, the default gains first",
        ),
        legal: Legal::Count(INITIAL),
        get: |config| whole(config.settings.initial),
        set: Some(|config, given, _| put(&mut config.settings.initial, count(given))),
    },
    Field {
        key: "budget.iterations",
        meaning: "Evaluations that the surrogate chooses, {least} to {most}.",
        flag: flag(
            ITERATIONS.flag,
            "N",
            "Evaluations that the surrogate chooses",
        ),
        legal: Legal::Count(ITERATIONS),
        get: |config| whole(config.settings.iterations),
        set: Some(|config, given, _| put(&mut config.settings.iterations, count(given))),
    },
    Field {
        key: "budget.flights",
        meaning: "Flights of one evaluation, each in a wind of its own, {least} to {most}; the cost is their mean.",
        flag: flag(
            FLIGHTS.flag,
            "N",
            "Flights of one evaluation, each in its own wind",
        ),
        legal: Legal::Count(FLIGHTS),
        get: |config| whole(config.settings.flights_per_evaluation),
        set: Some(|config, given, _| {
            put(&mut config.settings.flights_per_evaluation, count(given))
        }),
    },
    Field {
        key: "budget.held_out",
        meaning: "Winds in each test domain in which the result is tested, {least} to {most}.",
        flag: flag(HELD_OUT.flag, "N", "Held-out winds in each domain"),
        legal: Legal::Count(HELD_OUT),
        get: |config| whole(config.settings.held_out_winds),
        set: Some(|config, given, _| put(&mut config.settings.held_out_winds, count(given))),
    },
    Field {
        key: "acquisition.name",
        meaning: "What chooses the next gains: {names}. ucb-theory has Theorem 2's schedule without its \
                  guarantee, which refits void.",
        flag: flag(
            "acquisition",
            "NAME",
            "{names} (gp-level-set's own); ucb-theory lacks its guarantee",
        ),
        legal: Legal::Word(|| ACQUISITIONS.to_vec()),
        get: |config| config.settings.acquisition.into(),
        set: Some(|config, given, _| {
            let known = ACQUISITIONS.into_iter().find(|name| *name == word(given));
            put(&mut config.settings.acquisition, known.unwrap_or_default())
        }),
    },
    Field {
        key: "acquisition.kappa",
        meaning: "Upper confidence bound: weight of the standard deviation of the log cost, from {least}.",
        flag: flag(KAPPA.flag, "X", "Weight of the standard deviation in ucb"),
        legal: Legal::Number(KAPPA),
        get: |config| Value::Float(config.settings.kappa),
        set: Some(|config, given, _| put_number(&mut config.settings.kappa, given)),
    },
    Field {
        key: "cost.effort_m",
        meaning: "Weight of the effort [m], from {least}.",
        flag: None,
        legal: Legal::Number(COST_WEIGHT),
        get: |config| Value::Float(config.settings.cost.effort_m),
        set: Some(|config, given, _| put_number(&mut config.settings.cost.effort_m, given)),
    },
    Field {
        key: "cost.saturation_m",
        meaning: "Weight of the saturation [m], from {least}.",
        flag: None,
        legal: Legal::Number(COST_WEIGHT),
        get: |config| Value::Float(config.settings.cost.saturation_m),
        set: Some(|config, given, _| put_number(&mut config.settings.cost.saturation_m, given)),
    },
    Field {
        key: "gains.tune",
        meaning: "What is tuned: position (kp, ki, kd of the position loop, horizontal and vertical), cascade \
                  (these, and attitude_kp, rate_kp, rate_ki, rate_kd for .xy and .z, but for gains that are 0 \
                  in the airframe and have no bounds below), or a list of gains.",
        flag: None,
        legal: Legal::Own,
        get: tuned_in_short,
        // With the bounds: a gain of 0 is in the cascade where it has some.
        set: None,
    },
    Field {
        key: "gains.exportable",
        meaning: "Keep position gains within what an autopilot can hold: {names}.",
        flag: flag(
            "exportable",
            "TARGET",
            "Ranges within which position gains stay: {names}",
        ),
        legal: Legal::Word(|| or_none(&EXPORTABLE)),
        get: |config| config.settings.exportable.unwrap_or(NONE).into(),
        set: Some(|config, given, _| {
            let known = EXPORTABLE.into_iter().find(|name| *name == word(given));
            put(&mut config.settings.exportable, known)
        }),
    },
    Field {
        key: "limits.threads",
        meaning: "Threads, {least} (one a core) to {most}.",
        flag: None,
        legal: Legal::Count(THREADS),
        get: |config| whole(config.limits.threads),
        set: Some(|config, given, _| put(&mut config.limits.threads, count(given))),
    },
    Field {
        key: "limits.flight_s",
        meaning: "A trajectory that takes longer than this is refused, {least} to {most} [s].",
        flag: None,
        legal: Legal::Number(FLIGHT_S),
        get: |config| Value::Float(config.limits.flight_s),
        set: Some(|config, given, _| put_number(&mut config.limits.flight_s, given)),
    },
];

/// The field of that key.
pub fn field(key: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.key == key)
}

const fn flag(name: &'static str, value: &'static str, help: &'static str) -> Option<Flag> {
    Some(Flag { name, value, help })
}

fn or_none(names: &[&'static str]) -> Vec<&'static str> {
    names.iter().copied().chain([NONE]).collect()
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

fn word(given: &Value) -> &str {
    given.as_str().unwrap_or_default()
}

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

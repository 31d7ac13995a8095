//! Tables: the settings in the tables of a study file: budget, acquisition, cost, gains, limits.

use super::{count, flag, or_none, put, put_number, word};
use crate::run::settings::{
    COST_WEIGHT, EXPORTABLE, FLIGHT_S, FLIGHTS, HELD_OUT, INITIAL, ITERATIONS, KAPPA, THREADS,
};
use crate::search::ACQUISITIONS;
use crate::study::field::{Field, Legal, NONE, whole};
use crate::study::gains::tuned_in_short;
use toml::Value;

pub(super) static FIELDS: [Field; 12] = [
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

//! Tables: the settings in the tables of a study file: budget, acquisition, cost, gains, limits.

use super::{
    count, flag, named, one_of, or_no_number, or_none, or_usual, plain, put, put_number, usual_or,
    word,
};
use crate::flights::margins::{MARGINS_AT, USUAL_STEP_M};
use crate::run::settings::{
    COST_WEIGHT, EXPORTABLE, FLIGHT_S, FLIGHTS, HELD_OUT, INITIAL, ITERATIONS, KAPPA, MARGIN_DB,
    MARGIN_DEG, MARGIN_DISK, MARGIN_MS, MOST_ACTIVITY, MOST_OVERSHOOT, MOST_SETTLING_S, MOST_SHARE,
    STEP_M, THREADS, TOGETHER,
};
use crate::study::field::{Field, Legal, NONE, number, whole};
use crate::study::gains::tuned_in_short;
use crate::study::place::{baseline, baseline_in_short};
use search::{ACQUISITIONS, LOSS_MODELS, RECOMMENDERS};
use sim::margins::{LOOPS, Loop};
use toml::Value;

/// Which margins are kept.
const MARGINS: [&str; 2] = ["sound", "stated"];

pub(super) static FIELDS: [Field; 29] = [
    Field {
        key: "budget.initial",
        meaning: "Evaluations before the surrogate is asked, {least} to {most}; the first has the start gains.",
        flag: flag(INITIAL.flag, "N"),
        help: "Evaluations before it is asked, the default gains first",
        legal: Legal::Count(INITIAL),
        get: |c| whole(c.settings.initial),
        set: Some(|c, v, _| put(&mut c.settings.initial, count(v))),
    },
    Field {
        key: "budget.iterations",
        meaning: "Evaluations (not rounds) that the surrogate chooses, {least} to {most}.",
        flag: flag(ITERATIONS.flag, "N"),
        help: "Evaluations that the surrogate chooses",
        legal: Legal::Count(ITERATIONS),
        get: |c| whole(c.settings.iterations),
        set: Some(|c, v, _| put(&mut c.settings.iterations, count(v))),
    },
    Field {
        key: "budget.flights",
        meaning: "Flights of one evaluation, each in a wind of its own, {least} to {most}; the cost is their mean.",
        flag: flag(FLIGHTS.flag, "N"),
        help: "Flights of one evaluation, each in its own wind",
        legal: Legal::Count(FLIGHTS),
        get: |c| whole(c.settings.flights_per_evaluation),
        set: Some(|c, v, _| put(&mut c.settings.flights_per_evaluation, count(v))),
    },
    Field {
        key: "budget.together",
        meaning: "Evaluations flown side by side, {least} to {most}: they are chosen before any of them is \
                  known, and each meets winds of its own. In simulation eight flights side by side cost about \
                  three: the 36 rounds of 8 of a study that sets nothing cost what 110 single flights cost.",
        flag: flag(TOGETHER.flag, "N"),
        help: "Evaluations flown side by side, each with gains of its own",
        legal: Legal::Count(TOGETHER),
        get: |c| whole(c.settings.together),
        set: Some(|c, v, _| put(&mut c.settings.together, count(v))),
    },
    Field {
        key: "budget.held_out",
        meaning: "Winds in each test domain in which the result is tested, {least} to {most}.",
        flag: flag(HELD_OUT.flag, "N"),
        help: "Held-out winds in each domain",
        legal: Legal::Count(HELD_OUT),
        get: |c| whole(c.settings.held_out_winds),
        set: Some(|c, v, _| put(&mut c.settings.held_out_winds, count(v))),
    },
    Field {
        key: "acquisition.name",
        meaning: "What chooses the next gains: {names}. by-noise, that of auto, is level-set where one \
                  flight tells little, else kg.",
        flag: flag("acquisition", "NAME"),
        help: "{names}; gp-level-set and auto have their own",
        legal: Legal::Word(|| ACQUISITIONS.to_vec()),
        get: |c| c.settings.acquisition.into(),
        set: Some(|c, v, _| {
            let known = one_of(&ACQUISITIONS, v).expect("checked to be known");
            put(&mut c.settings.acquisition, known)
        }),
    },
    Field {
        key: "acquisition.kappa",
        meaning: "Upper confidence bound: weight of the standard deviation of the log cost, from {least}.",
        flag: flag(KAPPA.flag, "X"),
        help: "Weight of the standard deviation in ucb",
        legal: Legal::Number(KAPPA),
        get: |c| Value::Float(c.settings.kappa),
        set: Some(|c, v, _| put_number(&mut c.settings.kappa, v)),
    },
    Field {
        key: "acquisition.recommender",
        meaning: "What chooses the gains to recommend: {names}. usual is level-set after level-set, centre \
                  after kg, either after by-noise; after the others level-set if the surrogate is a \
                  Gaussian process and noise dominates, else centroid.",
        flag: flag("recommender", "NAME"),
        help: "What chooses the gains to recommend: {names}",
        legal: Legal::Word(|| or_usual(&RECOMMENDERS.map(|(name, _)| name))),
        get: |c| usual_or(c.settings.recommender),
        set: Some(|c, v, _| put(&mut c.settings.recommender, named(&RECOMMENDERS, v))),
    },
    Field {
        key: "acquisition.loss_model",
        meaning: "What becomes of evaluations that were lost: {names}. worst learns them as the worst that \
                  finished, apart by models of how likely a loss is and how near to one others came; by-place \
                  is worst, but once one was lost the usual recommender is believed, by what finished alone \
                  where losses look decided by the gains; usual is apart with auto, else worst.",
        flag: flag("loss-model", "NAME"),
        help: "How lost evaluations are learnt: {names}",
        legal: Legal::Word(|| or_usual(&LOSS_MODELS.map(|(name, _)| name))),
        get: |c| usual_or(c.settings.loss_model),
        set: Some(|c, v, _| put(&mut c.settings.loss_model, named(&LOSS_MODELS, v))),
    },
    plain(
        "cost.effort_m",
        "Weight of the effort [m], from {least}.",
        Legal::Number(COST_WEIGHT),
        |c| Value::Float(c.settings.cost.effort_m),
        |c, v, _| put_number(&mut c.settings.cost.effort_m, v),
    ),
    plain(
        "cost.saturation_m",
        "Weight of the saturation [m], from {least}.",
        Legal::Number(COST_WEIGHT),
        |c| Value::Float(c.settings.cost.saturation_m),
        |c, v, _| put_number(&mut c.settings.cost.saturation_m, v),
    ),
    Field {
        key: "gains.tune",
        meaning: "What is tuned: position (kp, ki, kd of the position loop, horizontal and vertical), cascade \
                  (these, and attitude_kp, rate_kp, rate_ki, rate_kd for .xy and .z), both but for gains that are \
                  0 in the airframe and have no bounds below, or a list of gains.",
        flag: None,
        help: "",
        legal: Legal::Own,
        get: tuned_in_short,
        // With the bounds: a gain of 0 is in the cascade where it has some.
        set: None,
    },
    Field {
        key: "gains.exportable",
        meaning: "Keep position gains within what an autopilot can hold: {names}.",
        flag: flag("exportable", "TARGET"),
        help: "Ranges within which position gains stay: {names}",
        legal: Legal::Word(|| or_none(&EXPORTABLE)),
        get: |c| c.settings.exportable.unwrap_or(NONE).into(),
        set: Some(|c, v, _| put(&mut c.settings.exportable, one_of(&EXPORTABLE, v))),
    },
    Field {
        key: "gains.baseline",
        meaning: "What tuned gains are compared with and a rollback restores: airframe (its own gains), start (those \
                  that the run starts from), any file that bo check reads, or { from = \"...\", gains = {...} }.",
        flag: flag("baseline", "FILE"),
        help: "What flies now, to compare with: a parameter file, gains, a run, or start",
        legal: Legal::Own,
        get: |c| baseline_in_short(&c.baseline),
        set: Some(|c, v, folder| {
            let read = baseline(folder, v, c.airframe.get())?;
            put(&mut c.baseline, read)
        }),
    },
    plain(
        "limits.margins",
        "{names}. sound: besides the limits below, each loop keeps 30 degrees of phase, a factor of 2 of \
         gain and a disk margin of 0.5, with sensors 10 ms late unless [sensors] states a delay, or \
         what it has with the start gains where that is less. stated: the limits below alone. A study \
         takes sound; the command that names no study, vehicle or autopilot, stated.",
        Legal::Word(|| MARGINS.to_vec()),
        |c| MARGINS[usize::from(!c.settings.margins.sound)].into(),
        |c, v, _| put(&mut c.settings.margins.sound, word(v) == MARGINS[0]),
    ),
    plain(
        "limits.phase_margin_deg",
        "Least phase margin of gains that are flown and recommended, {least} to {most} [deg], or none.",
        Legal::NumberOrNone(MARGIN_DEG),
        |c| or_no_number(c.settings.margins.phase_margin_deg),
        |c, v, _| put(&mut c.settings.margins.phase_margin_deg, number(v)),
    ),
    plain(
        "limits.gain_margin_db",
        "Least gain margin, upwards or downwards, {least} to {most} [dB], or none.",
        Legal::NumberOrNone(MARGIN_DB),
        |c| or_no_number(c.settings.margins.gain_margin_db),
        |c, v, _| put(&mut c.settings.margins.gain_margin_db, number(v)),
    ),
    plain(
        "limits.delay_margin_ms",
        "Least delay margin, {least} to {most} [ms], or none.",
        Legal::NumberOrNone(MARGIN_MS),
        |c| or_no_number(c.settings.margins.delay_margin_ms),
        |c, v, _| put(&mut c.settings.margins.delay_margin_ms, number(v)),
    ),
    plain(
        "limits.disk_margin",
        "Least disk margin, {least} to {most}, or none.",
        Legal::NumberOrNone(MARGIN_DISK),
        |c| or_no_number(c.settings.margins.disk_margin),
        |c, v, _| put(&mut c.settings.margins.disk_margin, number(v)),
    ),
    plain(
        "limits.overshoot",
        "Most overshoot of a step of position that is flown in still air, as a share of it, {least} to {most}, or none.",
        Legal::NumberOrNone(MOST_OVERSHOOT),
        |c| or_no_number(c.settings.margins.overshoot),
        |c, v, _| put(&mut c.settings.margins.overshoot, number(v)),
    ),
    plain(
        "limits.settling_s",
        "Longest time until such a step stays within 2 % of its end, {least} to {most} [s], or none.",
        Legal::NumberOrNone(MOST_SETTLING_S),
        |c| or_no_number(c.settings.margins.settling_s),
        |c, v, _| put(&mut c.settings.margins.settling_s, number(v)),
    ),
    plain(
        "limits.step_m",
        "How far such a step goes, along x, y, up and down, {least} to {most} [m].",
        Legal::Number(STEP_M),
        |c| c.settings.margins.step_m().into(),
        // What is usual is not written down.
        |c, v, _| {
            put(
                &mut c.settings.margins.step_m,
                number(v).filter(|m| *m != USUAL_STEP_M),
            )
        },
    ),
    plain(
        "limits.margins_of",
        "Loops whose margins these are: {names}. Where this is all of them, a loop of which no gain is \
         tuned keeps what is sound, or what it has with the start gains.",
        Legal::Words(|| LOOPS.map(Loop::name).to_vec()),
        |c| {
            let named = match &c.settings.margins.loops[..] {
                [] => &LOOPS[..],
                named => named,
            };
            Value::Array(named.iter().map(|l| l.name().into()).collect())
        },
        |c, v, _| {
            let words = v.as_array().map_or(&[][..], Vec::as_slice);
            let named = |l: &Loop| words.iter().any(|word| word.as_str() == Some(l.name()));
            let mut loops: Vec<Loop> = LOOPS.into_iter().filter(named).collect();
            // All of them goes without saying, as do those that every vehicle has.
            let is_in = |l: &Loop| *l == Loop::Thrust || loops.contains(l);
            if LOOPS.iter().all(is_in) {
                loops.clear();
            }
            put(&mut c.settings.margins.loops, loops)
        },
    ),
    plain(
        "limits.margins_at",
        "Where: {names}. trajectory is hover and 40 instants of the trajectory.",
        Legal::Word(|| MARGINS_AT.map(|(name, _)| name).to_vec()),
        |c| {
            let at = c.settings.margins.at;
            let named = MARGINS_AT.iter().find(|(_, known)| *known == at);
            named.map_or("", |(name, _)| name).into()
        },
        |c, v, _| {
            let named = MARGINS_AT.iter().find(|(name, _)| v.as_str() == Some(name));
            put(
                &mut c.settings.margins.at,
                named.map_or_else(Default::default, |(_, at)| *at),
            )
        },
    ),
    plain(
        "limits.motor_activity_per_s",
        "Most motor activity of flights, {least} to {most} [full ranges per s], or none: how far the rotors' \
         commands travel. What flights measure has a model of its own, and gains are looked for that likely \
         keep the limit.",
        Legal::NumberOrNone(MOST_ACTIVITY),
        |c| or_no_number(c.settings.measured.motor_activity_per_s),
        |c, v, _| put(&mut c.settings.measured.motor_activity_per_s, number(v)),
    ),
    plain(
        "limits.rotor_saturation",
        "Most share of the time in which a rotor is at the end of its range, {least} to {most}, or none.",
        Legal::NumberOrNone(MOST_SHARE),
        |c| or_no_number(c.settings.measured.rotor_saturation),
        |c, v, _| put(&mut c.settings.measured.rotor_saturation, number(v)),
    ),
    plain(
        "limits.loss_probability",
        "Most probability that a flight is lost, {least} to {most}, or none.",
        Legal::NumberOrNone(MOST_SHARE),
        |c| or_no_number(c.settings.measured.loss_probability),
        |c, v, _| put(&mut c.settings.measured.loss_probability, number(v)),
    ),
    plain(
        "limits.threads",
        "Threads, {least} (one a core) to {most}.",
        Legal::Count(THREADS),
        |c| whole(c.limits.threads),
        |c, v, _| put(&mut c.limits.threads, count(v)),
    ),
    plain(
        "limits.flight_s",
        "A trajectory that takes longer than this is refused, {least} to {most} [s].",
        Legal::Number(FLIGHT_S),
        |c| Value::Float(c.limits.flight_s),
        |c, v, _| put_number(&mut c.limits.flight_s, v),
    ),
];

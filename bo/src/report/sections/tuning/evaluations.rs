//! The evaluations of the run: how it went on, and what was lost.

use crate::flights::context::Context;
use crate::flights::evaluation::Evaluation;
use crate::flights::space::Knob;
use crate::report::html::{self, counted, escape};
use crate::report::sections::{figures, table};
use crate::report::{Report, charts};
use crate::run::disk::record::{Candidate, Record};
use crate::run::settings::Settings;
use search::Origin;
use sim::Outcome;

/// Most rows of lost evaluations that are unfolded from the start.
const MOST_OPEN: usize = 20;

/// Every evaluation and the best so far.
pub fn convergence(report: &Report) -> String {
    course(&report.recorded.settings, &report.recorded.trials)
}

/// The same of a run that may still go on.
pub fn course(settings: &Settings, made: &[Evaluation]) -> String {
    if made.is_empty() {
        return "<p>No evaluation was made yet.</p>\n".to_owned();
    }
    let cost = if settings.cost.is_weighted() {
        format!(
            "An evaluation costs J = ACE + {} m × effort + {} m × saturation.",
            settings.cost.effort_m, settings.cost.saturation_m
        )
    } else {
        "An evaluation costs its ACE.".to_owned()
    };
    let flights = match settings.flights_per_evaluation {
        1 => "Each is one flight in a wind of its own".to_owned(),
        n => format!("Each is the mean of {n} flights in winds of its own"),
    };
    let told = match settings.environments {
        Context::Winds => "; the surrogate was told how rough the wind was",
        _ => "",
    };
    let side_by_side = match settings.together {
        1 => String::new(),
        n => format!("; {n} are flown side by side, chosen before any of them is known"),
    };
    let is_final = |made: &&Evaluation| matches!(made.origin, Origin::Final { .. });
    let finals = match made.iter().filter(is_final).count() {
        0 => String::new(),
        n => format!(
            " The last {n} were flown in pairs in the same winds: what the surrogate recommended before them and the best observed."
        ),
    };
    let fallbacks = made
        .iter()
        .filter(|t| matches!(t.origin, Origin::Fallback { .. }))
        .count();
    let fallback = match fallbacks {
        0 => String::new(),
        n => format!(
            " In {} the surrogate could not be used and the design went on.",
            counted(n, "evaluation")
        ),
    };
    let caption = format!(
        "Every evaluation in order, those of the initial design as rings. {cost} {flights}{told}{side_by_side}, \
         so the best so far is partly luck: judge by the held-out flights.{finals}{fallback}",
    );
    figures(&[(charts::convergence(settings, made), caption)])
}

/// When and why the flight that stands for an evaluation was lost; empty where it was not.
pub(super) fn loss(trial: &Evaluation) -> (String, String) {
    match trial.shown().outcome {
        Outcome::Completed => (String::new(), String::new()),
        Outcome::Lost { at_s, why } => (
            format!("{at_s:.2} s"),
            escape(&why.to_string()).replace('-', "−"),
        ),
    }
}

/// The names of gains as the heads of narrow columns.
pub(super) fn gain_titles(knobs: &[Knob]) -> impl Iterator<Item = String> {
    let name = |knob: &Knob| escape(knob.gain.name).replace('_', "_<wbr>");
    knobs
        .iter()
        .map(move |knob| format!("<code>{}</code>", name(knob)))
}

/// Every evaluation that lost a flight.
pub fn lost(report: &Report) -> String {
    let held_out = lost_held_out(&report.recorded);
    let trials = report.recorded.trials.iter();
    let lost = trials.filter(|trial| trial.lost_a_flight());
    let rows: Vec<Vec<String>> = lost.map(lost_row).collect();
    if rows.is_empty() {
        return format!("<p>No evaluation of the tuning lost a flight.</p>\n{held_out}");
    }
    let head = ["evaluation", "wind", "wind seed", "lost at", "why"];
    let count = rows.len();
    format!(
        "<p>{} of the tuning lost a flight; this is what tuning costs. Their gains stand in the table above.</p>\n<details{}><summary>All of them</summary>{}</details>\n{held_out}",
        counted(count, "evaluation"),
        if count > MOST_OPEN { "" } else { " open" },
        table(&head, rows)
    )
}

/// The flight that stands for `trial`, which was lost.
fn lost_row(trial: &Evaluation) -> Vec<String> {
    let (at, why) = loss(trial);
    let weather = &trial.shown().weather;
    vec![
        trial.number.to_string(),
        escape(&weather.domain),
        format!("<code>{}</code>", weather.seed),
        at,
        format!("<span class=\"why\">{why}</span>"),
    ]
}

/// Held-out flights lost with the default and the recommended gains.
fn lost_held_out(recorded: &Record) -> String {
    let tests = |name: &str, candidate: &Candidate| {
        let tests = candidate.tests.iter().map(|test| {
            let (lost, domain) = (html::lost(&test.losses()), escape(&test.domain));
            format!("{lost} with the {name} gains in {domain} wind")
        });
        tests.collect::<Vec<_>>()
    };
    let default = tests("default", &recorded.default);
    let recommended = tests("recommended", &recorded.recommended);
    let all = [default, recommended].concat().join("; ");
    format!("<p>Lost among the held-out flights: {all}.</p>\n")
}

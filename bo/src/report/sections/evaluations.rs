//! The evaluations of the run: how it went on, and what was lost.

use super::{figures, table};
use crate::flights::evaluation::Evaluation;
use crate::flights::space::Knob;
use crate::report::html::{self, counted, escape, short};
use crate::report::{Report, charts};
use crate::run::record::{Candidate, Record};
use crate::search::Origin;
use sim::Outcome;

/// Most rows of lost evaluations that are unfolded from the start.
const MOST_OPEN: usize = 20;

/// Every evaluation and the best so far.
pub fn convergence(report: &Report) -> String {
    let recorded = &report.recorded;
    let settings = &recorded.settings;
    let cost = if recorded.weighted() {
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
    let fallbacks = recorded
        .trials
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
        "Every evaluation in order, those of the initial design as rings. {cost} {flights}, \
         so the best so far is partly luck: judge by the held-out flights.{fallback}",
    );
    format!(
        "<h3>Convergence</h3>\n{}",
        figures(&[(charts::convergence(recorded), caption)])
    )
}

/// Every evaluation that lost a flight.
pub fn lost(report: &Report) -> String {
    let held_out = lost_held_out(&report.recorded);
    let trials = report.recorded.trials.iter();
    let lost = trials.filter(|trial| trial.lost_a_flight());
    let rows: Vec<Vec<String>> = lost.map(|trial| lost_row(trial, &report.knobs)).collect();
    if rows.is_empty() {
        return format!(
            "<h3>Lost flights</h3>\n<p>No evaluation of the tuning lost a flight.</p>\n{held_out}"
        );
    }
    let names = report.knobs.iter().map(|knob| {
        let name = escape(knob.gain.name).replace('_', "_<wbr>");
        format!("<code>{name}</code>")
    });
    let names: Vec<String> = names.collect();
    let mut head = vec!["evaluation", "wind", "wind seed", "lost at", "why"];
    head.extend(names.iter().map(String::as_str));
    format!(
        "<h3>Lost flights</h3>\n<p>{} of the tuning lost a flight; this is what tuning costs.</p>\n<details{}><summary>All of them</summary>{}</details>\n{held_out}",
        counted(rows.len(), "evaluation"),
        if rows.len() > MOST_OPEN { "" } else { " open" },
        table(&head, rows)
    )
}

/// The flight that stands for `trial`, and the gains with which it was lost.
fn lost_row(trial: &Evaluation, knobs: &[Knob]) -> Vec<String> {
    let flown = trial.shown();
    let (at, why) = match flown.outcome {
        Outcome::Completed => (String::new(), String::new()),
        Outcome::Lost { at_s, why } => (
            format!("{at_s:.2} s"),
            escape(&why.to_string()).replace('-', "−"),
        ),
    };
    let mut cells = vec![
        trial.number.to_string(),
        escape(&flown.weather.domain),
        format!("<code>{}</code>", flown.weather.seed),
        at,
        format!("<span class=\"why\">{why}</span>"),
    ];
    cells.extend(knobs.iter().map(|knob| short(trial.gains[knob.gain.name])));
    cells
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

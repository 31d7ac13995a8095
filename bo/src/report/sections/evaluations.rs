//! The evaluations of the run: how it went on, and what was lost.

use super::{figures, table};
use crate::flights::evaluation::Evaluation;
use crate::report::html::{self, counted, escape, short};
use crate::report::{Report, charts};
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
    let recorded = &report.recorded;
    let row = |trial: &Evaluation| {
        let (at, why) = match trial.shown().outcome {
            Outcome::Completed => (String::new(), String::new()),
            Outcome::Lost { at_s, why } => (
                format!("{at_s:.2} s"),
                escape(&why.to_string()).replace('-', "−"),
            ),
        };
        let mut cells = vec![
            trial.number.to_string(),
            escape(&trial.shown().weather.domain),
            format!("<code>{}</code>", trial.shown().weather.seed),
            at,
            format!("<span class=\"why\">{why}</span>"),
        ];
        cells.extend(
            report
                .knobs
                .iter()
                .map(|knob| short(trial.gains[knob.name])),
        );
        cells
    };
    let rows: Vec<Vec<String>> = recorded
        .trials
        .iter()
        .filter(|trial| trial.lost_a_flight())
        .map(row)
        .collect();
    let tests = [
        ("default", &recorded.default),
        ("recommended", &recorded.recommended),
    ];
    let tests: Vec<String> = tests
        .iter()
        .flat_map(|(name, candidate)| {
            candidate.tests.iter().map(move |test| {
                format!(
                    "{} with the {name} gains in {} wind",
                    html::lost(&test.losses()),
                    escape(&test.domain)
                )
            })
        })
        .collect();
    let held_out = format!(
        "<p>Lost among the held-out flights: {}.</p>\n",
        tests.join("; ")
    );
    if rows.is_empty() {
        return format!(
            "<h3>Lost flights</h3>\n<p>No evaluation of the tuning lost a flight.</p>\n{held_out}"
        );
    }
    let mut head = vec![
        "evaluation".to_owned(),
        "wind".into(),
        "wind seed".into(),
        "lost at".into(),
        "why".into(),
    ];
    head.extend(
        report
            .knobs
            .iter()
            .map(|knob| format!("<code>{}</code>", escape(knob.name).replace('_', "_<wbr>"))),
    );
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    format!(
        "<h3>Lost flights</h3>\n<p>{} of the tuning lost a flight; this is what tuning costs.</p>\n<details{}><summary>All of them</summary>{}</details>\n{held_out}",
        counted(rows.len(), "evaluation"),
        if rows.len() > MOST_OPEN { "" } else { " open" },
        table(&head, &rows)
    )
}

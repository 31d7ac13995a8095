//! The evaluations of the run: convergence, and what was lost.

use crate::flights::context::Context;
use crate::flights::evaluation::Evaluation;
use crate::flights::space::Knob;
use crate::report::analysis::paths::Paths;
use crate::report::html::{counted, escape, metres, short};
use crate::report::sections::{figures, table};
use crate::report::{Report, charts};
use crate::run::disk::record::Record;
use crate::run::settings::Settings;
use search::Origin;
use sim::Outcome;

/// Most rows of a table that is unfolded from the start.
const MOST_OPEN: usize = 20;

fn open(rows: usize) -> &'static str {
    if rows > MOST_OPEN { "" } else { " open" }
}

/// Every evaluation and the best so far.
pub fn convergence(report: &Report) -> String {
    course(&report.recorded.settings, &report.recorded.trials)
}

/// The same of an unfinished run.
pub fn course(settings: &Settings, history: &[Evaluation]) -> String {
    if history.is_empty() {
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
    let context = match settings.environments {
        Context::Winds => "; the surrogate received the roughness of the wind as context",
        _ => "",
    };
    let side_by_side = match settings.together {
        1 => String::new(),
        n => format!("; {n} are flown side by side, chosen before any of them is known"),
    };
    let fallbacks = history
        .iter()
        .filter(|t| matches!(t.origin, Origin::Fallback { .. }))
        .count();
    let fallback = match fallbacks {
        0 => String::new(),
        n => format!(
            " In {} the surrogate could not be used and the initial design continued.",
            counted(n, "evaluation")
        ),
    };
    let caption = format!(
        "Every evaluation in order, those of the initial design as rings. {cost} {flights}{context}{side_by_side}, \
         so the best so far is partly luck: judge by the held-out flights.{fallback}",
    );
    figures(&[(charts::convergence(settings, history), caption)])
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
    let trials = report.recorded.trials.iter();
    let lost = trials.filter(|trial| trial.lost_a_flight());
    let rows: Vec<Vec<String>> = lost.map(lost_row).collect();
    if rows.is_empty() {
        return "<p>No evaluation of the tuning lost a flight.</p>\n".to_owned();
    }
    let head = ["evaluation", "wind", "wind seed", "lost at", "why"];
    let count = rows.len();
    format!(
        "<p>{} of the tuning lost a flight; this is what tuning costs. Their gains stand in the table above.</p>\n<details{}><summary>All of them</summary>{}</details>\n",
        counted(count, "evaluation"),
        open(count),
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

/// The table.
pub fn every(report: &Report) -> String {
    let Record {
        settings, trials, ..
    } = &report.recorded;
    let kept = kept(&report.paths, trials.len());
    shown(settings, trials, &report.knobs, Some(&report.paths))
        + &format!("<p class=\"note\">{kept}</p>\n")
}

/// The same table of an unfinished run; no row can be played.
pub fn so_far(settings: &Settings, history: &[Evaluation], knobs: &[Knob]) -> String {
    match history.is_empty() {
        true => "<p>None yet.</p>\n".to_owned(),
        false => shown(settings, history, knobs, None),
    }
}

fn shown(
    settings: &Settings,
    history: &[Evaluation],
    knobs: &[Knob],
    paths: Option<&Paths>,
) -> String {
    let titles = [
        "evaluation",
        "chosen by",
        "wind",
        charts::cost_name(settings),
        "lost at",
    ];
    let mut head: Vec<String> = titles.map(str::to_owned).into();
    head.extend(gain_titles(knobs));
    head.push(String::new());
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = history
        .iter()
        .map(|one| evaluation_row(one, knobs, paths))
        .collect();
    format!(
        "<details{}><summary>All {} as a table; its heads sort it</summary><div class=\"sortable\">{}</div></details>\n",
        open(history.len()),
        counted(history.len(), "evaluation"),
        table(&head, rows),
    )
}

fn evaluation_row(one: &Evaluation, knobs: &[Knob], paths: Option<&Paths>) -> Vec<String> {
    let number = one.number;
    let cost = match one.value() {
        Some(cost_m) => metres(cost_m),
        None => "<span class=\"worse\">lost</span>".to_owned(),
    };
    let button = match paths.is_some() {
        true => format!(
            "<button type=\"button\" data-evaluation=\"{number}\" aria-label=\"replay evaluation {number}\" hidden>replay</button>"
        ),
        false => String::new(),
    };
    let gains = knobs.iter().map(|knob| short(one.gains[knob.gain.name]));
    let first = [
        number.to_string(),
        chosen_by(&one.origin).to_owned(),
        escape(&one.shown().weather.domain),
        cost,
        loss(one).0,
    ];
    first.into_iter().chain(gains).chain([button]).collect()
}

/// Where a point came from, in a word or two.
fn chosen_by(origin: &Origin) -> &'static str {
    match origin {
        Origin::Baseline => "start gains",
        Origin::Initial => "design",
        Origin::Acquisition { .. } => "acquisition",
        Origin::Fallback { .. } => "design, no fit",
        Origin::Local => "local search",
    }
}

fn kept(paths: &Paths, all: usize) -> String {
    let rate = 1000.0 / paths.step_ms as f64;
    let departures = match paths.departures {
        0 => "they equal the record to the last bit".to_owned(),
        n => format!("{n} of them depart from the record: another build or processor made it"),
    };
    format!(
        "“Replay” shows the path of an evaluation (of several flights the first lost one, or the first) in the picture above, {rate:.0} points a second. \
         All {all} were flown again for it; {departures}."
    )
}

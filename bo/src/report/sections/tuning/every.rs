//! Every evaluation, as a table that can be sorted and played.

use super::evaluations::{gain_titles, loss};
use crate::flights::evaluation::Evaluation;
use crate::flights::space::Knob;
use crate::report::analysis::paths::Paths;
use crate::report::html::{counted, escape, metres, short};
use crate::report::sections::table;
use crate::report::{Report, charts};
use crate::run::disk::record::Record;
use crate::run::settings::Settings;
use search::Origin;

/// The table.
pub fn every(report: &Report) -> String {
    let Record {
        settings, trials, ..
    } = &report.recorded;
    let kept = kept(&report.paths, trials.len());
    shown(settings, trials, &report.knobs, Some(&report.paths))
        + &format!("<p class=\"note\">{kept}</p>\n")
}

/// The same of a run that may still go on; none can be played.
pub fn so_far(settings: &Settings, made: &[Evaluation], knobs: &[Knob]) -> String {
    match made.is_empty() {
        true => "<p>None yet.</p>\n".to_owned(),
        false => shown(settings, made, knobs, None),
    }
}

fn shown(
    settings: &Settings,
    made: &[Evaluation],
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
    let rows = made.iter().map(|one| row(one, knobs, paths)).collect();
    format!(
        "<details open><summary>All {} as a table; its heads sort it</summary><div class=\"sortable\">{}</div></details>\n",
        counted(made.len(), "evaluation"),
        table(&head, rows),
    )
}

fn row(one: &Evaluation, knobs: &[Knob], paths: Option<&Paths>) -> Vec<String> {
    let number = one.number;
    let cost = match one.value() {
        Some(cost_m) => metres(cost_m),
        None => "<span class=\"worse\">lost</span>".to_owned(),
    };
    let button = match paths.is_some_and(|paths| paths.holds(number)) {
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
        Origin::Baseline => "default gains",
        Origin::Initial => "design",
        Origin::Acquisition { .. } => "acquisition",
        Origin::Fallback { .. } => "design, no fit",
        Origin::Local => "local search",
        Origin::Final { .. } => "finals",
    }
}

fn kept(paths: &Paths, all: usize) -> String {
    let rate = 1000.0 / paths.step_ms as f64;
    let some = match paths.flights.len() {
        kept if kept == all => String::new(),
        kept => format!(" To keep the page small only the {kept} of least cost can be replayed."),
    };
    let departures = match paths.departures {
        0 => "they equal the record to the last bit".to_owned(),
        n => format!("{n} of them depart from the record: another build or processor made it"),
    };
    format!(
        "“Replay” shows the path of an evaluation (of several flights the first lost one, or the first) in the picture above, {rate:.0} points a second. \
         All {all} were flown again for it; {departures}.{some}"
    )
}

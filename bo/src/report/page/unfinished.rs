//! Unfinished: the page about a run that has not come to its end, from its journal alone.

use super::{LEAD, growing};
use crate::flights::evaluation::{Evaluation, best, lost};
use crate::flights::space::Knob;
use crate::report::html::{counted, escape, gain, metres, short};
use crate::report::{charts, sections};
use crate::run::settings::Settings;
use crate::terminal::word;
use std::fmt::Write;

/// A run as far as it went.
pub struct Unfinished {
    /// Name of its folder.
    pub name: String,
    /// Its settings.
    pub settings: Settings,
    /// The tuned gains.
    pub knobs: Vec<Knob>,
    /// Its evaluations so far.
    pub history: Vec<Evaluation>,
    /// Tests of gains in held-out winds that were made, which come behind all evaluations.
    pub tests: usize,
}

/// The page about `run`; with `every_s` a browser that shows it reads it again after so many
/// seconds.
pub fn unfinished(run: &Unfinished, every_s: Option<u64>) -> String {
    let parts = [
        ("So far", so_far(run)),
        ("Convergence", sections::course(&run.settings, &run.history)),
        (
            "Evaluations",
            sections::so_far(&run.settings, &run.history, &run.knobs),
        ),
    ];
    let title = format!("Windhover report: {}, unfinished", run.name);
    growing(&title, &parts, LEAD, every_s)
}

/// How far it is, and the incumbent.
fn so_far(run: &Unfinished) -> String {
    let settings = &run.settings;
    let mut text = format!(
        "<p class=\"verdict\"><b>Unfinished:</b> {} of {} made, {} of them lost; {} of gains in held-out winds. \
         {} tuned with {}, seed {}.</p>\n<p>Nothing here was judged in held-out winds. Where nobody works on the run any more, \
         <code>bo --resume {}</code> resumes it.</p>\n",
        run.history.len(),
        counted(settings.evaluations() as usize, "evaluation"),
        lost(&run.history),
        counted(run.tests, "test"),
        escape(&settings.trajectory),
        escape(settings.surrogate),
        settings.seed,
        escape(&word(&run.name)),
    );
    let Some(incumbent) = best(&run.history) else {
        return text + "<p>No evaluation has come to its end without losing the vehicle.</p>\n";
    };
    let row = |knob: &Knob| {
        let span = knob.span();
        vec![
            format!("<code>{}</code>", escape(knob.gain.name)),
            escape(knob.gain.unit),
            format!("<b>{}</b>", gain(incumbent.gains[knob.gain.name])),
            format!("{} to {}", short(span.low), short(span.high)),
        ]
    };
    let rows = run.knobs.iter().map(row).collect();
    let _ = write!(
        text,
        "<p>Incumbent: evaluation {}, {} {}. So low a cost is partly luck.</p>\n{}",
        incumbent.number,
        charts::cost_name(settings).trim_end_matches(" [m]"),
        metres(incumbent.cost_m) + " m",
        sections::table(&["gain", "unit", "incumbent", "bounds of the search"], rows)
    );
    text
}

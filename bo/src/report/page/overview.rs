//! Overview: several runs side by side.

use crate::flights::held_out::Test;
use crate::report::html::{difference, escape, gain, lost_in_table, short};
use crate::report::{Report, charts, sections};
use crate::run::disk::record::Record;
use crate::statistics::MedianInterval;

/// All runs: what each came to, their searches in one picture, their gains side by side.
pub fn overview(reports: &[Report]) -> String {
    let rows = reports.iter().enumerate().flat_map(|(k, report)| {
        let tests = report.recorded.recommended.tests.iter().enumerate();
        tests.map(move |(domain, test)| row(k, report, domain, test))
    });
    let titles = [
        "run",
        "verdict",
        "what",
        "wind",
        "default ACE [m]",
        "recommended ACE [m]",
        "recommended minus default [m]",
        "held-out flights lost in simulation",
    ];
    let runs: Vec<(&str, &Record)> = (reports.iter())
        .map(|report| (&*report.name, &report.recorded))
        .collect();
    let caption = "Best so far of every run. Each run has training winds of its own seed, and the best so far is partly luck: \
                   judge by the held-out flights above.";
    format!(
        "<section><h2 id=\"overview\">Overview</h2>{}<p>ACE: medians over the held-out flights that were completed; differences: \
            medians over winds where both gains completed the flight; both with 95 % intervals by order statistics, each for itself. \
            Losses with the exact upper bounds of their probability at 95 % confidence. Runs of one seed and problem are tested in \
            the same winds, others in winds of their own.</p>\n{}{}</section>\n",
        sections::table(&titles, rows.collect()),
        sections::figures(&[(charts::joint(&runs), caption.to_owned())]),
        gains(reports)
    )
}

fn row(k: usize, report: &Report, domain: usize, test: &Test) -> Vec<String> {
    let recorded = &report.recorded;
    let settings = &recorded.settings;
    let judgement = recorded.judgement(&recorded.recommended, domain);
    let error = |test: &Test| {
        let completed = test.completed_m.as_ref();
        completed.map_or("all lost".to_owned(), MedianInterval::plain)
    };
    vec![
        link(k, report),
        format!(
            "<span class=\"{}\">{}</span>",
            report.card.style,
            escape(&report.card.verdict)
        ),
        format!(
            "{}, {}, seed {}",
            escape(&settings.trajectory),
            escape(settings.surrogate),
            settings.seed
        ),
        escape(&test.domain),
        error(&recorded.default.tests[domain]),
        error(test),
        difference(&judgement),
        lost_in_table(&judgement.after),
    ]
}

fn link(k: usize, report: &Report) -> String {
    format!("<a href=\"#run-{k}\">{}</a>", escape(&report.name))
}

/// A row for each gain that any run tuned; a run that did not tune it has its default.
fn gains(reports: &[Report]) -> String {
    let mut names: Vec<&'static str> = Vec::new();
    for knob in reports.iter().flat_map(|report| &report.knobs) {
        if !names.contains(&knob.gain.name) {
            names.push(knob.gain.name);
        }
    }
    let value = |report: &Report, name: &str| {
        let tuned = report.knobs.iter().find(|knob| knob.gain.name == name);
        tuned.map_or("not tuned".to_owned(), |knob| {
            let [old, new] = [&report.recorded.default, &report.recorded.recommended]
                .map(|candidate| knob.gain.value(&candidate.gains));
            format!("<b>{}</b> (from {})", gain(new), short(old))
        })
    };
    let rows = names.iter().map(|name| {
        let values = reports.iter().map(|report| value(report, name));
        let first = format!("<code>{}</code>", escape(name));
        std::iter::once(first).chain(values).collect()
    });
    let links = reports
        .iter()
        .enumerate()
        .map(|(k, report)| link(k, report));
    let head: Vec<String> = std::iter::once("gain".to_owned()).chain(links).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    format!(
        "{}<p>Recommended gains, and the default ones from which each run began.</p>\n",
        sections::table(&head, rows.collect())
    )
}

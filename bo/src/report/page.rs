//! Page: the whole file, with everything that it needs inside.

use super::html::{difference, escape, lost};
use super::{Report, sections};
use crate::flights::held_out::Test;
use crate::table::Table;
use std::fmt::Write;

/// The file begins with this: what does not is no report and is not replaced.
pub const MARKER: &str = "<!DOCTYPE html>\n<!-- Windhover report -->";

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPTS: [&str; 4] = [
    include_str!("camera.js"),
    include_str!("scene.js"),
    include_str!("series.js"),
    include_str!("replay.js"),
];

/// The page about `reports`, of which there is at least one.
pub fn page(reports: &[Report]) -> String {
    let title = match reports {
        [one] => format!("Windhover report: {}", one.name),
        more => format!("Windhover report: {} runs", more.len()),
    };
    let mut body = format!("<h1>{}</h1>\n", escape(&title));
    body += "<p class=\"lead\">Everything here was found in simulation only. Try gains on a real \
             vehicle with care, tethered or netted first, and keep the old ones at hand.</p>\n";
    if reports.len() > 1 {
        body += &overview(reports);
    }
    for (k, report) in reports.iter().enumerate() {
        body += &section(k, report);
    }
    let script: String = SCRIPTS.concat();
    // Only the template is searched for places, never what is put into them.
    let mut page = String::new();
    let mut rest = TEMPLATE;
    for (place, content) in [
        ("{{title}}", escape(&title).as_str()),
        ("{{palette}}", &plots::css_palette()),
        ("{{style}}", STYLE),
        ("{{body}}", &body),
        ("{{script}}", &script),
    ] {
        let (before, after) = rest
            .split_once(place)
            .expect("the template has each place in order");
        page += before;
        page += content;
        rest = after;
    }
    page + rest
}

/// One run: its sections in order.
fn section(k: usize, report: &Report) -> String {
    let settings = &report.recorded.settings;
    let lost = report.recorded.lost();
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "<section class=\"run\" id=\"run-{k}\"><h2>{}</h2>\n\
         <p>{} tuned with {}, seed {}: {} evaluations, {lost} of them lost. Airframe {}, Windhover {}.</p>\n",
        escape(&report.name),
        escape(&settings.trajectory),
        escape(settings.surrogate),
        settings.seed,
        report.recorded.trials.len(),
        escape(&report.recorded.problem.airframe.name),
        escape(&report.recorded.versions.windhover),
    );
    text += &sections::verdict(report);
    text += &sections::gains(report);
    text += &sections::replay(k, report);
    text += &sections::held_out(report);
    text += &sections::oscillation(report);
    text += &sections::sensitivity(report);
    text += &sections::convergence(report);
    text += &sections::calibration(report);
    text += &sections::environments(report);
    text += &sections::lost(report);
    text += &sections::reproduce(report);
    text + "</section>\n"
}

/// All runs in one table.
fn overview(reports: &[Report]) -> String {
    let rows = reports.iter().enumerate().flat_map(|(k, report)| {
        let tests = report.recorded.recommended.tests.iter().enumerate();
        tests.map(move |(domain, test)| overview_row(k, report, domain, test))
    });
    let titles = [
        "run",
        "trajectory",
        "surrogate",
        "seed",
        "evaluations",
        "lost",
        "wind",
        "recommended minus default ACE [m]",
        "held-out flights lost",
        "",
    ];
    let table = Table::of_words(titles).with(rows).html();
    format!(
        "<section><h2>Overview</h2>{table}<p>Medians over winds of the difference where both gains completed the flight, with \
            95 % intervals by order statistics, each for itself; loss probabilities with their exact upper \
            bounds of 95 % confidence. Every run has winds of its own seed.</p></section>\n"
    )
}

fn overview_row(k: usize, report: &Report, domain: usize, test: &Test) -> Vec<String> {
    let recorded = &report.recorded;
    let settings = &recorded.settings;
    let judgement = recorded.judgement(&recorded.recommended, domain);
    let (style, words) = (judgement.verdict.style(), judgement.verdict.words());
    vec![
        format!("<a href=\"#run-{k}\">{}</a>", escape(&report.name)),
        escape(&settings.trajectory),
        escape(settings.surrogate),
        settings.seed.to_string(),
        recorded.trials.len().to_string(),
        recorded.lost().to_string(),
        escape(&test.domain),
        difference(&judgement),
        lost(&judgement.after),
        format!("<span class=\"{style}\">{words}</span>"),
    ]
}

//! Page: the whole file, with everything that it needs inside.

use super::html::{difference, escape, lost};
use super::{Report, sections};
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
    let mut text = "<section><h2>Overview</h2><table><thead><tr><th>run</th><th>trajectory</th>\
                    <th>surrogate</th><th>seed</th><th>evaluations</th><th>lost</th><th>wind</th>\
                    <th>recommended minus default ACE [m]</th><th>held-out flights lost</th><th></th></tr></thead><tbody>\n"
        .to_owned();
    for (k, report) in reports.iter().enumerate() {
        let recorded = &report.recorded;
        let settings = &recorded.settings;
        for (domain, test) in recorded.recommended.tests.iter().enumerate() {
            let judgement = recorded.judgement(&recorded.recommended, domain);
            let verdict = judgement.verdict;
            let _ = writeln!(
                text,
                "<tr><td><a href=\"#run-{k}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
                 <td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td></tr>",
                escape(&report.name),
                escape(&settings.trajectory),
                escape(settings.surrogate),
                settings.seed,
                recorded.trials.len(),
                recorded.lost(),
                escape(&test.domain),
                difference(&judgement),
                lost(&judgement.after),
                verdict.style(),
                verdict.words(),
            );
        }
    }
    text + "</tbody></table><p>Medians over winds of the difference where both gains completed the flight, with \
            95 % intervals by order statistics, each for itself; loss probabilities with their exact upper \
            bounds of 95 % confidence. Every run has winds of its own seed.</p></section>\n"
}

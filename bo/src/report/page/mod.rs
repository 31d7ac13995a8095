//! Page: the whole file, with everything that it needs inside.

mod comparison;
mod overview;
mod unfinished;

pub use comparison::{Compared, comparison};
pub use unfinished::{Unfinished, unfinished};

use super::html::escape;
use super::{Report, sections};
use std::fmt::Write;

/// The file begins with this: what does not is no report and is not replaced.
pub const MARKER: &str = "<!DOCTYPE html>\n<!-- Windhover report -->";

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPTS: [&str; 6] = [
    include_str!("recording.js"),
    include_str!("camera.js"),
    include_str!("scene.js"),
    include_str!("series.js"),
    include_str!("replay.js"),
    include_str!("sorting.js"),
];

/// A section of a run: its title, and what makes its text. One without text is left out.
type Section = (&'static str, fn(usize, &Report) -> String);

const SECTIONS: [Section; 13] = [
    ("Verdict", |_, report| sections::verdict(report)),
    ("Gains", |_, report| sections::gains(report)),
    ("Side by side", |_, report| sections::side_by_side(report)),
    ("Replay", sections::replay),
    ("Held-out flights", |_, report| sections::held_out(report)),
    ("Saturation and oscillation", |_, report| {
        sections::oscillation(report)
    }),
    ("Sensitivity", |_, report| sections::sensitivity(report)),
    ("Convergence", |_, report| sections::convergence(report)),
    ("Evaluations", |_, report| sections::every(report)),
    ("Lost flights", |_, report| sections::lost(report)),
    ("Posterior along each gain", |_, report| {
        sections::slices(report)
    }),
    ("Surrogate calibration", |_, report| {
        sections::calibration(report)
    }),
    ("How to reproduce", |_, report| sections::reproduce(report)),
];

/// What every page says first.
const LEAD: &str = "<p class=\"lead\">Everything here was found in simulation only. Try gains on a real \
                    vehicle with care, tethered or netted first, and keep the old ones at hand.</p>\n";

/// The page about `reports`, of which there is at least one.
pub fn page(reports: &[Report]) -> String {
    let title = match reports {
        [one] => format!("Windhover report: {}", one.name),
        more => format!("Windhover report: {} runs", more.len()),
    };
    let (mut body, mut contents) = (LEAD.to_owned(), String::new());
    if reports.len() > 1 {
        body += &overview::overview(reports);
        contents += "<li><a href=\"#overview\">Overview</a></li>\n";
    }
    for (k, report) in reports.iter().enumerate() {
        let (links, text) = run(k, report);
        body += &text;
        contents += &match reports.len() {
            1 => links,
            _ => format!(
                "<li><a href=\"#run-{k}\">{}</a><ol>{links}</ol></li>\n",
                escape(&report.name)
            ),
        };
    }
    whole(&title, "", &contents, &body)
}

/// The whole file: a title, elements of its head, the entries of its contents list, and its body.
fn whole(title: &str, head: &str, contents: &str, body: &str) -> String {
    let title = escape(title);
    let script: String = SCRIPTS.concat();
    let style = style();
    // Only the template is searched for places, never what is put into them.
    let mut page = String::new();
    let mut rest = TEMPLATE;
    for (place, content) in [
        ("{{head}}", head),
        ("{{title}}", title.as_str()),
        ("{{style}}", &style),
        ("{{contents}}", contents),
        ("{{heading}}", &title),
        ("{{body}}", body),
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

/// The style sheet with the colours of the pictures. Dark paper is for screens alone; what is printed
/// and what stands on light paper of its own keeps the light colours.
fn style() -> String {
    let marks = ":root:not(.light) :not(.paper, .paper *) > svg";
    format!(
        ":root, .paper {{ {} }}\n{STYLE}@media screen and (prefers-color-scheme: dark) {{\n\
         :root:not(.light) {{ {} }}\n{}}}\n",
        plots::css_palette(),
        plots::css_dark_palette(),
        plots::css_dark_marks(marks)
    )
}

/// One run: the links to its sections, and the sections in order.
fn run(k: usize, report: &Report) -> (String, String) {
    let settings = &report.recorded.settings;
    let lost = report.recorded.lost();
    let (mut links, mut text) = (String::new(), String::new());
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "<section class=\"run\" id=\"run-{k}\"><h2>{}</h2>\n\
         <p>{} tuned with {}, seed {}: {} evaluations, {lost} of them lost. Airframe {}, Windhover {}.</p>\n{}",
        escape(&report.name),
        escape(&settings.trajectory),
        escape(settings.surrogate),
        settings.seed,
        report.recorded.trials.len(),
        escape(&report.recorded.problem.airframe.name),
        escape(&report.recorded.versions.windhover),
        sections::files(&report.files),
    );
    for (title, section) in SECTIONS {
        let said = section(k, report);
        if said.is_empty() {
            continue;
        }
        let id = format!("run-{k}-{}", title.to_lowercase().replace(' ', "-"));
        let _ = writeln!(links, "<li><a href=\"#{id}\">{title}</a></li>");
        let _ = write!(text, "<h3 id=\"{id}\">{title}</h3>\n{said}");
    }
    (links, text + "</section>\n")
}

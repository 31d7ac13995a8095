//! Page: the whole file, with everything that it needs inside.

mod comparison;
mod overview;
mod served;
mod unfinished;

pub use comparison::{Compared, comparison};
pub use served::StudyPage;
pub use unfinished::{Unfinished, unfinished};

use super::card::Card;
use super::html::escape;
use super::{Report, sections};
use plots::document::{Document, titled};
use std::fmt::Write;

const SCRIPTS: [&str; 7] = [
    include_str!("recording.js"),
    include_str!("camera.js"),
    include_str!("scene.js"),
    include_str!("series.js"),
    include_str!("replay.js"),
    include_str!("sorting.js"),
    include_str!("front.js"),
];

/// A section of a run: its title, and what makes its text. One without text is left out.
type Section = (&'static str, fn(usize, &Report) -> String);

const SECTIONS: [Section; 14] = [
    ("Loops", |_, report| report.loops.clone()),
    ("Verdict", |_, report| sections::verdict(report)),
    ("Gains", |_, report| sections::gains(report)),
    ("Trade-off", |_, report| {
        let found = report.trade_off.as_ref();
        let name = crate::terminal::word(&report.name);
        found.map_or_else(String::new, |found| {
            sections::trade_off(found, &report.knobs, &name, &report.front)
        })
    }),
    ("Side by side", |_, report| sections::side_by_side(report)),
    ("Replay", sections::replay),
    ("Held-out flights", |_, report| sections::held_out(report)),
    ("Saturation and oscillation", |_, report| {
        sections::oscillation(report)
    }),
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

/// What every page about gains says.
const LEAD: &str = "<p class=\"lead\">Everything here was found in simulation only. Try gains on a real \
                    vehicle with care, tethered or netted first, and keep the old ones at hand.</p>\n";

/// The page about `reports`, of which there is at least one.
pub fn page(reports: &[Report]) -> String {
    let (title, first) = match reports {
        [one] => (format!("Windhover report: {}", one.name), one.card.html(1)),
        more => {
            let title = format!("Windhover report: {} runs", more.len());
            let first = format!("<h1>{title}</h1>\n{}", overview::overview(reports));
            (title, first)
        }
    };
    let (mut body, mut contents) = (LEAD.to_owned(), String::new());
    if reports.len() > 1 {
        contents += "<li><a href=\"#overview\">Overview</a></li>\n";
    }
    for (k, report) in reports.iter().enumerate() {
        let (links, text) = run(k, report, reports.len() > 1);
        body += &text;
        contents += &match reports.len() {
            1 => links,
            _ => format!(
                "<li><a href=\"#run-{k}\">{}</a><ol>{links}</ol></li>\n",
                escape(&report.name)
            ),
        };
    }
    Document {
        title: &title,
        head: "",
        first: &first,
        contents: &contents,
        body: &body,
        scripts: &SCRIPTS,
    }
    .html()
}

/// A page that begins with `card`; below it the sections, each with its title. One without text is left
/// out.
pub fn with_card(title: &str, card: &Card, sections: &[(&str, String)]) -> String {
    let (contents, body) = titled(sections);
    Document {
        title,
        head: "",
        first: &card.html(1),
        contents: &contents,
        body: &(LEAD.to_owned() + &body),
        scripts: &[],
    }
    .html()
}

/// A page about what is not yet finished; with `every_s` a browser that shows it reads it again after so many
/// seconds. Sections without text are left out.
fn growing(title: &str, sections: &[(&str, String)], end: &str, every_s: Option<u64>) -> String {
    let (contents, body) = titled(sections);
    let refresh = every_s.map_or(String::new(), |seconds| {
        format!("<meta http-equiv=\"refresh\" content=\"{seconds}\">\n")
    });
    Document {
        title,
        head: &refresh,
        first: &format!("<h1>{}</h1>\n", escape(title)),
        contents: &contents,
        body: &(body + end),
        scripts: &SCRIPTS,
    }
    .html()
}

/// One run: the links to its sections, and the sections in order; of one among `several` its card first.
fn run(k: usize, report: &Report, several: bool) -> (String, String) {
    let settings = &report.recorded.settings;
    let lost = report.recorded.lost();
    let tuned = format!(
        "{} tuned with {}, seed {}",
        escape(&settings.trajectory),
        escape(settings.surrogate),
        settings.seed
    );
    let (heading, card, tuned) = match several {
        true => (escape(&report.name), report.card.html(3), tuned),
        false => (tuned, String::new(), "The run".to_owned()),
    };
    let (mut links, mut text) = (String::new(), String::new());
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "<section class=\"run\" id=\"run-{k}\"><h2>{heading}</h2>\n{card}\
         <p>{tuned}: {} evaluations, {lost} of them lost. Airframe {}, Windhover {}.</p>\n{}",
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

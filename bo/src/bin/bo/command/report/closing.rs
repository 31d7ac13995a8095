//! Closing: what is said of a page once it is written, in words or as JSON.

use bo::flights::verdict::Judgement;
use bo::report::Report;
use bo::terminal::printable;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;

/// What `--format json` prints.
#[derive(Debug, Serialize)]
pub struct Printed<'a> {
    schema: &'static str,
    file: String,
    bytes: usize,
    runs: Vec<PrintedRun<'a>>,
    /// Of an unfinished run, how far it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<PrintedProgress>,
}

/// How far an unfinished run is.
#[derive(Debug, Serialize)]
pub struct PrintedProgress {
    #[serde(rename = "evaluations")]
    pub made: usize,
    pub of: u64,
    pub lost: usize,
}

/// What a report says first of a run.
#[derive(Debug, Serialize)]
struct PrintedRun<'a> {
    name: &'a str,
    domains: Vec<PrintedDomain<'a>>,
}

/// What it says of one domain.
#[derive(Debug, Serialize)]
struct PrintedDomain<'a> {
    domain: &'a str,
    /// Recommended against default gains.
    #[serde(flatten)]
    against_default: Judgement,
}

impl Printed<'_> {
    pub fn of<'a>(reports: &'a [Report], path: &Path, bytes: usize) -> Printed<'a> {
        let run = |report: &'a Report| {
            let recorded = &report.recorded;
            let tests = recorded.recommended.tests.iter().enumerate();
            PrintedRun {
                name: &report.name,
                domains: tests
                    .map(|(domain, test)| PrintedDomain {
                        domain: &test.domain,
                        against_default: recorded.judgement(&recorded.recommended, domain),
                    })
                    .collect(),
            }
        };
        Printed {
            schema: "windhover-report/2",
            file: path.display().to_string(),
            bytes,
            runs: reports.iter().map(run).collect(),
            unfinished: None,
        }
    }
}

pub fn closing_lines(reports: &[Report], path: &Path, bytes: usize) -> String {
    let mut text = String::new();
    for report in reports {
        let recorded = &report.recorded;
        let reasons = report
            .card
            .reasons
            .iter()
            .map(|reason| format!("- {reason}"));
        for line in std::iter::once(report.card.headline()).chain(reasons) {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}", printable(&line));
        }
        for (domain, test) in recorded.recommended.tests.iter().enumerate() {
            let judgement = recorded.judgement(&recorded.recommended, domain);
            let difference = judgement
                .error_m
                .as_ref()
                .map_or("-".to_owned(), |error| error.signed());
            let _ = writeln!(
                text,
                "{}, {} wind: recommended minus default ACE {difference} m, {} of {} flights lost in simulation  {}",
                printable(&report.name),
                printable(&test.domain),
                judgement.after.lost,
                judgement.after.flights,
                judgement.verdict.words()
            );
        }
    }
    let megabytes = bytes as f64 / 1e6;
    let _ = writeln!(
        text,
        "Written: {} ({megabytes:.1} MB); open it in a browser",
        path.display()
    );
    text
}

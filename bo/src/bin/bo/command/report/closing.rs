//! Closing: what is said of a page once it is written, in words or as JSON.

use bo::flights::held_out::Test;
use bo::report::Report;
use bo::terminal::printable;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// What `--format json` prints.
pub fn printed(reports: &[Report], path: &Path, bytes: usize) -> Value {
    let run = |report: &Report| {
        let recorded = &report.recorded;
        let tests = recorded.recommended.tests.iter().enumerate();
        let domain = |(domain, test): (usize, &Test)| {
            let mut said = json!(recorded.judgement(&recorded.recommended, domain));
            said["domain"] = test.domain.as_str().into();
            said
        };
        json!({ "name": report.name, "domains": tests.map(domain).collect::<Vec<Value>>() })
    };
    json!({
        "schema": "windhover-report/2",
        "file": path.display().to_string(),
        "bytes": bytes,
        "runs": reports.iter().map(run).collect::<Vec<Value>>(),
    })
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

//! Every held-out flight.

use crate::flights::held_out::Test;
use crate::report::html::{escape, lost, metres};
use crate::report::sections::{figures, table};
use crate::report::{Report, charts};
use crate::statistics::median;

/// Default and recommended gains wind by wind.
pub fn held_out(report: &Report) -> String {
    let recorded = &report.recorded;
    let mut rows = Vec::new();
    let mut drawings = Vec::new();
    let both = recorded
        .default
        .tests
        .iter()
        .zip(&recorded.recommended.tests);
    for (domain, (before, after)) in both.enumerate() {
        let pairs = before.ace_m.iter().zip(&after.ace_m);
        let won = pairs.filter(|(before, after)| after < before).count();
        rows.push(row(before, "default", String::new()));
        rows.push(row(
            after,
            "recommended",
            format!("{won} of {}", after.ace_m.len()),
        ));
        let caption = format!(
            "{} wind: each mark is one held-out wind, flown with both gains.",
            escape(&before.domain)
        );
        drawings.push((charts::paired(recorded, domain), caption));
    }
    let head = [
        "wind",
        "gains",
        "least ACE [m]",
        "lower quartile",
        "median",
        "upper quartile",
        "greatest",
        "lost",
        "better than default in",
    ];
    table(&head, rows) + &figures(&drawings)
}

fn row(test: &Test, gains: &str, won: String) -> Vec<String> {
    let mut sorted = test.ace_m.clone();
    sorted.sort_by(f64::total_cmp);
    // Quartiles as medians of the halves.
    let half = sorted.len().div_ceil(2);
    let (low, high) = (&sorted[..half], &sorted[sorted.len() - half..]);
    vec![
        escape(&test.domain),
        gains.to_owned(),
        metres(sorted[0]),
        metres(median(low)),
        metres(median(&sorted)),
        metres(median(high)),
        metres(sorted[sorted.len() - 1]),
        lost(&test.losses()),
        won,
    ]
}

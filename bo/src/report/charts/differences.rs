//! Differences to the default gains with their intervals.

use super::{NO_CHANGE, OBSERVED, RECOMMENDED, estimate};
use crate::run::disk::record::Record;
use plots::{Error, Estimate, IntervalPanel, IntervalsPicture, svg_intervals};

/// Recommended and best observed gains minus default gains in every domain.
pub fn differences(recorded: &Record) -> Result<String, Error> {
    let domains = recorded.recommended.tests.iter().enumerate();
    let candidates = [&recorded.recommended, &recorded.observed];
    let of_domain = |domain: usize| -> [Option<Estimate>; 2] {
        candidates.map(|candidate| {
            let interval = recorded.judgement(candidate, domain).error_m?;
            Some(estimate(interval.median, interval.ends))
        })
    };
    let (names, estimates): (Vec<&str>, Vec<_>) = domains
        .map(|(domain, test)| (test.domain.as_str(), of_domain(domain)))
        .unzip();
    let held: Vec<Estimate> = estimates
        .iter()
        .flatten()
        .flatten()
        .copied()
        .chain([NO_CHANGE])
        .collect();
    svg_intervals(&IntervalsPicture {
        title: "Differences to the default gains with 95 % intervals",
        x_name: "ACE minus default [m], left of 0 is better",
        columns: &[""],
        rows: &[""],
        methods: &names,
        marks: ["recommended", "best observed flight"],
        colours: [RECOMMENDED, OBSERVED],
        references: &["default gains"],
        judged_against: None,
        panels: &[IntervalPanel {
            estimates: &estimates,
            references: &[Some(NO_CHANGE)],
        }],
        held: &held,
    })
}

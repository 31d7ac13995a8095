//! Differences to the default gains with their intervals.

use crate::report::chart::{Axis, Chart, GREY, Mark, OBSERVED, RECOMMENDED};
use crate::run::record::Record;

/// Recommended and best observed gains minus default gains in every domain.
pub fn differences(recorded: &Record) -> String {
    let domains = &recorded.recommended.tests;
    let candidates = [
        (&recorded.recommended, "recommended", RECOMMENDED, Mark::Dot),
        (
            &recorded.observed,
            "best observed flight",
            OBSERVED,
            Mark::Diamond,
        ),
    ];
    let all = candidates.iter().flat_map(|(candidate, ..)| {
        (0..domains.len()).flat_map(|d| {
            let interval = recorded.judgement(candidate, d).error_m;
            interval.map_or([0.0; 3], |i| {
                let [low, high] = i.ends.unwrap_or([i.median; 2]);
                [low, high, i.median]
            })
        })
    });
    let x = Axis::around(
        "ACE minus that of the default gains [m]; left of 0 is better",
        all.chain([0.0]),
    );
    let y = Axis::rows(domains.iter().map(|test| test.domain.clone()).collect());
    let height = 120.0 + 74.0 * domains.len() as f64;
    let mut chart = Chart::new(
        "Differences to the default gains with 95 % intervals",
        height,
        x,
        y,
    );
    chart.upright(0.0, -0.5, domains.len() as f64 - 0.5, GREY, 2.0, 1.0);
    for (place, (candidate, name, colour, mark)) in candidates.into_iter().enumerate() {
        let down = 18.0 * (place as f64 - 0.5);
        for domain in 0..domains.len() {
            let Some(interval) = recorded.judgement(candidate, domain).error_m else {
                continue;
            };
            if let Some([low, high]) = interval.ends {
                chart.across(low, high, domain as f64, down, colour);
            }
            chart.mark(mark, [interval.median, domain as f64], down, colour, 1.0);
        }
        chart.legend(mark, colour, name);
    }
    chart.finish()
}

//! Held-out flights in pairs: both gains in the same wind.

use crate::run::disk::record::Record;
use plots::{Error, Pair, PairsPicture, svg_pairs};

/// ACE with the recommended gains against ACE with the default gains, one mark a wind.
pub fn paired(recorded: &Record, domain: usize) -> Result<String, Error> {
    let (before, after) = (
        &recorded.default.tests[domain],
        &recorded.recommended.tests[domain],
    );
    let completed = before.flights().zip(after.flights());
    let winds = before.ace_m.iter().zip(&after.ace_m).zip(completed);
    let pair = |((before, after), completed): ((&f64, &f64), (Option<_>, Option<_>))| Pair {
        x: Some(*before),
        y: *after,
        bar: None,
        lost: completed.0.is_none() || completed.1.is_none(),
    };
    let pairs: Vec<Pair> = winds.map(pair).collect();
    svg_pairs(&PairsPicture {
        title: &format!(
            "Recommended against default gains, wind by wind, in {} wind",
            before.domain
        ),
        x_name: "ACE, default gains [m]",
        y_name: "ACE, recommended gains [m]",
        pair_name: "one wind",
        lost_name: "lost, counted as 2 m",
        equal_name: "equal; below it recommended is better",
        pairs: &pairs,
    })
}

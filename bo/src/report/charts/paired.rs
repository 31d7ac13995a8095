//! Held-out flights in pairs: both gains in the same wind.

use crate::report::chart::{Axis, Chart, GREY, LOST, Mark, RECOMMENDED};
use crate::run::record::Record;

/// ACE with the recommended gains against ACE with the default gains, one mark a wind.
pub fn paired(recorded: &Record, domain: usize) -> String {
    let (before, after) = (
        &recorded.default.tests[domain],
        &recorded.recommended.tests[domain],
    );
    let all = || before.ace_m.iter().chain(&after.ace_m).copied();
    let x = Axis::log_around("ACE with the default gains [m]", all());
    let y = Axis::log_around("ACE with the recommended gains [m]", all());
    let says = format!(
        "Recommended against default gains, wind by wind, in {} wind",
        before.domain
    );
    let mut chart = Chart::new(&says, 440.0, x, y);
    let ends = [
        all().fold(f64::INFINITY, f64::min) / 1.1,
        all().fold(0.0, f64::max) * 1.1,
    ];
    chart.curve(&[[ends[0], ends[0]], [ends[1], ends[1]]], GREY, 1.5, true);
    chart.note(0.03, 0.08, "start", "above the line: recommended worse");
    chart.note(0.97, 0.96, "end", "below the line: recommended better");
    let completed = before.flights().zip(after.flights());
    let winds = before.ace_m.iter().zip(&after.ace_m).zip(completed);
    for ((before, after), completed) in winds {
        let lost = completed.0.is_none() || completed.1.is_none();
        let (mark, colour) = if lost {
            (Mark::Cross, LOST)
        } else {
            (Mark::Dot, RECOMMENDED)
        };
        chart.mark(mark, [*before, *after], 0.0, colour, 0.75);
    }
    chart.legend(Mark::Dot, RECOMMENDED, "one wind");
    if before.crashes + after.crashes > 0 {
        chart.legend(Mark::Cross, LOST, "lost, counted as 2 m");
    }
    chart.finish()
}

//! What turning each gain by itself does.

use crate::flights::space::Knob;
use crate::report::chart::{Axis, Chart, DEFAULT, GREY, Mark, RECOMMENDED};
use crate::report::sensitivity::Turned;

/// Colour and mark of the two factors.
const LOOKS: [(Mark, &str, &str); 2] = [
    (Mark::Down, DEFAULT, "gain −20 %"),
    (Mark::Up, RECOMMENDED, "gain +20 %"),
];

/// Changes of ACE in one domain, one row a gain. The axis is that of all domains.
pub fn sensitivity(turned: &[Turned], knobs: &[Knob], domain: usize, name: &str) -> String {
    let all = turned
        .iter()
        .flat_map(|t| [t.difference.low(), t.difference.high(), t.difference.mean]);
    let x = Axis::around("change of ACE [m]; left of 0 is better", all.chain([0.0]));
    let rows = knobs.iter().map(|knob| knob.name.to_owned()).collect();
    let says = format!("Change of ACE in {name} wind when one gain is turned by 20 %");
    let height = 110.0 + 46.0 * knobs.len() as f64;
    let mut chart = Chart::new(&says, height, x, Axis::rows(rows));
    chart.upright(0.0, -0.5, knobs.len() as f64 - 0.5, GREY, 2.0, 1.0);
    for turned in turned.iter().filter(|turned| turned.domain == domain) {
        let (mark, colour, _) = LOOKS[turned.factor];
        let down = 16.0 * (turned.factor as f64 - 0.5);
        let (interval, row) = (&turned.difference, turned.knob as f64);
        if interval.half_width.is_some() {
            chart.across(interval.low(), interval.high(), row, down, colour);
        }
        chart.mark(mark, [interval.mean, row], down, colour, 1.0);
    }
    for (mark, colour, words) in LOOKS {
        chart.legend(mark, colour, words);
    }
    chart.finish()
}

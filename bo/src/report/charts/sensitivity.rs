//! What turning each gain by itself does.

use super::{DEFAULT, NO_CHANGE, RECOMMENDED, estimate};
use crate::flights::space::Knob;
use crate::report::analysis::sensitivity::Turned;
use plots::{Error, Estimate, IntervalPanel, IntervalsPicture, svg_intervals};

/// Changes of ACE in one domain, one row a gain. The axis is that of all domains.
pub fn sensitivity(
    turned: &[Turned],
    knobs: &[Knob],
    domain: usize,
    name: &str,
) -> Result<String, Error> {
    let of = |turned: &Turned| {
        let difference = &turned.difference;
        let ends = difference
            .half_width
            .map(|_| [difference.low(), difference.high()]);
        estimate(difference.mean, ends)
    };
    let mut estimates = vec![[None; 2]; knobs.len()];
    for turned in turned.iter().filter(|turned| turned.domain == domain) {
        estimates[turned.knob][turned.factor] = Some(of(turned));
    }
    let held: Vec<Estimate> = turned.iter().map(of).chain([NO_CHANGE]).collect();
    let names: Vec<&str> = knobs.iter().map(|knob| knob.gain.name).collect();
    svg_intervals(&IntervalsPicture {
        title: &format!("Change of ACE in {name} wind when one gain is turned by 20 %"),
        x_name: "change of ACE [m], left of 0 is better",
        columns: &[""],
        rows: &[""],
        methods: &names,
        marks: ["gain −20 %", "gain +20 %"],
        colours: [DEFAULT, RECOMMENDED],
        references: &["recommended gains"],
        judged_against: None,
        panels: &[IntervalPanel {
            estimates: &estimates,
            references: &[Some(NO_CHANGE)],
        }],
        held: &held,
    })
}

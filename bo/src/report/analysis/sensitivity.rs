//! Sensitivity: what the recommended gains' error does when one of them is turned a little.

use crate::flights::space::Knob;
use crate::flights::tuning::Tuning;
use crate::report::analysis::replays::Flown;
use crate::report::{Heard, Listener, Stage};
use crate::run::disk::record::Record;
use crate::statistics::Interval;
use rayon::prelude::*;
use sim::Gains;

/// Factors by which each gain is turned.
pub const FACTORS: [f64; 2] = [0.8, 1.2];

/// What turning one gain does in one domain.
#[derive(Debug, Clone)]
pub struct Turned {
    /// Index of the gain.
    pub knob: usize,
    /// Index of the domain.
    pub domain: usize,
    /// Index of the factor.
    pub factor: usize,
    /// Cost minus that of the recommended gains, wind by wind; the intervals of the whole report
    /// hold together [m].
    pub difference: Interval,
    /// Flights that were lost.
    pub lost: usize,
}

/// Turns each gain by each factor, the others left alone, and flies the winds of `base`. The
/// bounds of the search do not apply.
pub fn sensitivity(
    recorded: &Record,
    tuning: &Tuning,
    knobs: &[Knob],
    base: &Flown,
    hear: Listener,
) -> Vec<Turned> {
    let cases = (0..tuning.domains.len()).flat_map(|domain| {
        (0..knobs.len())
            .flat_map(move |knob| (0..FACTORS.len()).map(move |factor| (domain, knob, factor)))
    });
    let cases: Vec<(usize, usize, usize)> = cases.collect();
    let flights = cases.len() * base.winds as usize;
    hear(Heard::Begins(Stage::Sensitivity, flights));
    let turned = cases.iter().map(|&(domain, knob, factor)| {
        let mut gains = recorded.recommended.gains;
        let gain = knobs[knob].gain;
        gain.set(
            &mut gains,
            gain.value(&recorded.recommended.gains) * FACTORS[factor],
        );
        let flights = fly(tuning, &gains, domain, base.winds, hear);
        let straight = base.domains[domain].recommended.flights.iter();
        let differences = flights
            .iter()
            .zip(straight)
            .map(|(ours, theirs)| ours.0 - theirs.cost_m);
        let differences: Vec<f64> = differences.collect();
        Turned {
            knob,
            domain,
            factor,
            difference: Interval::simultaneous(&differences, cases.len()),
            lost: flights.iter().filter(|flight| flight.1).count(),
        }
    });
    turned.collect()
}

/// Cost and loss of each flight.
fn fly(
    tuning: &Tuning,
    gains: &Gains,
    domain: usize,
    winds: u64,
    hear: Listener,
) -> Vec<(f64, bool)> {
    let one = |number| {
        let flight = tuning.fly(gains, &tuning.held_out_weather(domain, number), 0);
        hear(Heard::Done);
        (flight.cost_m(), !flight.completed())
    };
    (0..winds).into_par_iter().map(one).collect()
}

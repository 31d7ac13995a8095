//! Held out: how good gains are in winds that no tuning flight met.

use crate::interrupt::Interrupt;
use crate::statistics::{Interval, median};
use crate::tuning::Tuning;
use rayon::prelude::*;
use serde::Serialize;
use sim::Gains;

/// The flights of one set of gains in the held-out winds of one domain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Test {
    /// Name of the wind domain.
    pub domain: String,
    /// Cost of each flight in the order of the winds: ACE, capped; the cap for a crash [m].
    pub ace_m: Vec<f64>,
    /// How many of them crashed.
    pub crashes: usize,
    /// Mean of `ace_m` with its interval over winds.
    pub mean: Interval,
    /// Median of `ace_m` [m].
    pub median_m: f64,
}

/// Flies `gains` in the first `winds` held-out winds of each domain, on all cores; the result
/// does not depend on their number. Nothing when interrupted.
pub fn test(
    tuning: &Tuning,
    gains: &Gains,
    winds: u64,
    interrupt: &Interrupt,
) -> Option<Vec<Test>> {
    (0..tuning.domains.len())
        .map(|domain| test_in(tuning, gains, domain, winds, interrupt))
        .collect()
}

/// Flies `gains` in the first `winds` held-out winds of one domain; nothing when interrupted.
pub fn test_in(
    tuning: &Tuning,
    gains: &Gains,
    domain: usize,
    winds: u64,
    interrupt: &Interrupt,
) -> Option<Test> {
    let flights: Vec<(f64, bool)> = (0..winds)
        .into_par_iter()
        .map(|number| {
            if interrupt.raised() {
                return None;
            }
            let weather = tuning.held_out_weather(domain, number);
            let flight = tuning.fly(gains, &weather, 0);
            Some((flight.cost_m(), !flight.completed()))
        })
        .collect::<Option<_>>()?;
    let ace_m: Vec<f64> = flights.iter().map(|flight| flight.0).collect();
    Some(Test {
        domain: tuning.domains[domain].name.clone(),
        crashes: flights.iter().filter(|flight| flight.1).count(),
        mean: Interval::of(&ace_m),
        median_m: median(&ace_m),
        ace_m,
    })
}

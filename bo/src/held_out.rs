//! Held out: how good gains are in winds that no tuning flight met.

use crate::interrupt::Interrupt;
use crate::statistics::{Interval, median};
use crate::tuning::Tuning;
use rayon::prelude::*;
use serde::Serialize;
use sim::{Flight, Gains};

/// Flights that one thread takes on at a time.
const BATCH: usize = 8;

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
    let seeds: Vec<u64> = (0..winds)
        .map(|number| tuning.held_out_weather(domain, number).seed)
        .collect();
    let batches: Vec<Vec<Flight>> = seeds
        .par_chunks(BATCH)
        .map(|seeds| (!interrupt.raised()).then(|| tuning.fly_batch(gains, domain, seeds)))
        .collect::<Option<_>>()?;
    let flights: Vec<(f64, bool)> = batches
        .iter()
        .flatten()
        .map(|flight| (flight.cost_m(), !flight.completed()))
        .collect();
    let ace_m = flights.iter().map(|flight| flight.0).collect();
    let crashes = flights.iter().filter(|flight| flight.1).count();
    Some(Test::of(
        tuning.domains[domain].name.clone(),
        ace_m,
        crashes,
    ))
}

impl Test {
    /// The test that consists of these flights, `crashes` of them lost.
    pub fn of(domain: String, ace_m: Vec<f64>, crashes: usize) -> Test {
        Test {
            domain,
            crashes,
            mean: Interval::of(&ace_m),
            median_m: median(&ace_m),
            ace_m,
        }
    }
}

//! Replays: held-out flights made again, because a record keeps only their cost.

use crate::flights::tuning::Tuning;
use crate::report::analysis::oscillation::{Spectrum, Welch};
use crate::report::analysis::recording::Recording;
use crate::report::{Event, Listener, Stage};
use crate::run::disk::record::{Candidate, Record};
use rayon::prelude::*;
use sim::{Flight, Gains};

/// Most held-out winds of each domain that are flown again.
pub const MOST_WINDS: u64 = 12;

/// The held-out wind whose flight is shown.
const SHOWN_WIND: u64 = 0;

/// Control periods between two samples: every one.
const EVERY: u32 = 1;

/// Time between two samples of the body rates: the control period [s].
pub const SAMPLE_S: f64 = 1e-3;

/// Flights of the default and of the recommended gains.
pub struct Flown {
    /// Held-out winds flown in each domain, the first ones.
    pub winds: u64,
    /// One entry a domain.
    pub domains: Vec<InDomain>,
    /// Flights whose cost is not that of the record, to the last bit.
    pub departures: usize,
    /// Greatest distance of such a cost from the record's [m].
    pub greatest_departure_m: f64,
}

/// Both gains in one domain.
pub struct InDomain {
    /// With the default gains.
    pub default: WithGains,
    /// With the recommended gains.
    pub recommended: WithGains,
}

/// One set of gains in one domain.
pub struct WithGains {
    /// Every flight in the order of the winds.
    pub flights: Vec<Facts>,
    /// Power spectrum of the body rates over the completed flights.
    pub spectrum: Option<Spectrum>,
    /// The flight that is shown.
    pub shown: Recording,
}

/// What is kept of a flight.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    /// ACE, capped; the cap for a lost flight [m].
    pub cost_m: f64,
    /// Share of the time in which a rotor was at the end of its range.
    pub saturation: f64,
    /// Share of the time in which the position loop's thrust or tilt limit was active.
    pub limitation: f64,
    /// Time mean over the rotors of (thrust / hover thrust − 1)².
    pub effort: f64,
}

impl WithGains {
    /// Mean of `what` over the flights.
    pub fn mean(&self, what: fn(&Facts) -> f64) -> f64 {
        self.flights.iter().map(what).sum::<f64>() / self.flights.len() as f64
    }
}

impl Flown {
    /// Flies the default and the recommended gains of `recorded`.
    pub fn replay(recorded: &Record, tuning: &Tuning, notify: Listener) -> Flown {
        let winds = recorded.settings.held_out_winds.min(MOST_WINDS);
        let flights = tuning.domains.len() * 2 * winds as usize;
        notify(Event::Begins(Stage::Flights, flights));
        let domains = (0..tuning.domains.len()).map(|domain| {
            let with = |gains| with_gains(tuning, gains, domain, winds, notify);
            InDomain {
                default: with(&recorded.default.gains),
                recommended: with(&recorded.recommended.gains),
            }
        });
        let domains: Vec<InDomain> = domains.collect();
        let mut departures = Vec::new();
        for (domain, flown) in domains.iter().enumerate() {
            departures.extend(departures_of(&flown.default, &recorded.default, domain));
            departures.extend(departures_of(
                &flown.recommended,
                &recorded.recommended,
                domain,
            ));
        }
        Flown {
            winds,
            domains,
            departures: departures.len(),
            greatest_departure_m: departures.into_iter().fold(0.0, f64::max),
        }
    }

    /// Flights that were made again.
    pub fn count(&self) -> usize {
        self.domains.len() * 2 * self.winds as usize
    }
}

fn departures_of(
    flown: &WithGains,
    candidate: &Candidate,
    domain: usize,
) -> impl Iterator<Item = f64> {
    let pairs = flown.flights.iter().zip(&candidate.tests[domain].ace_m);
    let distances = pairs.map(|(facts, recorded)| (facts.cost_m - recorded).abs());
    distances.filter(|distance| *distance > 0.0)
}

/// Flies `gains` in the first `winds` held-out winds of a domain, of which there is at least one,
/// on all cores; the result does not depend on their number.
fn with_gains(
    tuning: &Tuning,
    gains: &Gains,
    domain: usize,
    winds: u64,
    notify: Listener,
) -> WithGains {
    let flown = |number: u64| {
        let weather = tuning.held_out_weather(domain, number);
        let flight = tuning.fly(gains, &weather, EVERY);
        notify(Event::Done);
        let mut welch = Welch::new(SAMPLE_S);
        if flight.completed() {
            welch.add(&rates(&flight));
        }
        let shown = (number == SHOWN_WIND).then(|| Recording::of(&flight));
        (facts(&flight), welch, shown)
    };
    let flown: Vec<_> = (0..winds).into_par_iter().map(flown).collect();
    let mut welch = Welch::new(SAMPLE_S);
    for (_, one, _) in &flown {
        welch.merge(one);
    }
    let flights = flown.iter().map(|one| one.0).collect();
    let shown = flown.into_iter().find_map(|one| one.2);
    WithGains {
        spectrum: welch.spectrum(),
        flights,
        shown: shown.expect("the wind that is shown is among those flown"),
    }
}

fn rates(flight: &Flight) -> [Vec<f64>; 3] {
    let samples = &flight.samples;
    std::array::from_fn(|axis| samples.iter().map(|s| s.state.rates_rad_s[axis]).collect())
}

fn facts(flight: &Flight) -> Facts {
    Facts {
        cost_m: flight.cost_m(),
        saturation: flight.score.rotor_saturation,
        limitation: flight.score.force_limitation,
        effort: flight.score.effort,
    }
}

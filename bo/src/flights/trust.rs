//! Trust: what makes the answer of a run mean less than it seems to. To the guardrails of flights
//! ([`sim::GUARDRAILS`]) come those of what is asked of many flights.

use crate::Error;
use crate::terminal;
use serde::Serialize;
use shell::Failure;
use sim::Severity::Warning;
use sim::{Guarded, Guardrail};

/// Winds in a domain from which a median has an interval.
pub const LEAST_WINDS: u64 = 6;

/// Seeds of a comparison from which a mean has an interval.
pub const LEAST_SEEDS: usize = 2;

/// Every guardrail besides those of a flight.
pub static GUARDRAILS: [Guardrail; 5] = [
    Guardrail {
        name: "too-few-winds",
        severity: Warning,
        when: "fewer held-out winds in a domain than an interval of the median takes",
        advice: "raise --held-out",
    },
    Guardrail {
        name: "too-few-evaluations",
        severity: Warning,
        when: "no more evaluations than gains that are tuned",
        advice: "raise --iterations, or tune fewer gains",
    },
    Guardrail {
        name: "too-few-seeds",
        severity: Warning,
        when: "a comparison over one seed",
        advice: "raise --seeds",
    },
    Guardrail {
        name: "too-few-to-pass",
        severity: Warning,
        when: "a check of fewer flights than it takes to call a tune safe",
        advice: "raise --flights",
    },
    Guardrail {
        name: "gains-at-bounds",
        severity: Warning,
        when: "recommended gains lie at a bound of the search, which is known after a run",
        advice: "a smaller error at a bound often costs margin: look at bo check, and widen [gains.bounds] only where margins leave room",
    },
];

/// A warning about how far a run's answer can be trusted.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Concern {
    /// Each flight's.
    #[error(transparent)]
    Flight(sim::Concern),

    /// Too few winds in a domain for an interval.
    #[error(
        "{winds} held-out winds are too few for an interval: the median's with 95 % confidence takes {LEAST_WINDS}, and without one no gains are called better or worse by their error"
    )]
    TooFewWinds {
        /// Held-out winds in each domain.
        winds: u64,
    },

    /// No surrogate can distinguish the effects of so many gains.
    #[error("{evaluations} evaluations are too few to tell {gains} gains apart")]
    TooFewEvaluations {
        /// Evaluations in all, those of a warm start among them.
        evaluations: u64,
        /// Gains that are tuned.
        gains: usize,
    },

    /// One seed says nothing of the next.
    #[error("{seeds} seed is too few for an interval: it says nothing of the spread between seeds")]
    TooFewSeeds {
        /// Seeds of the comparison.
        seeds: usize,
    },

    /// However they end, the flights of a check are too few to pass.
    #[error(
        "{flights} flights are too few to call any tune safe: that takes {least} without a loss"
    )]
    TooFewToPass {
        /// Flights that were asked for.
        flights: u64,
        /// Flights that it takes.
        least: u64,
    },

    /// The search ended at its bounds.
    #[error("at a bound of the search: {}", ends.join(", "))]
    GainsAtBounds {
        /// The gains, each with the end at which it lies.
        ends: Vec<String>,
    },
}

impl Guarded for Concern {
    fn guardrail(&self) -> &'static Guardrail {
        let name = match self {
            Concern::Flight(concern) => return concern.guardrail(),
            Concern::TooFewWinds { .. } => "too-few-winds",
            Concern::TooFewEvaluations { .. } => "too-few-evaluations",
            Concern::TooFewSeeds { .. } => "too-few-seeds",
            Concern::TooFewToPass { .. } => "too-few-to-pass",
            Concern::GainsAtBounds { .. } => "gains-at-bounds",
        };
        Guardrail::named(&GUARDRAILS, name)
    }
}

/// The concern that a number of held-out winds gives.
pub fn winds(winds: u64) -> Option<Concern> {
    (winds < LEAST_WINDS).then_some(Concern::TooFewWinds { winds })
}

/// The concern that a number of evaluations gives where that many gains are tuned.
pub fn evaluations(evaluations: u64, gains: usize) -> Option<Concern> {
    let few = evaluations <= gains as u64;
    few.then_some(Concern::TooFewEvaluations { evaluations, gains })
}

/// The concern that a number of seeds gives.
pub fn seeds(seeds: usize) -> Option<Concern> {
    (seeds < LEAST_SEEDS).then_some(Concern::TooFewSeeds { seeds })
}

/// Each of `found` in words.
pub fn said(found: &[Concern]) -> Vec<String> {
    found.iter().map(Guarded::said).collect()
}

/// Says every warning of `found`, on standard error.
pub fn warn(found: &[Concern]) {
    said(found).iter().for_each(|said| terminal::warn(said));
}

/// Refuses what could mean nothing.
///
/// # Errors
/// The first refusal among `found`.
pub fn refuse(found: &[Concern]) -> Result<(), Error> {
    let refusal = found.iter().find_map(|concern| match concern {
        Concern::Flight(concern) if concern.refuses() => Some(concern.said()),
        _ => None,
    });
    refusal.map_or(Ok(()), |said| Err(Failure::data(said).into()))
}

//! Suggestion: a point to evaluate, and where it came from.

use super::auto::Judged;
use serde::{Deserialize, Serialize};

/// Where a point came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "origin", rename_all = "snake_case")]
pub enum Origin {
    /// The user's starting point.
    Baseline,
    /// The initial design.
    Initial,
    /// The maximum of the acquisition.
    Acquisition {
        /// Its value in the model's units: for the confidence bound κ std − mean.
        value: f64,
        /// What had to be added to the surrogate's covariance so that it could be factorised, on
        /// standardised targets; 0 where nothing was.
        jitter: f64,
        /// What was last judged of the noise, where the acquisition goes by that, and what was then
        /// looked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        regime: Option<Judged>,
    },
    /// The local search.
    Local,
    /// The next point of the initial design's sequence, because no acquisition could be maximised.
    Fallback {
        /// Why.
        reason: String,
    },
}

/// A point to evaluate.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// Its number among the evaluations of the search, from 0; pass it to `tell`.
    pub id: u64,
    /// In natural units, in the order of the space.
    pub x: Vec<f64>,
    /// Where it came from.
    pub origin: Origin,
    /// The point that would have been suggested, if it kept the constraint.
    pub rejected: Option<Vec<f64>>,
}

impl Suggestion {
    /// A point that no optimiser suggested.
    pub fn new(x: Vec<f64>, origin: Origin) -> Suggestion {
        Suggestion {
            id: 0,
            x,
            origin,
            rejected: None,
        }
    }
}

//! Limits: what flights measure besides the error, the limits that a study puts on it, and what is traded
//! with the error.

use super::Flown;
use crate::flights::evaluation::Evaluation;
use search::Role;
use serde::{Deserialize, Serialize};
use sim::Score;

/// What a study asks of what its flights measure: means over the flights of an evaluation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MeasuredLimits {
    /// Most motor activity [full ranges per s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motor_activity_per_s: Option<f64>,
    /// Most share of the time in which a rotor is saturated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotor_saturation: Option<f64>,
    /// Most probability that a flight is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_probability: Option<f64>,
    /// Whether motor activity is traded with the error: the search is for the front of both.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub trades_activity: bool,
}

/// What an evaluation is measured by.
type Measure = fn(&Evaluation) -> f64;

impl MeasuredLimits {
    /// Whether nothing is asked.
    pub fn is_none(&self) -> bool {
        *self == MeasuredLimits::default()
    }

    /// The outputs of an evaluation that count, and what becomes of each.
    fn outputs(&self) -> Vec<(Role, Measure)> {
        let limits: [(Option<f64>, Measure); 3] = [
            (self.motor_activity_per_s, activity),
            (self.rotor_saturation, |e| mean(e, |s| s.rotor_saturation)),
            (self.loss_probability, lost_share),
        ];
        let limited = limits
            .into_iter()
            .filter_map(|(most, measure)| Some((Role::AtMost(most?), measure)));
        let traded = self
            .trades_activity
            .then_some((Role::Traded, activity as Measure));
        limited.chain(traded).collect()
    }

    /// What becomes of each output.
    pub fn roles(&self) -> Vec<Role> {
        self.outputs().into_iter().map(|(role, _)| role).collect()
    }

    /// The outputs of `evaluation`; not a number where nothing finished that could be measured.
    pub fn measured(&self, evaluation: &Evaluation) -> Vec<f64> {
        let outputs = self.outputs().into_iter();
        outputs.map(|(_, measure)| measure(evaluation)).collect()
    }
}

/// Motor activity of an evaluation [full ranges per s].
pub fn activity(evaluation: &Evaluation) -> f64 {
    mean(evaluation, |score| score.motor_activity_per_s)
}

/// The mean over the flights that finished: up to its loss a lost one says little.
fn mean(evaluation: &Evaluation, of: impl Fn(&Score) -> f64) -> f64 {
    let finished = evaluation.flights.iter().filter(|flown| !flown.is_lost());
    let values: Vec<f64> = finished.map(|flown| of(&flown.score)).collect();
    values.iter().sum::<f64>() / values.len() as f64
}

fn lost_share(evaluation: &Evaluation) -> f64 {
    let lost = evaluation
        .flights
        .iter()
        .filter(|flown| Flown::is_lost(flown));
    lost.count() as f64 / evaluation.flights.len() as f64
}

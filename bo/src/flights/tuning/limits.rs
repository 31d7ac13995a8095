//! Limits: what flights measure besides the error, the limits that a study puts on it, and what is traded
//! with the error.

use super::Flown;
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

/// What the flights of an evaluation are measured by.
type Measure = fn(&[Flown]) -> f64;

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

    /// The outputs of an evaluation with these `flights`; not a number where nothing finished that could be
    /// measured.
    pub fn measured(&self, flights: &[Flown]) -> Vec<f64> {
        let outputs = self.outputs().into_iter();
        outputs.map(|(_, measure)| measure(flights)).collect()
    }

    /// Whether these `flights` of an evaluation keep every limit; what was not measured keeps none.
    pub fn kept(&self, flights: &[Flown]) -> bool {
        let outputs = self.outputs();
        outputs.iter().all(|(role, measure)| match role {
            Role::AtMost(most) => measure(flights) <= *most,
            _ => true,
        })
    }
}

/// Motor activity of an evaluation with these flights [full ranges per s].
pub fn activity(flights: &[Flown]) -> f64 {
    mean(flights, |score| score.motor_activity_per_s)
}

/// The mean over the flights that finished: up to its loss a lost one says little.
fn mean(flights: &[Flown], of: impl Fn(&Score) -> f64) -> f64 {
    let finished = flights.iter().filter(|flown| !flown.is_lost());
    let values: Vec<f64> = finished.map(|flown| of(&flown.score)).collect();
    values.iter().sum::<f64>() / values.len() as f64
}

fn lost_share(flights: &[Flown]) -> f64 {
    let lost = flights.iter().filter(|flown| flown.is_lost());
    lost.count() as f64 / flights.len() as f64
}

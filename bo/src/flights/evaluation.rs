//! Evaluation: one point of the search with its flights and what they cost. The journal's entry, a
//! row of the record, and what reports, exports, comparisons and later runs read back are this one
//! thing.

use super::margins::MarginViolation;
use super::space::Knob;
use super::tuning::Flown;
use search::Origin;
use serde::{Deserialize, Serialize};
use sim::ACE_CAP_M;
use std::collections::BTreeMap;

/// One evaluation with all its flights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// Its number in its run, from 0.
    pub number: u64,
    /// The point in the unit cube.
    pub x: Vec<f64>,
    /// Where the point came from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The tuned gains by name; journals of the first form have none.
    #[serde(default)]
    pub gains: BTreeMap<String, f64>,
    /// The limit of margins that its gains do not keep: those that the run started from alone.
    #[serde(rename = "below", default, skip_serializing_if = "Option::is_none")]
    pub margin_violation: Option<MarginViolation>,
    /// The limit that the gains suggested first do not keep; the gains here replaced them.
    #[serde(
        rename = "instead_of",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub replaced: Option<MarginViolation>,
    /// What it counts for: its cost, or the cap where it is lost [m].
    pub cost_m: f64,
    /// Whether it is lost, that is, so many of its flights were that it has no cost.
    #[serde(alias = "crashed")]
    pub lost: bool,
    /// Its flights, at least one.
    pub flights: Vec<Flown>,
}

impl Evaluation {
    /// Its cost [m]; `None` if it is lost.
    pub fn value(&self) -> Option<f64> {
        (!self.lost).then_some(self.cost_m)
    }

    /// Whether any flight of it was lost; with several it may have a cost all the same.
    pub fn lost_a_flight(&self) -> bool {
        self.flights.iter().any(Flown::is_lost)
    }

    /// The flight that stands for it where one is shown: the first lost one, or the first.
    pub fn shown(&self) -> &Flown {
        let lost = self.flights.iter().find(|flown| flown.is_lost());
        lost.unwrap_or(&self.flights[0])
    }

    /// The point of the cube that `knobs` span which stands for its gains; the middle where it lacks
    /// one.
    pub fn unit_of(&self, knobs: &[Knob]) -> Vec<f64> {
        unit_of(&self.gains, knobs)
    }
}

/// The point of the cube that `knobs` span which stands for `gains`; the middle for a gain that is
/// not among them.
pub fn unit_of(gains: &BTreeMap<String, f64>, knobs: &[Knob]) -> Vec<f64> {
    let unit = |knob: &Knob| {
        let value = gains.get(knob.gain.name);
        value.map_or(0.5, |value| knob.parameter.unit(*value))
    };
    knobs.iter().map(unit).collect()
}

/// The finished evaluation with the least cost; the earliest of equals.
pub fn best(evaluations: &[Evaluation]) -> Option<&Evaluation> {
    let finished = evaluations.iter().filter(|evaluation| !evaluation.lost);
    finished.min_by(|a, b| a.cost_m.total_cmp(&b.cost_m))
}

/// Evaluations that are lost.
pub fn lost(evaluations: &[Evaluation]) -> usize {
    let lost = evaluations.iter().filter(|evaluation| evaluation.lost);
    lost.count()
}

/// What an evaluation of that value counts for [m].
pub fn cost_m(value: Option<f64>) -> f64 {
    value.unwrap_or(ACE_CAP_M)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::flights::tuning::Weather;
    use sim::{Loss, Outcome, Score};

    /// An evaluation of which each flight cost that much, or was lost.
    pub fn evaluation(number: u64, flights: &[Option<f64>]) -> Evaluation {
        let flown = |ace_m: &Option<f64>| Flown {
            weather: Weather {
                domain: "gusty".to_owned(),
                seed: number,
            },
            outcome: match ace_m {
                Some(_) => Outcome::Completed,
                None => Outcome::Lost {
                    at_s: 1.5,
                    why: Loss::Spinning,
                },
            },
            score: Score {
                ace_m: ace_m.unwrap_or(0.1),
                mean_distance_m: 0.0,
                mean_square_m2: 0.0,
                max_error_m: 0.0,
                mean_state_error: 0.0,
                effort: 0.5,
                rotor_saturation: 0.25,
                motor_activity_per_s: 3.0,
                force_limitation: 0.0,
                heading_off: [0.0; 2],
            },
        };
        let flights: Vec<Flown> = flights.iter().map(flown).collect();
        let value = crate::flights::tuning::Cost::default().of(&flights);
        Evaluation {
            number,
            x: vec![0.1 * number as f64],
            origin: Origin::Initial,
            gains: BTreeMap::new(),
            margin_violation: None,
            replaced: None,
            cost_m: cost_m(value),
            lost: value.is_none(),
            flights,
        }
    }

    #[test]
    fn one_lost_flight_of_three_leaves_a_cost_and_is_the_one_that_is_shown() {
        let three = evaluation(3, &[Some(0.2), None, Some(0.4)]);
        assert!(!three.lost && three.lost_a_flight());
        assert_eq!(three.value(), Some((0.6 + ACE_CAP_M) / 3.0));
        assert!(three.shown().is_lost());
        let two = evaluation(2, &[Some(0.2), None]);
        assert_eq!((two.lost, two.value(), two.cost_m), (true, None, ACE_CAP_M));
    }

    #[test]
    fn the_best_is_the_earliest_of_those_that_finished_with_the_least_cost() {
        let costs = [Some(0.5), None, Some(0.25), Some(0.25)];
        let all = (0..).zip(costs).map(|(n, cost)| evaluation(n, &[cost]));
        let all: Vec<Evaluation> = all.collect();
        assert_eq!(best(&all).map(|best| best.number), Some(2));
        assert_eq!(lost(&all), 1);
        assert_eq!(best(&all[1..2]), None);
    }

    #[test]
    fn an_evaluation_reads_back_from_its_line() {
        let one = evaluation(7, &[Some(0.3), None, Some(0.1)]);
        let line = serde_json::to_string(&one).expect("finite");
        let back: Evaluation = serde_json::from_str(&line).expect("its own line");
        assert_eq!(back, one);
    }
}

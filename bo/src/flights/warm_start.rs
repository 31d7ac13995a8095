//! Warm start: the evaluations of an earlier run, taken as data by another.
//!
//! They count for the surrogate and for the recommendation, not for the budget. They must be of
//! the same cost: the same trajectory, vehicle, sensors, tuned gains and weights. The bounds of the gains, the
//! winds that they met and the number of flights of an evaluation may differ.

use super::evaluation::Evaluation;
use super::space::{Gain, Knob};
use super::tuning::{Cost, Flown};
use crate::Error;
use crate::files::checksum;
use crate::streams::{Stream, Study};
use search::{Scale, Span};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use shell::Failure;
use sim::{Setup, World};
use std::collections::BTreeMap;

/// What is taken of an earlier run, and what it must have in common with the run that takes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarmStart {
    /// What run it was, in words.
    pub run: String,
    /// Name of its trajectory.
    pub trajectory: String,
    /// Its vehicle with sensors and the gains that are not tuned: a name and a checksum.
    pub vehicle: String,
    /// What an evaluation cost.
    pub cost: Cost,
    /// The gains that were tuned.
    pub tuned: Vec<TunedGain>,
    /// Its evaluations.
    pub trials: Vec<KnownTrial>,
}

/// A gain that was tuned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunedGain {
    /// Its name.
    pub name: String,
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
    /// What lies between them.
    pub scale: Scale,
}

impl WarmStart {
    /// What decides the training winds and the draws of a study of that seed which takes this as
    /// data: a number that differs from the seed and from that of a study with other data.
    pub fn study_seed(&self, seed: u64) -> u64 {
        self.trials
            .iter()
            .fold(Study::Warm.of(seed), |so_far, trial| {
                sim::mix(&[so_far, trial.number, trial.cost_m.to_bits()])
            })
    }

    /// Refuses a problem in which these evaluations would not have had these costs: one that has
    /// something else in common with earlier runs than `ours` says.
    ///
    /// # Errors
    /// The first difference, or an evaluation that is none.
    pub fn check(&self, ours: WarmStart) -> Result<(), Error> {
        let differs = |what: &str, theirs: String, ours: String| -> Error {
            Failure::usage(format!(
                "--warm-start: the earlier run's {what} is {theirs}, this one's {ours}; only runs of the same trajectory, gains, cost and vehicle are data for each other"
            ))
            .into()
        };
        if self.trajectory != ours.trajectory {
            let theirs = self.trajectory.clone();
            return Err(differs("trajectory", theirs, ours.trajectory));
        }
        let names = |tuned: &[TunedGain]| {
            let names: Vec<&str> = tuned.iter().map(|gain| gain.name.as_str()).collect();
            names.join(", ")
        };
        if names(&self.tuned) != names(&ours.tuned) {
            let (theirs, ours) = (names(&self.tuned), names(&ours.tuned));
            return Err(differs("list of tuned gains", theirs, ours));
        }
        if self.cost != ours.cost {
            let said = |cost: &Cost| {
                let Cost {
                    effort_m,
                    saturation_m,
                } = cost;
                format!("ACE + {effort_m} m effort + {saturation_m} m saturation")
            };
            return Err(differs("cost", said(&self.cost), said(&ours.cost)));
        }
        if self.vehicle != ours.vehicle {
            return Err(differs("vehicle", self.vehicle.clone(), ours.vehicle));
        }
        let fault = |trial: &KnownTrial| Some((trial.number, trial.fault(&self.tuned)?));
        match self.trials.iter().find_map(fault) {
            Some((number, what)) => Err(Failure::data(format!(
                "--warm-start: evaluation {number} of the earlier run is damaged: {what}"
            ))
            .into()),
            None => Ok(()),
        }
    }

    /// The evaluations as points of the unit cube that `knobs` span, outside it where a gain lies outside its
    /// bounds, with their costs where they are not lost [m]; without those that lie too far outside.
    pub fn known(&self, knobs: &[Knob]) -> impl Iterator<Item = (Vec<f64>, Option<f64>)> {
        let point = |trial: &KnownTrial| {
            let met = |knob: &Knob| knob.parameter.met(*trial.gains.get(knob.gain.name)?);
            let x: Option<Vec<f64>> = knobs.iter().map(met).collect();
            Some((x?, (!trial.lost).then_some(trial.cost_m)))
        };
        self.trials.iter().filter_map(point)
    }
}

impl TunedGain {
    /// What `knob` turns.
    pub fn of(knob: &Knob) -> TunedGain {
        let Span { low, high, scale } = knob.span();
        TunedGain {
            name: knob.gain.name.to_owned(),
            low,
            high,
            scale,
        }
    }
}

/// Name and checksum of everything that decides a flight besides trajectory, wind and tuned gains.
pub fn vehicle(setup: &Setup, tuned: &[TunedGain]) -> String {
    let mut airframe = setup.airframe.clone();
    for gain in tuned {
        if let Some(turned) = Gain::by_name(&gain.name) {
            turned.set(&mut airframe.gains, gain.low);
        }
    }
    // A checked vehicle has finite numbers only, which JSON can hold.
    let plain = serde_json::to_string(&(&airframe, setup.sensors)).unwrap_or_default();
    // What records of a study without these have as well must keep its checksum.
    let text = if setup.uncertain || setup.world != World::ground() {
        let more = serde_json::to_string(&(&setup.world, setup.uncertain)).unwrap_or_default();
        plain + &more
    } else {
        plain
    };
    format!("{} {}", airframe.name, checksum(text.as_bytes()))
}

/// One evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownTrial {
    /// Its number in its run.
    pub number: u64,
    /// The tuned gains by name.
    pub gains: BTreeMap<String, f64>,
    /// Its cost, or the cap where it is lost [m].
    pub cost_m: f64,
    /// Whether it is lost: at least half of its flights were.
    pub lost: bool,
    /// Each of its flights.
    pub flights: Vec<KnownFlight>,
}

/// One flight of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFlight {
    /// Name of the domain that was drawn for it.
    pub domain: String,
    /// What earlier versions kept of its telemetry.
    #[serde(default, rename = "wind", skip_serializing)]
    _wind: Option<IgnoredAny>,
}

impl KnownFlight {
    fn of(flown: &Flown) -> KnownFlight {
        KnownFlight {
            domain: flown.weather.domain.clone(),
            _wind: None,
        }
    }
}

impl KnownTrial {
    /// What is kept of an evaluation.
    pub fn of(made: &Evaluation) -> KnownTrial {
        KnownTrial {
            number: made.number,
            gains: made.gains.clone(),
            cost_m: made.cost_m,
            lost: made.lost,
            flights: made.flights.iter().map(KnownFlight::of).collect(),
        }
    }

    /// What is wrong with it, if anything.
    fn fault(&self, tuned: &[TunedGain]) -> Option<String> {
        for TunedGain {
            name, low, high, ..
        } in tuned
        {
            // A gain at a bound may come back rounded.
            let slack = 1e-9 * high;
            let inside = |gain: f64| gain >= low - slack && gain <= high + slack;
            match self.gains.get(name) {
                None => return Some(format!("it has no {name}")),
                Some(gain) if !inside(*gain) => {
                    return Some(format!("its {name} is {gain}, outside {low} to {high}"));
                }
                Some(_) => {}
            }
        }
        if !(self.cost_m.is_finite() && self.cost_m > 0.0) {
            return Some(format!("its cost is {} m, not positive", self.cost_m));
        }
        if self.flights.is_empty() {
            return Some("it has no flight".to_owned());
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Scale;

    fn trial() -> KnownTrial {
        KnownTrial {
            number: 2,
            gains: [("position_xy.kp".to_owned(), 30.0)].into(),
            cost_m: 0.3,
            lost: false,
            flights: vec![KnownFlight {
                domain: "gusty".to_owned(),
                _wind: None,
            }],
        }
    }

    #[test]
    fn each_fault_of_an_evaluation_is_named() {
        let tuned = [TunedGain {
            name: "position_xy.kp".to_owned(),
            low: 1.0,
            high: 30.0,
            scale: Scale::Log,
        }];
        let fault = |change: fn(&mut KnownTrial)| {
            let mut trial = trial();
            change(&mut trial);
            trial.fault(&tuned)
        };
        assert_eq!(fault(|_| ()), None);
        let said = |fault: Option<String>| fault.expect("there is one");
        assert_eq!(said(fault(|t| t.gains.clear())), "it has no position_xy.kp");
        assert_eq!(
            said(fault(|t| *t
                .gains
                .entry("position_xy.kp".into())
                .or_default() = 0.5)),
            "its position_xy.kp is 0.5, outside 1 to 30"
        );
        assert_eq!(
            said(fault(|t| t.cost_m = f64::NAN)),
            "its cost is NaN m, not positive"
        );
        assert_eq!(said(fault(|t| t.flights.clear())), "it has no flight");
    }
}

//! Trial: one evaluation of an earlier run.

use super::TunedGain;
use crate::flights::evaluation::Evaluation;
use crate::flights::tuning::Flown;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    pub(super) fn fault(&self, tuned: &[TunedGain]) -> Option<String> {
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

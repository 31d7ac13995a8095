//! Record: what a run writes down. It holds nothing that differs between two runs of the same
//! settings and build: no path, time, host or thread count.

use crate::Error;
use crate::held_out::Test;
use crate::history::{Origin, Trial};
use crate::recommend::{Choice, Recommendation};
use crate::settings::Settings;
use crate::space::{Knob, Space};
use crate::statistics::Interval;
use crate::tuning::{Tuning, Weather};
use serde::Serialize;
use sim::{Airframe, Domain, Flight, Gains, Outcome, Score, SensorNoise};
use std::collections::BTreeMap;

/// Name and version of the form of `run.json`.
pub const SCHEMA: &str = "windhover-run/1";

/// A whole run: settings, problem, every trial, recommendations and their tests.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Versions of the program.
    pub versions: Versions,
    /// Every setting.
    pub settings: Settings,
    /// The vehicle, the winds and the bounds.
    pub problem: Problem,
    /// Every evaluation in order.
    pub trials: Vec<TrialRecord>,
    /// The gains that the run started from, tested.
    pub default: Candidate,
    /// The gains that the run recommends (the centroid recommender), tested.
    pub recommended: Candidate,
    /// The gains of the best observed flight (the paper's recommender), tested.
    pub observed: Candidate,
}

/// Versions of the program's parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Versions {
    /// Of Windhover; its crates share one version.
    pub windhover: &'static str,
}

/// The tuning problem in full.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Problem {
    /// The vehicle.
    pub airframe: Airframe,
    /// Noise of its sensors.
    pub sensors: SensorNoise,
    /// The two wind domains.
    pub domains: [Domain; 2],
    /// Share of the training flights in the first of them.
    pub gusty_share: f64,
    /// The gains that are tuned and their bounds.
    pub tuned: Vec<KnobRecord>,
}

/// One tuned gain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KnobRecord {
    /// Its name.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
}

/// One evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrialRecord {
    /// Its number, from 0.
    pub number: u64,
    /// Where its gains came from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The tuned gains by name.
    pub gains: BTreeMap<&'static str, f64>,
    /// The weather it met.
    pub weather: Weather,
    /// How it ended.
    pub outcome: Outcome,
    /// What it counted for: ACE, or the cap [m].
    pub cost_m: f64,
    /// How well it went while it lasted.
    pub score: Score,
}

/// Gains with their test in held-out winds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// How they were chosen; absent for the default gains.
    pub choice: Option<Choice>,
    /// All gains.
    pub gains: Gains,
    /// One test for each domain.
    pub tests: Vec<Test>,
    /// Mean difference to the default gains wind by wind, one for each domain; negative is better
    /// [m]. Absent for the default gains.
    pub difference_to_default: Option<Vec<Interval>>,
}

impl Candidate {
    /// The default gains.
    pub fn default_gains(gains: Gains, tests: Vec<Test>) -> Candidate {
        Candidate {
            choice: None,
            gains,
            tests,
            difference_to_default: None,
        }
    }

    /// Recommended gains, compared with the default gains on the same winds.
    pub fn recommended(
        recommendation: Recommendation,
        gains: Gains,
        tests: Vec<Test>,
        default: &Candidate,
    ) -> Candidate {
        let pairs = tests.iter().zip(&default.tests);
        let difference =
            pairs.map(|(ours, theirs)| Interval::of_difference(&ours.ace_m, &theirs.ace_m));
        Candidate {
            difference_to_default: Some(difference.collect()),
            choice: Some(recommendation.choice),
            gains,
            tests,
        }
    }
}

impl Problem {
    /// The problem that `tuning` poses in `space`.
    pub fn of(tuning: &Tuning, space: &Space) -> Problem {
        let knobs = space.knobs().iter().map(|knob: &Knob| KnobRecord {
            name: knob.name,
            unit: knob.unit,
            low: knob.low,
            high: knob.high,
        });
        Problem {
            airframe: tuning.setup.airframe.clone(),
            sensors: tuning.setup.sensors,
            domains: tuning.domains.clone(),
            gusty_share: tuning.gusty_share,
            tuned: knobs.collect(),
        }
    }
}

impl TrialRecord {
    /// `trial` with the flight that it was.
    pub fn of(trial: &Trial, space: &Space, weather: Weather, flight: &Flight) -> TrialRecord {
        let gains = space.gains_at(&trial.x);
        let knobs = space.knobs().iter();
        TrialRecord {
            number: trial.number,
            origin: trial.origin.clone(),
            gains: knobs.map(|knob| (knob.name, knob.value(&gains))).collect(),
            weather,
            outcome: flight.outcome,
            cost_m: flight.cost_m(),
            score: flight.score,
        }
    }

    /// Whether the flight was lost.
    pub fn crashed(&self) -> bool {
        self.outcome != Outcome::Completed
    }
}

/// `value` as indented JSON with a final line feed.
///
/// # Errors
/// [`Error::Encode`] when it cannot be represented.
pub fn to_json(what: &'static str, value: &impl Serialize) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(value).map_err(|source| Error::Encode {
        what,
        source: Box::new(source),
    })?;
    Ok(text + "\n")
}

/// `gains` as TOML, with the lines of `heading` as comments above.
///
/// # Errors
/// [`Error::Encode`] when they cannot be represented.
pub fn to_toml(heading: &[String], gains: &Gains) -> Result<String, Error> {
    let body = toml::to_string(gains).map_err(|source| Error::Encode {
        what: "gains",
        source: Box::new(source),
    })?;
    let comments: String = heading.iter().map(|line| format!("# {line}\n")).collect();
    Ok(format!("{comments}\n{body}"))
}

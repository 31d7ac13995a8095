//! Record: what a run writes down. It holds nothing that differs between two runs of the same
//! settings and build: no path, time, host or thread count.

use crate::Error;
use crate::flights::environments::EnvironmentsRecord;
use crate::flights::held_out::Test;
use crate::flights::space::{Knob, Scale, Space, whole_cascade};
use crate::flights::tuning::{self, Flown, Tuning, Weather};
use crate::flights::verdict::Judgement;
use crate::run::journal::Contents;
use crate::search::history::{Origin, Trial};
use crate::search::recommend::{Choice, Recommendation};
use crate::study::settings::Settings;
use crate::study::warm_start::WarmStart;
use serde::Serialize;
use sim::Airframe;
use sim::Domain;
use sim::Gains;
use sim::Outcome;
use sim::Score;
use sim::SensorNoise;
use sim::WindEvidence;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Name and version of the form of `run.json`.
///
/// Version 3 judges error and losses apart, says in which winds a vehicle was lost, and has the
/// weight of the invariance penalty. Version 2 has several flights to an evaluation, a cost with weights, any number of training and
/// test domains in place of two with one share, and a scale for each tuned gain.
pub const SCHEMA: &str = "windhover-run/3";

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
    /// What makes the answer mean less than it seems to, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub concerns: Vec<String>,
    /// Evaluations of an earlier run that were taken as data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warm_start: Option<WarmStart>,
    /// Every evaluation in order.
    pub trials: Vec<TrialRecord>,
    /// The environments that telemetry told apart, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environments: Option<EnvironmentsRecord>,
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
    /// The wind domains in which gains are tested.
    pub domains: Vec<Domain>,
    /// The wind domains of the training flights.
    pub training: Vec<TrainingDomain>,
    /// The gains that are tuned and their bounds.
    pub tuned: Vec<KnobRecord>,
    /// Where the whole cascade is tuned, the gains that are not because they are 0 in the vehicle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<&'static str>,
}

/// A wind domain of the training flights.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrainingDomain {
    /// The domain.
    pub domain: Domain,
    /// Its share of the training flights.
    pub share: f64,
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
    /// What lies between them.
    pub scale: Scale,
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
    /// The weather it met; of several flights the first lost one's, or the first one's.
    pub weather: Weather,
    /// How that flight ended.
    pub outcome: Outcome,
    /// What it counted for: its cost, or the cap where it is lost [m].
    pub cost_m: f64,
    /// How well that flight went while it lasted.
    pub score: Score,
    /// What the flight's telemetry says of the wind, where that was asked for and there is one
    /// flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wind: Option<WindEvidence>,
    /// All flights, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flights: Vec<Flown>,
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
    /// What the tests say against the default gains in the same winds, one for each domain. Absent
    /// for the default gains.
    pub against_default: Option<Vec<Judgement>>,
}

impl Candidate {
    /// The default gains.
    pub fn default_gains(gains: Gains, tests: Vec<Test>) -> Candidate {
        Candidate {
            choice: None,
            gains,
            tests,
            against_default: None,
        }
    }

    /// Recommended gains, compared with the default gains on the same winds.
    pub fn recommended(
        recommendation: Recommendation,
        gains: Gains,
        tests: Vec<Test>,
        default: &Candidate,
    ) -> Candidate {
        let pairs = default.tests.iter().zip(&tests);
        let judgements = pairs.map(|(before, after)| Judgement::of(before, after));
        Candidate {
            against_default: Some(judgements.collect()),
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
            scale: knob.scale,
        });
        let training = tuning.training.iter().zip(&tuning.shares);
        let names: Vec<&str> = space.knobs().iter().map(|knob| knob.name).collect();
        let left_out = whole_cascade(&names, &tuning.setup.airframe.gains);
        Problem {
            left_out: left_out.unwrap_or_default(),
            airframe: tuning.setup.airframe.clone(),
            sensors: tuning.setup.sensors,
            domains: tuning.domains.clone(),
            training: training
                .map(|(domain, share)| TrainingDomain {
                    domain: domain.clone(),
                    share: *share,
                })
                .collect(),
            tuned: knobs.collect(),
        }
    }
}

impl TrialRecord {
    /// `trial` with the flights that it was, of which there is at least one.
    pub fn of(trial: &Trial, space: &Space, flights: Vec<Flown>) -> TrialRecord {
        let gains = space.gains_at(&trial.x);
        let knobs = space.knobs().iter();
        let lost = |flown: &&Flown| flown.outcome != Outcome::Completed;
        let shown = flights.iter().find(lost).unwrap_or(&flights[0]).clone();
        TrialRecord {
            number: trial.number,
            origin: trial.origin.clone(),
            gains: knobs.map(|knob| (knob.name, knob.value(&gains))).collect(),
            weather: shown.weather,
            outcome: shown.outcome,
            cost_m: trial.observation.cost,
            score: shown.score,
            wind: shown.wind.filter(|_| flights.len() == 1),
            flights: if flights.len() > 1 {
                flights
            } else {
                Vec::new()
            },
        }
    }

    /// Whether it is lost, that is, has no cost, by [`tuning::has_no_cost`].
    pub fn crashed(&self) -> bool {
        let alone = self.flights.is_empty().then_some(&self.outcome);
        let all = self.flights.iter().map(|flown| &flown.outcome);
        tuning::has_no_cost(alone.into_iter().chain(all))
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

/// Every training flight, one a line. Names hold nothing that CSV would have to quote.
pub fn trials_csv(record: &Record, kept: &Contents) -> String {
    let names: Vec<&str> = record.problem.tuned.iter().map(|knob| knob.name).collect();
    let mut text = format!(
        "trial,flight,origin,{},domain,wind_seed,lost,ace_m,effort,rotor_saturation,cost_m\n",
        names.join(",")
    );
    for (trial, kept) in record.trials.iter().zip(&kept.trials) {
        let origin = match &trial.origin {
            Origin::Baseline => "baseline",
            Origin::Initial => "initial",
            Origin::Acquisition { .. } => "acquisition",
            Origin::Fallback { .. } => "fallback",
        };
        let gains: String = names
            .iter()
            .map(|name| format!("{},", trial.gains[name]))
            .collect();
        for (flight, flown) in kept.flights.iter().enumerate() {
            let score = &flown.score;
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "{},{flight},{origin},{gains}{},{},{},{},{},{},{}",
                trial.number,
                flown.weather.domain,
                flown.weather.seed,
                u8::from(flown.outcome != Outcome::Completed),
                score.ace_m,
                score.effort,
                score.rotor_saturation,
                trial.cost_m
            );
        }
    }
    text
}

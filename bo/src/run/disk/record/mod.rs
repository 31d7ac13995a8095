//! Record: what a run writes down, and what everything reads back of it. It holds nothing that
//! differs between two runs of the same settings and build: no path, time, host or thread count.

mod described;
mod read;

pub use described::{Described, TrainingDomain, TunedKnob};
use shell::Failure;

use crate::Error;
use crate::flights::evaluation::{self, Evaluation};
use crate::flights::held_out::Test;
use crate::flights::margins;
use crate::flights::problem::Problem;
use crate::flights::space::{Knob, Space};
use crate::flights::tuning::Tuning;
use crate::flights::verdict::Judgement;
use crate::flights::warm_start::{KnownTrial, TunedGain, WarmStart, vehicle};
use crate::run::settings::Settings;
use search::{Choice, Origin, Recommendation};
use serde::{Deserialize, Serialize};
use sim::Gains;
use std::fmt::Write;
use std::path::Path;
use trajectories::Trajectory;

/// Name and version of the form of `run.json`.
///
/// Version 4 has of each evaluation its point, whether it is lost, and all its flights, as the
/// journal has them. Version 3 judges error and losses separately, says in which winds a vehicle was lost, and has the
/// weight of the invariance penalty. Version 2 has several flights to an evaluation, a cost with weights, any number of training and
/// test domains in place of two with one share, and a scale for each tuned gain.
pub const SCHEMA: &str = "windhover-run/4";

/// A whole run: settings, problem, every trial, recommendations and their tests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA`], or that of the version that made it.
    pub schema: String,
    /// Versions of the program.
    pub versions: Versions,
    /// Every setting.
    pub settings: Settings,
    /// The vehicle, the winds and the bounds.
    pub problem: Described,
    /// What makes the answer mean less than it seems to, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub concerns: Vec<String>,
    /// Evaluations of an earlier run that were taken as data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warm_start: Option<WarmStart>,
    /// Every evaluation in order.
    pub trials: Vec<Evaluation>,
    /// The gains that the run started from, tested.
    pub default: Candidate,
    /// The gains that the run recommends (the centroid recommender), tested.
    pub recommended: Candidate,
    /// The gains of the best observed flight (the paper's recommender), tested.
    pub observed: Candidate,
    /// The margins of the default and the recommended gains, where a study puts limits on them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margins: Option<margins::Tested>,
}

/// Versions of the program's parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Versions {
    /// Of Windhover; its crates share one version.
    pub windhover: String,
}

/// Gains with their test in held-out winds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// How they were chosen; absent for the default gains.
    pub choice: Option<Choice>,
    /// All gains.
    pub gains: Gains,
    /// One test for each domain.
    pub tests: Vec<Test>,
    /// What the tests say against the default gains in the same winds, one for each domain; worked
    /// out anew where it is read. Absent for the default gains.
    #[serde(default, skip_deserializing)]
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
        Candidate {
            against_default: Some(judgements(default, &tests)),
            choice: Some(recommendation.choice),
            gains,
            tests,
        }
    }
}

/// What to do about a record that is damaged.
pub(super) const REMEDY: &str = "restore it, or make the run again";

/// What `tests` say against those of the default gains, domain by domain.
fn judgements(default: &Candidate, tests: &[Test]) -> Vec<Judgement> {
    let pairs = default.tests.iter().zip(tests);
    pairs
        .map(|(before, after)| Judgement::of(before, after))
        .collect()
}

impl Record {
    /// The tuned gains with their bounds.
    ///
    /// # Errors
    /// A gain that does not exist, and bounds that are none.
    pub fn knobs(&self, path: &Path) -> Result<Vec<Knob>, Failure> {
        let knob = |tuned: &TunedKnob| {
            let missing = || {
                let reason = format!("there is no gain `{}`", tuned.name);
                Failure::damaged(path, reason, REMEDY)
            };
            let flown = |made: &Evaluation| made.gains.contains_key(&tuned.name);
            if !self.trials.iter().all(flown) {
                return Err(missing());
            }
            let knob = tuned.knob().ok_or_else(missing)?;
            knob.map_err(|source| Failure::damaged(path, source, REMEDY))
        };
        self.problem.tuned.iter().map(knob).collect()
    }

    /// The problem in which held-out flights can be flown again along `trajectory`. It knows the
    /// training winds as far as the record does.
    pub fn tuning(&self, trajectory: Box<dyn Trajectory>) -> Tuning {
        let training = &self.problem.training;
        Tuning {
            setup: self.problem.setup(),
            trajectory,
            domains: self.problem.domains.clone(),
            training: training.iter().map(|one| one.domain.clone()).collect(),
            shares: training.iter().map(|one| one.share).collect(),
            seed: self.settings.seed,
            study_seed: self.study_seed(),
        }
    }

    /// What the run tuned: `knobs` of the vehicle of `tuning`, which is flown again.
    ///
    /// # Errors
    /// An autopilot that does not exist.
    pub fn problem(&self, tuning: Tuning, knobs: Vec<Knob>) -> Result<Problem, Error> {
        let space = Space::new(tuning.setup.airframe.gains, knobs);
        Ok(Problem {
            warm_start: self.warm_start.clone(),
            yardstick: self.default.gains,
            ..self.settings.problem_in(tuning, space)?
        })
    }

    /// Decides what the study drew.
    pub fn study_seed(&self) -> u64 {
        let seed = self.settings.seed;
        let start = self.warm_start.as_ref();
        start.map_or(seed, |start| start.study_seed(seed))
    }

    /// `candidate` against the default gains in domain `domain`.
    pub fn judgement(&self, candidate: &Candidate, domain: usize) -> Judgement {
        Judgement::of(&self.default.tests[domain], &candidate.tests[domain])
    }

    /// Whether evaluations cost more than their error.
    pub fn weighted(&self) -> bool {
        self.settings.cost.is_weighted()
    }

    /// Evaluations that are lost.
    pub fn lost(&self) -> usize {
        evaluation::lost(&self.trials)
    }

    /// Its evaluations as another run can take them for data.
    pub fn as_warm_start(&self) -> WarmStart {
        let settings = &self.settings;
        let tuned: Vec<TunedGain> = self.problem.tuned_gains().collect();
        WarmStart {
            run: format!(
                "{} tuned with {}, seed {}, by Windhover {}",
                settings.trajectory, settings.surrogate, settings.seed, self.versions.windhover
            ),
            trajectory: settings.trajectory.clone(),
            vehicle: vehicle(&self.problem.setup(), &tuned),
            cost: settings.cost,
            trials: self.trials.iter().map(KnownTrial::of).collect(),
            tuned,
        }
    }
}

/// `value` as indented JSON with a final line feed.
///
/// # Errors
/// What cannot be represented.
pub fn to_json(what: &'static str, value: &impl Serialize) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::encoding(what))?;
    Ok(text + "\n")
}

/// `gains` as TOML, with the lines of `heading` as comments above.
///
/// # Errors
/// Gains that cannot be represented.
pub fn to_toml(heading: &[String], gains: &Gains) -> Result<String, Error> {
    let body = toml::to_string(gains).map_err(Failure::encoding("gains"))?;
    let comments: String = heading.iter().map(|line| format!("# {line}\n")).collect();
    Ok(format!("{comments}\n{body}"))
}

/// Every training flight, one a line. Names hold nothing that CSV would have to quote.
pub fn trials_csv(record: &Record) -> String {
    let tuned = record.problem.tuned.iter();
    let names: Vec<&str> = tuned.map(|knob| knob.name.as_str()).collect();
    let mut text = format!(
        "trial,flight,origin,{},domain,wind_seed,lost,ace_m,effort,rotor_saturation,cost_m\n",
        names.join(",")
    );
    for trial in &record.trials {
        let origin = match &trial.origin {
            Origin::Baseline => "baseline",
            Origin::Initial => "initial",
            Origin::Acquisition { .. } => "acquisition",
            Origin::Local => "local",
            Origin::Fallback { .. } => "fallback",
        };
        let gains: String = names
            .iter()
            .map(|name| format!("{},", trial.gains[*name]))
            .collect();
        for (flight, flown) in trial.flights.iter().enumerate() {
            let score = &flown.score;
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "{},{flight},{origin},{gains}{},{},{},{},{},{},{}",
                trial.number,
                flown.weather.domain,
                flown.weather.seed,
                u8::from(flown.is_lost()),
                score.ace_m,
                score.effort,
                score.rotor_saturation,
                trial.cost_m
            );
        }
    }
    text
}

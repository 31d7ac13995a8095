//! Recorded: a run as its `run.json` has it, whether this version wrote it or an older one.

mod reading;

use crate::flights::environments::EnvironmentsRecord;
use crate::flights::held_out::Test;
use crate::flights::space::{Knob, Scale};
use crate::flights::tuning::{self, Cost, Flown, Tuning, Weather};
use crate::flights::verdict::Judgement;
use crate::report::ReportError;
use crate::search::history::{History, Observation, Origin, Trial};
use crate::study::warm_start::WarmStart;
use serde::Deserialize;
use sim::Airframe;
use sim::Domain;
use sim::Gains;
use sim::Outcome;
use sim::Score;
use sim::SensorNoise;
use sim::Setup;
use sim::WindEvidence;
use std::collections::BTreeMap;
use std::path::Path;
use trajectories::Trajectory;

/// A run as read back: what the report needs of its record.
#[derive(Debug, Clone, Deserialize)]
pub struct Recorded {
    /// Versions of the program that made it.
    pub versions: Versions,
    /// Its settings.
    pub settings: Settings,
    /// The vehicle, the winds and the bounds.
    pub problem: Problem,
    /// What makes the answer mean less than it seems to, a sentence each.
    #[serde(default)]
    pub concerns: Vec<String>,
    /// Evaluations of an earlier run that were taken as data.
    pub warm_start: Option<WarmStart>,
    /// The environments that telemetry told apart, where that was asked for.
    pub environments: Option<EnvironmentsRecord>,
    /// Every evaluation in order.
    pub trials: Vec<Evaluation>,
    /// The gains that the run started from.
    pub default: Candidate,
    /// The gains that it recommends.
    pub recommended: Candidate,
    /// The gains of the best observed flight.
    pub observed: Candidate,
}

/// Versions of the program.
#[derive(Debug, Clone, Deserialize)]
pub struct Versions {
    /// Of Windhover.
    pub windhover: String,
}

/// Settings of the run.
#[derive(Debug, Clone, Deserialize)]
pub struct Settings {
    /// Name of the trajectory.
    pub trajectory: String,
    /// Name of the surrogate.
    pub surrogate: String,
    /// Weight of the invariance penalty, of a form of DIL-GP.
    pub lambda: Option<f64>,
    /// Decides everything random.
    pub seed: u64,
    /// Evaluations before the surrogate was first asked.
    pub initial: u64,
    /// Evaluations that the surrogate chose.
    pub iterations: u64,
    /// Weight of the standard deviation in the acquisition.
    pub kappa: f64,
    /// Held-out winds in each domain.
    pub held_out_winds: u64,
    /// Flights of one evaluation.
    #[serde(default = "one")]
    pub flights_per_evaluation: u64,
    /// What an evaluation costs beside its error.
    #[serde(default)]
    pub cost: Weights,
    /// The rule that chose points; where absent the upper confidence bound.
    pub acquisition: Option<String>,
    /// Where environments were known from, if anywhere.
    pub environments: Option<String>,
    /// The environment that was aimed at, if any.
    pub target: Option<String>,
    /// Autopilot in whose ranges the position gains stayed, if any.
    pub exportable: Option<String>,
}

impl Settings {
    /// Name and lambda of the surrogate as this version knows it. Records that say `dil-gp` without
    /// a lambda come from versions in which that was the per-point objective with lambda 1.
    ///
    /// # Errors
    /// A surrogate that does not exist.
    pub fn learnt_with(&self) -> Result<(&'static str, Option<f64>), crate::Error> {
        match (self.surrogate.as_str(), self.lambda) {
            ("dil-gp", None) => Ok(("dil-gp-per-point", Some(1.0))),
            (name, lambda) => Ok((crate::search::belief::surrogates::legal(name)?, lambda)),
        }
    }
}

/// Weights of the cost.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub struct Weights {
    /// Of the control effort [m].
    pub effort_m: f64,
    /// Of the rotors' saturation [m].
    pub saturation_m: f64,
}

/// The tuning problem.
#[derive(Debug, Clone, Deserialize)]
pub struct Problem {
    /// The vehicle.
    pub airframe: Airframe,
    /// Noise of its sensors.
    pub sensors: SensorNoise,
    /// The wind domains in which gains are tested.
    pub domains: Vec<Domain>,
    /// The wind domains of the training flights; records of the first form have none.
    pub training: Option<Vec<TrainingDomain>>,
    /// The gains that are tuned.
    pub tuned: Vec<Tuned>,
}

/// A wind domain of the training flights.
#[derive(Debug, Clone, Deserialize)]
pub struct TrainingDomain {
    /// The domain.
    pub domain: Domain,
    /// Its share of the training flights.
    pub share: f64,
}

/// One tuned gain.
#[derive(Debug, Clone, Deserialize)]
pub struct Tuned {
    /// Its name.
    pub name: String,
    /// Least value.
    pub low: f64,
    /// Greatest value.
    pub high: f64,
    /// What lies between them.
    #[serde(default = "log")]
    pub scale: Scale,
}

/// One evaluation.
#[derive(Debug, Clone, Deserialize)]
pub struct Evaluation {
    /// Its number, from 0.
    pub number: u64,
    /// Where its gains came from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The tuned gains by name.
    pub gains: BTreeMap<String, f64>,
    /// The weather it met; of several flights the first lost one's, or the first one's.
    pub weather: Weather,
    /// How that flight ended.
    pub outcome: Outcome,
    /// How well that flight went while it lasted.
    pub score: Score,
    /// What it counted for, the cap where it is lost [m].
    pub cost_m: f64,
    /// What its flight's telemetry says of the wind, where it is one flight and that was kept.
    pub wind: Option<WindEvidence>,
    /// All flights, where there are several.
    #[serde(default)]
    pub flights: Vec<Flown>,
}

/// Gains with their tests.
#[derive(Debug, Clone, Deserialize)]
pub struct Candidate {
    /// All gains.
    pub gains: Gains,
    /// One test for each domain.
    pub tests: Vec<Test>,
    /// How they were chosen; absent for the default gains.
    pub choice: Option<Choice>,
}

/// How recommended gains were chosen.
#[derive(Debug, Clone, Deserialize)]
pub struct Choice {
    /// The rule, as [`crate::search::recommend::Choice`] names it.
    pub by: String,
}

fn one() -> u64 {
    1
}

fn log() -> Scale {
    Scale::Log
}

impl Recorded {
    /// The tuned gains with their bounds.
    ///
    /// # Errors
    /// [`ReportError::Knob`].
    pub fn knobs(&self, path: &Path) -> Result<Vec<Knob>, ReportError> {
        let knob = |tuned: &Tuned| {
            let missing = || ReportError::Knob {
                path: path.to_owned(),
                name: tuned.name.clone(),
            };
            let mut knob = Knob::by_name(&tuned.name, &self.default.gains).ok_or_else(missing)?;
            let flown = |trial: &Evaluation| trial.gains.contains_key(&tuned.name);
            if !self.trials.iter().all(flown) {
                return Err(missing());
            }
            (knob.low, knob.high, knob.scale) = (tuned.low, tuned.high, tuned.scale);
            Ok(knob)
        };
        self.problem.tuned.iter().map(knob).collect()
    }

    /// The problem in which held-out flights can be flown again along `trajectory`. It knows no
    /// training winds.
    pub fn tuning(&self, trajectory: Box<dyn Trajectory>) -> Tuning {
        Tuning {
            setup: Setup {
                sensors: self.problem.sensors,
                ..Setup::new(self.problem.airframe.clone())
            },
            trajectory,
            domains: self.problem.domains.clone(),
            training: Vec::new(),
            shares: Vec::new(),
            seed: self.settings.seed,
            study_seed: self.study_seed(),
        }
    }

    /// Decides what the study drew.
    pub fn study_seed(&self) -> u64 {
        let seed = self.settings.seed;
        let start = self.warm_start.as_ref();
        start.map_or(seed, |start| start.study_seed(seed))
    }

    /// The run's history in the unit cube that `knobs` span.
    pub fn history(&self, knobs: &[Knob]) -> History {
        let trials = self.trials.iter().map(|trial| Trial {
            number: trial.number,
            x: knobs
                .iter()
                .map(|k| k.unit_of(trial.gains[k.name]))
                .collect(),
            origin: trial.origin.clone(),
            observation: Observation {
                cost: trial.cost_m,
                crashed: trial.lost(),
            },
        });
        History {
            known: self
                .warm_start
                .as_ref()
                .map_or_else(Vec::new, |start| start.history(knobs)),
            trials: trials.collect(),
        }
    }

    /// `candidate` against the default gains in domain `domain`.
    pub fn judgement(&self, candidate: &Candidate, domain: usize) -> Judgement {
        Judgement::of(&self.default.tests[domain], &candidate.tests[domain])
    }

    /// Whether evaluations cost more than their error.
    pub fn weighted(&self) -> bool {
        self.settings.cost.effort_m != 0.0 || self.settings.cost.saturation_m != 0.0
    }

    /// What an evaluation cost.
    pub fn cost(&self) -> Cost {
        Cost {
            effort_m: self.settings.cost.effort_m,
            saturation_m: self.settings.cost.saturation_m,
        }
    }

    /// Evaluations that are lost, as [`Evaluation::lost`].
    pub fn lost(&self) -> impl Iterator<Item = &Evaluation> {
        self.trials.iter().filter(|trial| trial.lost())
    }
}

impl Evaluation {
    /// Whether it has no cost, by [`tuning::has_no_cost`].
    pub fn lost(&self) -> bool {
        tuning::has_no_cost(self.outcomes())
    }

    /// Whether any flight of it was lost; with several it may have a cost all the same.
    pub fn lost_a_flight(&self) -> bool {
        self.outcomes()
            .any(|outcome| *outcome != Outcome::Completed)
    }

    fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        let alone = self.flights.is_empty().then_some(&self.outcome);
        alone
            .into_iter()
            .chain(self.flights.iter().map(|flown| &flown.outcome))
    }

    /// Its flights, one where it has no list of them.
    fn flown(&self) -> Vec<Flown> {
        if !self.flights.is_empty() {
            return self.flights.clone();
        }
        vec![Flown {
            weather: self.weather.clone(),
            outcome: self.outcome,
            score: self.score,
            wind: self.wind,
        }]
    }
}

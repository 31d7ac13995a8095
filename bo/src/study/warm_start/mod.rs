//! Warm start: the evaluations of an earlier run, taken as data by another.
//!
//! They count for the surrogate and for the recommendation, not for the budget. They must be of
//! the same cost: the same trajectory, vehicle, sensors, tuned gains with their bounds, and
//! weights. The winds that they met and the number of flights of an evaluation may differ.

mod trial;

pub use trial::{KnownFlight, KnownTrial};

use crate::Error;
use crate::flights::environments::Sensed;
use crate::flights::space::{Knob, Scale};
use crate::flights::tuning::Cost;
use crate::run::finished;
use crate::run::recorded::Recorded;
use crate::search::history::{Observation, Origin, Trial};
use crate::streams::{Stream, Study};
use crate::study::file::Config;
use crate::terminal;
use serde::{Deserialize, Serialize};
use sim::Airframe;
use sim::SensorNoise;
use std::path::Path;

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

    /// The evaluations of the run whose folder or `run.json` is at `path`.
    ///
    /// # Errors
    /// Those of [`finished::read`]: no run there, a damaged or altered one, one of a newer form.
    pub fn read(path: &Path) -> Result<WarmStart, Error> {
        let read = finished::read(path)?;
        // Refuses a record whose trials lack a gain.
        read.recorded.knobs(&read.path)?;
        if let Some(remark) = read.remark() {
            terminal::note(&remark);
        }
        Ok(WarmStart::of(&read.recorded))
    }

    fn of(recorded: &Recorded) -> WarmStart {
        let settings = &recorded.settings;
        let tuned: Vec<TunedGain> = recorded
            .problem
            .tuned
            .iter()
            .map(|gain| TunedGain {
                name: gain.name.clone(),
                low: gain.low,
                high: gain.high,
                scale: gain.scale,
            })
            .collect();
        WarmStart {
            run: format!(
                "{} tuned with {}, seed {}, by Windhover {}",
                settings.trajectory, settings.surrogate, settings.seed, recorded.versions.windhover
            ),
            trajectory: settings.trajectory.clone(),
            vehicle: vehicle(&recorded.problem.airframe, recorded.problem.sensors, &tuned),
            cost: recorded.cost(),
            trials: recorded.trials.iter().map(KnownTrial::of).collect(),
            tuned,
        }
    }

    /// Refuses a study in which these evaluations would not have had these costs.
    ///
    /// # Errors
    /// [`Error::OtherProblem`] naming the first difference, or [`Error::KnownTrial`].
    pub fn check(&self, study: &Config) -> Result<(), Error> {
        let ours = WarmStart::problem(study)?;
        let differs =
            |what, theirs: String, ours: String| Error::OtherProblem { what, theirs, ours };
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
        for (theirs, ours) in self.tuned.iter().zip(&ours.tuned) {
            if theirs != ours {
                return Err(differs("search space", theirs.said(), ours.said()));
            }
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
            Some((number, what)) => Err(Error::KnownTrial { number, what }),
            None => Ok(()),
        }
    }

    /// What a study has in common with runs whose evaluations it can take.
    fn problem(study: &Config) -> Result<WarmStart, Error> {
        let bench = study.bench()?;
        let tuned: Vec<TunedGain> = bench
            .space
            .knobs()
            .iter()
            .map(|knob| TunedGain {
                name: knob.name.to_owned(),
                low: knob.low,
                high: knob.high,
                scale: knob.scale,
            })
            .collect();
        let setup = &bench.tuning.setup;
        Ok(WarmStart {
            run: String::new(),
            trajectory: study.settings.trajectory.clone(),
            vehicle: vehicle(&setup.airframe, setup.sensors, &tuned),
            cost: study.settings.cost,
            tuned,
            trials: Vec::new(),
        })
    }

    /// The evaluations as trials in the unit cube that `knobs` span.
    pub fn history(&self, knobs: &[Knob]) -> Vec<Trial> {
        let unit = |trial: &KnownTrial| {
            knobs
                .iter()
                .map(|knob| {
                    trial
                        .gains
                        .get(knob.name)
                        .map_or(0.5, |gain| knob.unit_of(*gain))
                })
                .collect()
        };
        let trials = self.trials.iter().map(|trial| Trial {
            number: trial.number,
            x: unit(trial),
            origin: Origin::Initial,
            observation: Observation {
                cost: trial.cost_m,
                crashed: trial.lost,
            },
        });
        trials.collect()
    }

    /// What was sensed in each evaluation.
    pub fn sensed(&self) -> Vec<Vec<Sensed>> {
        let pages = self.trials.iter();
        pages
            .map(|trial| trial.flights.iter().map(Sensed::known).collect())
            .collect()
    }
}

impl TunedGain {
    fn said(&self) -> String {
        let scale = match self.scale {
            Scale::Log => "log",
            Scale::Linear => "linear",
        };
        format!("{} from {} to {} ({scale})", self.name, self.low, self.high)
    }
}

/// Name and checksum of everything that decides a flight beside trajectory, wind and tuned gains.
fn vehicle(airframe: &Airframe, sensors: SensorNoise, tuned: &[TunedGain]) -> String {
    let mut airframe = airframe.clone();
    for gain in tuned {
        if let Some(knob) = Knob::by_name(&gain.name, &airframe.gains) {
            knob.set(&mut airframe.gains, gain.low);
        }
    }
    // A checked vehicle has finite numbers only, which JSON can hold.
    let text = serde_json::to_string(&(&airframe, sensors)).unwrap_or_default();
    format!("{} {:08x}", airframe.name, crc32fast::hash(text.as_bytes()))
}

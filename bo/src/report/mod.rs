//! Report: a run as one page that a browser shows without a network.
//!
//! The page is made from the record of the run alone. What the record does not keep, the course
//! of a flight above all, is flown again: the settings and seeds in the record decide every wind,
//! so the flights are the same ones, and where they are not the page says so. The same record
//! gives the same bytes.
//!
//! * [`crate::run::recorded`]: the run as read back
//! * [`flown`], [`sensitivity`], [`belief`]: what is worked out anew
//! * `charts`: drawings; `sections`: words and tables; `page`: the whole

pub mod belief;
mod charts;
mod error;
pub mod flown;
mod html;
pub mod oscillation;
mod page;
pub mod pictures;
pub mod recording;
mod sections;
pub mod sensitivity;
pub mod table;

pub use error::ReportError;
pub use page::{MARKER, page};

use crate::Error;
use crate::flights::environments::{Environments, Logbook, Sensed, Target};
use crate::flights::space::Knob;
use crate::flights::tuning::Tuning;
use crate::run::recorded::Recorded;
use crate::search::learning::{Learner, Surroundings};
use crate::study::warm_start::{KnownTrial, WarmStart};
use belief::Beliefs;
use flown::Flown;
use sensitivity::Turned;

/// A run with everything that its page shows.
pub struct Report {
    /// Name of the run's folder.
    pub name: String,
    /// The run as read back.
    pub recorded: Recorded,
    /// Whether the folder holds the study file that makes the run again.
    pub has_config: bool,
    /// The tuned gains.
    pub knobs: Vec<Knob>,
    /// Flights made again.
    pub flown: Flown,
    /// What turning one gain does.
    pub turned: Vec<Turned>,
    /// What the surrogate expected.
    pub beliefs: Beliefs,
}

/// What is being worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Held-out flights of both gains.
    Flights,
    /// Flights with one gain turned.
    Sensitivity,
    /// The surrogate, trial by trial.
    Beliefs,
}

impl Report {
    /// Works out what `recorded` does not hold; `stage` hears what comes next.
    ///
    /// # Errors
    /// A surrogate that does not exist.
    pub fn of(
        name: String,
        recorded: Recorded,
        has_config: bool,
        (tuning, knobs): (&Tuning, Vec<Knob>),
        stage: &mut dyn FnMut(Stage),
    ) -> Result<Report, Error> {
        let settings = &recorded.settings;
        let environments = settings.environments.as_deref();
        let environments = environments.map_or(Ok(Environments::None), Environments::by_name)?;
        let surrogate = crate::search::surrogates::in_surroundings(
            settings.learnt_with()?,
            environments,
            [knobs.len(), training(&recorded).len()],
        )?;
        let logbook = logbook(&recorded, environments)?;
        let learner = Learner {
            surrogate: surrogate.as_ref(),
            surroundings: logbook.as_ref().map(|own| own as &dyn Surroundings),
        };
        let history = recorded.history(&knobs);
        stage(Stage::Flights);
        let flown = Flown::again(&recorded, tuning);
        stage(Stage::Sensitivity);
        let turned = sensitivity::sensitivity(&recorded, tuning, &knobs, &flown);
        stage(Stage::Beliefs);
        let usual = settings.acquisition.is_none();
        let kappa = usual.then_some(settings.kappa);
        let beliefs = Beliefs::of(learner, &history, kappa, recorded.study_seed());
        Ok(Report {
            name,
            recorded,
            has_config,
            knobs,
            flown,
            turned,
            beliefs,
        })
    }
}

/// Names of the domains in which the run trained.
fn training(recorded: &Recorded) -> Vec<String> {
    let training = recorded.problem.training.iter().flatten();
    training
        .map(|training| training.domain.name.clone())
        .collect()
}

/// What the run's surrogate was told of environments.
fn logbook(recorded: &Recorded, environments: Environments) -> Result<Option<Logbook>, Error> {
    let target = recorded.settings.target.as_deref();
    let target = target.map_or(Ok(Target::Mean), Target::by_name)?;
    let logbook = Logbook::new(environments, target, training(recorded))?;
    if let Some(logbook) = &logbook {
        let known = recorded.warm_start.iter().flat_map(WarmStart::sensed);
        let own = recorded.trials.iter().map(|trial| {
            let flights = KnownTrial::of(trial).flights;
            flights.iter().map(Sensed::known).collect()
        });
        known.chain(own).for_each(|page| logbook.write(page));
    }
    Ok(logbook)
}

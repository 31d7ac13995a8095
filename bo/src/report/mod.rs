//! Report: a run as one page that a browser shows without a network.
//!
//! The page is made from the record of the run alone. What the record does not keep, the course
//! of a flight above all, is flown again: the settings and seeds in the record decide every wind,
//! so the flights are the same ones, and where they are not the page says so. The same record
//! gives the same bytes.
//!
//! * [`crate::run::recorded`]: the run as read back
//! * [`replays`], [`sensitivity`], [`belief`]: what is worked out anew
//! * [`overview`]: runs in short, for a terminal
//! * `charts`: drawings; `sections`: words and tables; `page`: the whole

pub mod belief;
mod charts;
mod html;
pub mod oscillation;
pub mod overview;
mod page;
pub mod pictures;
pub mod recording;
pub mod replays;
mod sections;
pub mod sensitivity;
pub mod table;

pub use page::{MARKER, page};

use crate::Error;
use crate::flights::problem::Problem;
use crate::flights::space::{Knob, Space};
use crate::flights::tuning::Tuning;
use crate::run::record::Record;
use belief::Beliefs;
use replays::Flown;
use sensitivity::Turned;

/// A run with everything that its page shows.
pub struct Report {
    /// Name of the run's folder.
    pub name: String,
    /// The run as read back.
    pub recorded: Record,
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
        recorded: Record,
        has_config: bool,
        (tuning, knobs): (Tuning, Vec<Knob>),
        stage: &mut dyn FnMut(Stage),
    ) -> Result<Report, Error> {
        let settings = &recorded.settings;
        stage(Stage::Flights);
        let flown = Flown::again(&recorded, &tuning);
        stage(Stage::Sensitivity);
        let turned = sensitivity::sensitivity(&recorded, &tuning, &knobs, &flown);
        stage(Stage::Beliefs);
        let problem = Problem {
            warm_start: recorded.warm_start.clone(),
            ..settings.problem_in(tuning, Space::new(recorded.default.gains, knobs.clone()))?
        };
        let beliefs = Beliefs::of(&problem, settings, &recorded.trials)?;
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

//! Report: a run as one page that a browser shows without a network.
//!
//! The page is made from the record of the run alone. What the record does not keep, the course
//! of a flight above all, is flown again: the settings and seeds in the record decide every wind,
//! so the flights are the same ones, and where they are not the page says so. The same record
//! gives the same bytes.
//!
//! * [`crate::run::disk::record`]: the run as read back
//! * [`analysis`]: what is worked out anew
//! * [`card`]: whether to fly the gains, first on every page and last on a terminal
//! * [`overview`]: runs in short, for a terminal
//! * [`words`]: the result of a run in sentences, and the commands that follow it
//! * `charts`: drawings; `sections`: words and tables; `page`: the whole

pub mod analysis;
pub mod card;
mod charts;
pub(crate) mod html;
pub mod overview;
mod page;
pub mod pictures;
pub(crate) mod sections;
pub mod table;
pub mod words;

pub(crate) use page::with_card as page_with_card;
pub use page::{Compared, StudyPage, Unfinished, comparison, page, unfinished};
pub use plots::document::MARKER;

use crate::Error;
use crate::flights::margins::MarginLimits;
use crate::flights::problem::Problem;
use crate::flights::space::Knob;
use crate::flights::tuning::Tuning;
use crate::report::analysis::trade_off::TradeOff;
use crate::run::bayesian::Bayesian;
use crate::run::disk::record::Record;
use crate::run::partial_dependence::PartialDependence;
use analysis::importance;
use analysis::paths::Paths;
use analysis::prediction::Predictions;
use analysis::replays::Flown;
use card::Card;
use sim::{Gains, Setup};
use std::path::Path;

/// A run with everything that its page shows.
pub struct Report {
    /// Name of the run's folder.
    pub name: String,
    /// The run as read back.
    pub recorded: Record,
    /// Whether the folder holds the study file that makes the run again.
    pub has_config: bool,
    /// Files of the run, as paths that lead there from the folder of the page.
    pub files: Vec<String>,
    /// Whether to fly the recommended gains.
    pub card: Card,
    /// What the loops do with default and with recommended gains.
    loops: String,
    /// The tuned gains.
    pub knobs: Vec<Knob>,
    /// Flights made again.
    pub flown: Flown,
    /// What the surrogate expected.
    pub predictions: Predictions,
    /// Default and recommended gains in the first held-out wind of each domain, drawn.
    side_by_side: Result<String, plots::Error>,
    /// Where every evaluation flew.
    paths: Paths,
    /// Posterior after all evaluations along each gain; `None` if it cannot be fitted.
    slices: Option<PartialDependence>,
    /// How much of it hangs on each gain.
    importance: Option<Vec<f64>>,
    /// The gains flown by error, motor activity and margins.
    trade_off: Option<TradeOff>,
    /// What the gains of its fronts do, along a slider.
    front: String,
}

/// A run's folder, as a report takes it.
pub struct Found {
    /// Its name.
    pub name: String,
    /// The run as read back.
    pub recorded: Record,
    /// Whether the folder holds the study file that makes the run again.
    pub has_config: bool,
    /// See [`Report::files`].
    pub files: Vec<String>,
    /// The problem in which its flights are flown again.
    pub tuning: Tuning,
    /// The tuned gains.
    pub knobs: Vec<Knob>,
}

/// What is being worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Held-out flights of both gains.
    Flights,
    /// The surrogate, trial by trial.
    Predictions,
    /// Every evaluation.
    Evaluations,
    /// The surrogate after all evaluations.
    Slices,
}

/// What is heard of a report that is being worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A stage begins, of so many steps: flights, fits.
    Begins(Stage, usize),
    /// One step of it is done.
    Done,
}

/// Hears it, on any thread.
pub type Listener<'a> = &'a (dyn Fn(Event) + Sync);

impl Report {
    /// Works out what the record does not hold; `notify` receives the progress.
    ///
    /// # Errors
    /// A surrogate that does not exist.
    pub fn of(found: Found, notify: Listener) -> Result<Report, Error> {
        let Found {
            name,
            recorded,
            has_config,
            files,
            tuning,
            knobs,
        } = found;
        let settings = &recorded.settings;
        let mut card = Card::of_run(&name, Path::new(&name), &recorded, &tuning);
        // The page is this command's.
        card.next
            .retain(|command| !command.starts_with("bo report"));
        let setup = late(&tuning);
        let hovering = |name: &str, tuning: &Tuning, gains: &Gains| {
            sections::Hovering::of(name, &setup, gains, tuning.usual_wind())
        };
        let default = hovering("default gains", &tuning, &recorded.default.gains);
        let recommended = hovering("recommended gains", &tuning, &recorded.recommended.gains);
        let loops = sections::loops(&[&default, &recommended]);
        let flown = Flown::replay(&recorded, &tuning, notify);
        let side_by_side =
            pictures::side_by_side(&tuning, &recorded, |picture| plots::svg(picture));
        let paths = Paths::of(&recorded, &tuning, &knobs, notify);
        let problem = recorded.problem(tuning, knobs.clone())?;
        let predictions = Predictions::of(&problem, settings, &recorded.trials, notify)?;
        notify(Event::Begins(Stage::Slices, 1));
        let (slices, importance, trade_off) = posterior(&problem, &recorded)?;
        let front = trade_off.as_ref().map(|found| {
            let name = crate::terminal::word(&name);
            sections::front(found, &knobs, &name, &default, |traded| {
                hovering("these gains", &problem.tuning, &traded.gains)
            })
        });
        Ok(Report {
            name,
            recorded,
            has_config,
            files,
            card,
            loops,
            knobs,
            flown,
            predictions,
            side_by_side,
            paths,
            slices,
            importance,
            trade_off,
            front: front.unwrap_or_default(),
        })
    }
}

/// What the posterior after all evaluations says.
type Said = (
    Option<PartialDependence>,
    Option<Vec<f64>>,
    Option<TradeOff>,
);

/// Posterior after all evaluations, the importance of each gain, and the trade-off.
fn posterior(problem: &Problem, recorded: &Record) -> Result<Said, Error> {
    let (settings, made) = (&recorded.settings, &recorded.trials[..]);
    if settings.is_retired() {
        return Ok((None, None, None));
    }
    // The run's own search, so that `bo export --at` finds the same gains.
    let mut searcher = Bayesian::new(problem, settings)?;
    searcher.learn(made)?;
    let at = problem.space.unit_of(&recorded.recommended.gains);
    let knobs = problem.space.knobs();
    let slices = PartialDependence::of(&mut searcher, made, &at, knobs, settings.kappa)?;
    let importance = importance::importance(&mut searcher, made);
    let trade_off = TradeOff::of(problem, recorded, &mut searcher)?;
    Ok((slices, importance, trade_off))
}

/// The setup of `tuning` with the delay of the card.
fn late(tuning: &Tuning) -> Setup {
    let mut setup = tuning.setup.clone();
    let late = &mut setup.sensors.delay_periods;
    *late = MarginLimits::sound().delay_ms(*late);
    setup
}

//! Perform: tune, recommend, test. One surrogate, one trajectory, one seed. Each evaluation is in the
//! run's journal before the next one begins, the tests of each domain before those of the next; what
//! is in there already is not made again.

mod held_out;

use super::bayesian::Bayesian;
use super::settings::Settings;
use super::tune::{Observer, Tuned, tune};
use crate::Error;
use crate::flights::evaluation::Evaluation;
use crate::flights::problem::Problem;
use crate::flights::trust::Concern;
use crate::flights::tuning::Weather;
use crate::flights::{margins, trust};
use crate::interrupt::Interrupt;
use crate::run::disk::journal::{Entry, Journal};
use crate::run::disk::record::{Described, Record, SCHEMA, Versions};
pub(super) use held_out::CANDIDATES;
use held_out::{HeldOut, TestResults};
use search::Time;
use sim::Flight;
use std::time::{Duration, Instant};

/// Index of the domain in which a run's recommended gains are shown: steady.
const SHOWN_DOMAIN: usize = 1;

/// A finished run: what is written down, and what is only looked at.
pub struct Run {
    /// What is written down.
    pub record: Record,
    /// Where the search's time went.
    pub time: Time,
    /// Time of the tuning flights.
    pub flying: Duration,
    /// Time of the recommendation and the held-out flights.
    pub testing: Duration,
}

/// Performs the run that `settings` describe, or what is left of it after what `journal` holds.
///
/// # Errors
/// A name that does not exist, a journal that cannot be written or holds another run's
/// evaluations, or [`Error::Interrupted`].
pub fn perform(
    settings: &Settings,
    problem: &Problem,
    journal: &mut Journal,
    interrupt: &Interrupt,
    observer: &mut dyn Observer,
) -> Result<Run, Error> {
    let mut searcher = Bayesian::new(problem, settings)?;
    let tuned = tune_on(settings, problem, &mut searcher, journal, observer);
    let Tuned {
        evaluations,
        flying,
    } = tuned?;
    let started = Instant::now();
    searcher.learn(&evaluations)?;
    // Two answers: the one to deploy, which averages good points, and the paper's best flight.
    let answers = searcher.recommend()?;
    let made = evaluations.len() as u64;
    let results = HeldOut {
        observer,
        problem,
        winds: settings.held_out_winds,
        journal,
        interrupt,
        made,
        unkept: Vec::new(),
    }
    .test(answers)?;
    // A finished run that is resumed flies nothing and ends as it did.
    if !journal.contents().ended {
        journal.append(Entry::End { trials: made })?;
    }
    Ok(Run {
        record: record(settings, problem, evaluations, results),
        time: searcher.time(),
        flying,
        testing: started.elapsed(),
    })
}

/// What is written down of a run, with the concerns about it.
fn record(
    settings: &Settings,
    problem: &Problem,
    evaluations: Vec<Evaluation>,
    results: TestResults,
) -> Record {
    let TestResults {
        default,
        recommended,
        observed,
    } = results;
    let margins = problem.margins.as_ref().map(|margins| margins::Tested {
        default: margins.least(&default.gains).ok(),
        recommended: margins.least(&recommended.gains).ok(),
    });
    let mut record = Record {
        schema: SCHEMA.to_owned(),
        versions: Versions {
            windhover: env!("CARGO_PKG_VERSION").to_owned(),
        },
        settings: settings.clone(),
        problem: Described::of(problem),
        concerns: trust::said(&concerns_before(settings, problem)),
        warm_start: problem.warm_start.clone(),
        trials: evaluations,
        default,
        recommended,
        observed,
        margins,
    };
    record
        .concerns
        .extend(trust::said(&concerns_after(&record)));
    record
}

/// Tunes on after the evaluations that `journal` holds, which this problem and these settings made.
fn tune_on(
    settings: &Settings,
    problem: &Problem,
    searcher: &mut Bayesian,
    journal: &mut Journal,
    observer: &mut dyn Observer,
) -> Result<Tuned, Error> {
    let made = journal.contents().trials.clone();
    let budget = settings.budget();
    for kept in &made {
        let more = (kept.number >= budget.evaluations).then_some("the number of evaluations");
        if let Some(what) = problem.mismatch(kept).or(more) {
            return Err(journal.foreign(kept.number, what).into());
        }
    }
    let keep = &mut |made: &Evaluation| Ok(journal.append(Entry::Trial(made.clone()))?);
    tune(problem, searcher, budget, made, keep, observer)
}

/// The weather in which a run's recommended gains are shown: the first held-out wind of the second
/// domain, which is steady in the paper's problem, or of the only one.
pub fn shown_weather(problem: &Problem) -> Weather {
    let domain = SHOWN_DOMAIN.min(problem.tuning.domains.len() - 1);
    problem.tuning.held_out_weather(domain, 0)
}

/// The flight of the recommended gains in that weather, with a sample every `record_every` control
/// periods.
pub fn shown_flight(problem: &Problem, record: &Record, record_every: u32) -> Flight {
    let gains = &record.recommended.gains;
    let weather = shown_weather(problem);
    problem.tuning.fly(gains, &weather, record_every)
}

/// What is known before the first flight to make the answer mean less than it seems.
pub fn concerns_before(settings: &Settings, problem: &Problem) -> Vec<Concern> {
    let known = problem.warm_start.as_ref();
    let known = known.map_or(0, |start| start.trials.len() as u64);
    let evaluations = known + settings.evaluations();
    let mut found = problem.concerns();
    found.extend(trust::winds(settings.held_out_winds));
    found.extend(trust::evaluations(evaluations, problem.space.dimensions()));
    found
}

/// The concerns that the end of a run adds.
pub fn concerns_after(record: &Record) -> Vec<Concern> {
    let ends = record.at_bounds().into_iter();
    let ends = ends.map(|(knob, end)| format!("{} ({})", knob.gain.name, end.word()));
    let ends: Vec<String> = ends.collect();
    let found = (!ends.is_empty()).then_some(Concern::GainsAtBounds { ends });
    found.into_iter().collect()
}

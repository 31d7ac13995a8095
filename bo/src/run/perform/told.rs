//! Told: what a run's surrogate is told beside its own evaluations: their environments, and what an
//! earlier run knew.

use super::Bench;
use crate::Error;
use crate::flights::environments::{Environments, EnvironmentsRecord, Logbook, Sensed, Target};
use crate::flights::tuning::Flown;
use crate::run::journal::TrialEntry;
use crate::search::belief::learning::{Learner, Surroundings};
use crate::search::history::History;
use crate::study::settings::Settings;
use crate::study::warm_start::WarmStart;
use dilgp::Surrogate;

impl Bench {
    /// The surrogate that `settings` name; one that takes environments where there are some.
    pub(super) fn surrogate(&self, settings: &Settings) -> Result<Box<dyn Surrogate>, Error> {
        let domains = self.tuning.training.len();
        crate::search::belief::surrogates::in_surroundings(
            (settings.surrogate, settings.lambda),
            settings.environments,
            [self.space.dimensions(), domains],
        )
    }

    /// The logbook that `settings` ask for, if any, with the earlier run's pages.
    pub(super) fn logbook(&self, settings: &Settings) -> Result<Option<Logbook>, Error> {
        let domains = self
            .tuning
            .training
            .iter()
            .map(|domain| domain.name.clone());
        let target = settings.target.unwrap_or(Target::Mean);
        let logbook = Logbook::new(settings.environments, target, domains.collect())?;
        if let Some(logbook) = &logbook {
            let known = self.warm_start.iter().flat_map(WarmStart::sensed);
            known.for_each(|page| logbook.write(page));
        }
        Ok(logbook)
    }

    /// A history that holds what an earlier run knew.
    pub(super) fn known(&self) -> History {
        let known = self.warm_start.as_ref();
        History {
            known: known.map_or_else(Vec::new, |start| start.history(self.space.knobs())),
            trials: Vec::new(),
        }
    }
}

/// How a study with this surrogate and this logbook, if any, learns.
pub(super) fn learner<'a>(
    surrogate: &'a dyn Surrogate,
    logbook: Option<&'a Logbook>,
) -> Learner<'a> {
    Learner {
        surrogate,
        surroundings: logbook.map(|logbook| logbook as &dyn Surroundings),
    }
}

/// The environments of the evaluations `kept`, where telemetry was asked for them.
pub(super) fn environments(
    settings: &Settings,
    bench: &Bench,
    kept: &[TrialEntry],
) -> Option<EnvironmentsRecord> {
    if settings.environments != Environments::Telemetry {
        return None;
    }
    let known: Vec<Sensed> = bench
        .warm_start
        .iter()
        .flat_map(WarmStart::sensed)
        .flatten()
        .collect();
    let own: Vec<Vec<Sensed>> = kept.iter().map(|trial| page(&trial.flights)).collect();
    Some(EnvironmentsRecord::of(&known, &own))
}

fn page(flights: &[Flown]) -> Vec<Sensed> {
    flights.iter().map(Sensed::of).collect()
}

/// A problem with the logbook that its evaluations are written into.
pub(super) struct Logged<'a> {
    pub(super) bench: &'a Bench,
    pub(super) logbook: Option<&'a Logbook>,
}

impl Logged<'_> {
    pub(super) fn write(&self, flights: &[Flown]) {
        if let Some(logbook) = self.logbook {
            logbook.write(page(flights));
        }
    }
}

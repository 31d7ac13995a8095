//! Concerns: what makes a run's answer mean less than it seems to, before its first flight and after its
//! last.

use super::disk::record::Record;
use super::settings::Settings;
use crate::flights::problem::Problem;
use crate::flights::trust::{self, Concern};

/// What is known before the first flight.
pub fn before(settings: &Settings, problem: &Problem) -> Vec<Concern> {
    let known = problem.warm_start.as_ref();
    let known = known.map_or(0, |start| start.trials.len() as u64);
    let evaluations = known + settings.evaluations();
    let mut found = problem.concerns();
    found.extend(trust::winds(settings.held_out_winds));
    found.extend(trust::evaluations(evaluations, problem.space.dimensions()));
    found
}

/// What its end adds.
pub fn after(record: &Record) -> Vec<Concern> {
    let ends = record.at_bounds().into_iter();
    let ends = ends.map(|(knob, end)| format!("{} ({})", knob.gain.name, end.word()));
    let ends: Vec<String> = ends.collect();
    let found = (!ends.is_empty()).then_some(Concern::GainsAtBounds { ends });
    found.into_iter().collect()
}

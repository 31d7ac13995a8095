//! Reading: text into a record that holds together, or the reason why it does not.

use super::{Candidate, Evaluation, Recorded};
use crate::flights::held_out::Test;
use crate::report::ReportError;
use serde::Deserialize;
use sim::Domain;
use std::path::Path;

/// Every form's name starts with this; its number follows. This is the one place that decides
/// which forms can be read, for reports, exports and warm starts.
const FAMILY: &str = "windhover-run/";

/// The newest form that can be read.
const NEWEST: u32 = 3;

/// The part of a record that says how to read the rest.
#[derive(Deserialize)]
struct Heading {
    schema: String,
}

impl Recorded {
    /// Reads and checks the text of the `run.json` at `path`.
    ///
    /// # Errors
    /// [`ReportError`] naming the file and what is wrong with it.
    pub fn from_json(text: &str, path: &Path) -> Result<Recorded, ReportError> {
        let damaged = |source| ReportError::Damaged {
            path: path.to_owned(),
            source,
        };
        let heading: Heading = serde_json::from_str(text).map_err(damaged)?;
        let version = heading.schema.strip_prefix(FAMILY);
        let known = version.and_then(|number| number.parse::<u32>().ok());
        if !known.is_some_and(|number| (1..=NEWEST).contains(&number)) {
            return Err(ReportError::Schema {
                path: path.to_owned(),
                given: heading.schema,
                newest: format!("{FAMILY}{NEWEST}"),
            });
        }
        let recorded: Recorded = serde_json::from_str(text).map_err(damaged)?;
        recorded
            .check_vehicle()
            .map_err(|source| ReportError::Vehicle {
                path: path.to_owned(),
                source,
            })?;
        match recorded.contradiction() {
            None => Ok(recorded),
            Some((what, given, wanted)) => Err(ReportError::Contradiction {
                path: path.to_owned(),
                what,
                given,
                wanted,
            }),
        }
    }

    fn check_vehicle(&self) -> Result<(), sim::Error> {
        self.problem.airframe.check()?;
        self.problem.sensors.check()?;
        self.problem.domains.iter().try_for_each(Domain::check)?;
        let candidates = [&self.default, &self.recommended, &self.observed];
        candidates.iter().try_for_each(|c| c.gains.check())
    }

    /// The first number that another one contradicts, and what it should be.
    fn contradiction(&self) -> Option<(&'static str, f64, String)> {
        let settings = &self.settings;
        let evaluations = settings.initial.saturating_add(settings.iterations);
        let domains = self.problem.domains.len();
        let candidates = [&self.default, &self.recommended, &self.observed];
        let tests = || {
            candidates
                .iter()
                .flat_map(|candidate: &&Candidate| &candidate.tests)
        };
        let numbered = |(number, trial): (usize, &Evaluation)| {
            differs("a trial's number", trial.number, number as u64)
        };
        let per_evaluation = settings.flights_per_evaluation;
        let several = |trial: &Evaluation| {
            let flights = trial.flown().len() as u64;
            differs("a trial's number of flights", flights, per_evaluation)
        };
        let cost = |trial: &Evaluation| {
            not_positive("a trial's cost", trial.cost_m).or_else(|| self.miscounted(trial))
        };
        let winds = settings.held_out_winds;
        let flights = |test: &Test| {
            let count = differs("a test's number of flights", test.ace_m.len() as u64, winds);
            count.or_else(|| {
                test.ace_m
                    .iter()
                    .find_map(|ace| not_positive("a test's ACE", *ace))
            })
        };
        differs(
            "the number of trials",
            self.trials.len() as u64,
            evaluations,
        )
        .or_else(|| not_positive("the number of trials", self.trials.len() as f64))
        .or_else(|| not_positive("the number of domains", domains as f64))
        .or_else(|| not_positive("the number of held-out winds", winds as f64))
        .or_else(|| self.trials.iter().enumerate().find_map(numbered))
        .or_else(|| self.trials.iter().find_map(several))
        .or_else(|| self.trials.iter().find_map(cost))
        .or_else(|| {
            let counts = candidates
                .iter()
                .map(|candidate| candidate.tests.len() as u64);
            let mut wrong =
                counts.filter_map(|n| differs("the number of tests", n, domains as u64));
            wrong.next()
        })
        .or_else(|| tests().find_map(flights))
    }
}

impl Recorded {
    /// The cost of `trial`, where its own flights do not add up to it.
    fn miscounted(&self, trial: &Evaluation) -> Option<(&'static str, f64, String)> {
        let counted = self.cost().observation(&trial.flown()).cost;
        // A record of another machine may differ in the last bits.
        let alike = (trial.cost_m - counted).abs() <= 1e-9 * counted.abs();
        let wanted = || format!("{counted} as its own flights say");
        (!alike).then(|| ("a trial's cost", trial.cost_m, wanted()))
    }
}

fn differs(what: &'static str, given: u64, wanted: u64) -> Option<(&'static str, f64, String)> {
    (given != wanted).then(|| (what, given as f64, wanted.to_string()))
}

fn not_positive(what: &'static str, given: f64) -> Option<(&'static str, f64, String)> {
    (given <= 0.0).then(|| (what, given, "positive".to_owned()))
}

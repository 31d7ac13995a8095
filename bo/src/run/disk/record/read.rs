//! Read: text into a record that holds together, or the reason why it does not.

use super::{Candidate, REMEDY, Record, judgements};
use crate::flights::evaluation::Evaluation;
use crate::flights::held_out::Test;
use crate::flights::space::Knob;
use crate::flights::tuning::has_no_cost;
use serde_json::{Map, Value, json};
use shell::Failure;
use sim::Domain;
use std::path::Path;

/// Every form's name starts with this; its number follows. This is the one place that decides
/// which forms can be read, for reports, exports and warm starts.
const FAMILY: &str = "windhover-run/";

/// The newest form that can be read.
const NEWEST: u32 = 4;

impl Record {
    /// Reads and checks the text of the `run.json` at `path`; a record of an earlier form becomes one
    /// of the present.
    ///
    /// # Errors
    /// The file and what is wrong with it.
    pub fn from_json(text: &str, path: &Path) -> Result<Record, Failure> {
        let damaged = |source| Failure::damaged(path, source, REMEDY);
        let mut value: Value = serde_json::from_str(text).map_err(damaged)?;
        let given = value.get("schema").and_then(Value::as_str).unwrap_or("");
        let number = given.strip_prefix(FAMILY);
        let version = number.and_then(|number| number.parse::<u32>().ok());
        let version = version.filter(|number| (1..=NEWEST).contains(number));
        let version = version.ok_or_else(|| {
            Failure::data(format!(
                "{} has the form `{given}`; this version reads windhover-run/1 to {FAMILY}{NEWEST}: use the version that made it, or a newer one",
                path.display()
            ))
        })?;
        migrate(&mut value, version);
        let mut record: Record = serde_json::from_value(value).map_err(damaged)?;
        let vehicle = record.check_vehicle();
        vehicle.map_err(|source| Failure::damaged(path, source, REMEDY))?;
        record.complete();
        match record.contradiction() {
            None => Ok(record),
            Some((what, given, wanted)) => {
                let reason = format!("{what} is {given}, not {wanted}");
                Err(Failure::damaged(path, reason, REMEDY))
            }
        }
    }

    /// Fills in what follows from the rest of the record and what earlier forms did not say.
    fn complete(&mut self) {
        let knobs: Vec<Knob> = self
            .problem
            .tuned
            .iter()
            .filter_map(|tuned| tuned.knob()?.ok())
            .collect();
        for made in self.trials.iter_mut().filter(|made| made.x.is_empty()) {
            made.x = made.unit_of(&knobs);
            made.lost = has_no_cost(made.flights.iter().map(|flown| &flown.outcome));
        }
        for candidate in [&mut self.recommended, &mut self.observed] {
            candidate.against_default = Some(judgements(&self.default, &candidate.tests));
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
            let flights = trial.flights.len() as u64;
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

impl Record {
    /// The cost of `trial`, where its own flights do not add up to it.
    fn miscounted(&self, trial: &Evaluation) -> Option<(&'static str, f64, String)> {
        let cost_m = crate::flights::evaluation::cost_m(self.settings.cost.of(&trial.flights));
        // A record of another machine may differ in the last bits.
        let alike = (trial.cost_m - cost_m).abs() <= 1e-9 * cost_m.abs();
        let wanted = || format!("{cost_m} as its own flights say");
        if !alike {
            return Some(("a trial's cost", trial.cost_m, wanted()));
        }
        let lost = has_no_cost(trial.flights.iter().map(|flown| &flown.outcome));
        let number = |lost: bool| f64::from(u8::from(lost));
        (trial.lost != lost).then(|| {
            (
                "a trial's loss",
                number(trial.lost),
                number(lost).to_string(),
            )
        })
    }
}

fn differs(what: &'static str, given: u64, wanted: u64) -> Option<(&'static str, f64, String)> {
    (given != wanted).then(|| (what, given as f64, wanted.to_string()))
}

fn not_positive(what: &'static str, given: f64) -> Option<(&'static str, f64, String)> {
    (given <= 0.0).then(|| (what, given, "positive".to_owned()))
}

/// The form from which on evaluations are written down whole.
const WHOLE_EVALUATIONS: u32 = 4;

/// Brings `record`, of the form `version`, to the present form as far as its JSON can tell; what
/// follows from its numbers is filled in by the reader.
pub fn migrate(record: &mut Value, version: u32) {
    if version >= WHOLE_EVALUATIONS {
        return;
    }
    if let Some(settings) = record.get_mut("settings").and_then(Value::as_object_mut) {
        name_the_objective(settings);
    }
    let trials = record.get_mut("trials").and_then(Value::as_array_mut);
    for trial in trials.into_iter().flatten() {
        if let Some(trial) = trial.as_object_mut() {
            gather_flights(trial);
        }
    }
}

/// Records that say `dil-gp` without a lambda come from versions in which that was the per-point
/// objective with lambda 1.
fn name_the_objective(settings: &mut Map<String, Value>) {
    let unweighted = settings.get("lambda").is_none_or(Value::is_null);
    if unweighted && settings.get("surrogate") == Some(&json!("dil-gp")) {
        settings.insert("surrogate".into(), json!("dil-gp-per-point"));
        settings.insert("lambda".into(), json!(1.0));
    }
}

/// An evaluation of one flight had that flight's facts in its own row, one of several had those of
/// one flight there and a list of all.
fn gather_flights(trial: &mut Map<String, Value>) {
    let own = ["weather", "outcome", "score", "wind"];
    let alone: Map<String, Value> = own
        .into_iter()
        .filter_map(|key| Some((key.to_owned(), trial.remove(key)?)))
        .collect();
    let several = |flights: &Value| flights.as_array().is_some_and(|all| !all.is_empty());
    if !trial.get("flights").is_some_and(several) {
        trial.insert("flights".into(), json!([alone]));
    }
    // Filled in from gains and outcomes.
    trial.insert("x".into(), json!([]));
    trial.insert("lost".into(), json!(false));
}

//! Migrate: a record of an earlier form brought to the present one, in this one place.

use serde_json::{Map, Value, json};

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

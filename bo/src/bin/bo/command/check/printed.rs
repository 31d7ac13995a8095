//! Printed: what `bo check --format json` prints.

use bo::Error;
use bo::check::{Candidate, Judged};
use bo::run::disk::record::to_json;
use serde_json::{Value, json};

/// What `--format json` prints: of one tune, or of two with the second against the first in the winds that
/// both flew.
pub(super) fn json(judged: &Judged) -> Result<String, Error> {
    let task = judged.task;
    let flown = json!({
        "airframe": task.setup.airframe.name,
        "trajectory": task.trajectory.name(),
        "domain": task.domain.name,
        "seed": task.seed,
        "uncertain": task.setup.uncertain,
    });
    let tune = |one: &Candidate| {
        let own = json!({
            "file": one.name,
            "kind": one.tune.kind,
            "gains": one.tune.gains,
            "worst_flight": one.worst_flight,
        });
        joined(own, json!(one.checked))
    };
    let judged = match judged.candidates {
        [one] => joined(json!({ "schema": "windhover-check/1" }), tune(one)),
        both => json!({
            "schema": "windhover-check-pair/1",
            "verdict": judged.verdict(),
            "tunes": both.iter().map(tune).collect::<Vec<Value>>(),
            "difference": judged.difference(),
        }),
    };
    to_json("check", &joined(flown, judged))
}

fn joined(mut one: Value, other: Value) -> Value {
    if let (Some(one), Value::Object(other)) = (one.as_object_mut(), other) {
        one.extend(other);
    }
    one
}

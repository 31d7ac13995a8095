//! Printed: what `bo check --format json` prints.

use bo::Error;
use bo::check::{Candidate, Checked, Judged, Verdict};
use bo::flights::verdict::Judgement;
use bo::run::disk::record::to_json;
use serde::Serialize;
use sim::Gains;

/// What `--format json` prints of one tune.
#[derive(Serialize)]
struct Printed<'a> {
    schema: &'static str,
    #[serde(flatten)]
    flown: Flown<'a>,
    #[serde(flatten)]
    tune: PrintedTune<'a>,
}

/// What it prints of two.
#[derive(Serialize)]
struct PrintedPair<'a> {
    schema: &'static str,
    #[serde(flatten)]
    flown: Flown<'a>,
    /// The gravest verdict of the two, which decides the exit code.
    verdict: Verdict,
    tunes: Vec<PrintedTune<'a>>,
    /// The second against the first in the winds that both flew; absent where one cannot be flown.
    difference: Option<Judgement>,
}

/// What was flown.
#[derive(Serialize)]
struct Flown<'a> {
    airframe: &'a str,
    trajectory: &'a str,
    domain: &'a str,
    seed: u64,
    uncertain: bool,
}

/// A tune and how it was judged.
#[derive(Serialize)]
struct PrintedTune<'a> {
    file: &'a str,
    kind: &'a str,
    gains: &'a Gains,
    #[serde(flatten)]
    checked: &'a Checked,
    /// The command that flies the worst flight; absent where none was flown.
    worst_flight: &'a Option<String>,
}

impl PrintedTune<'_> {
    fn of(one: &Candidate) -> PrintedTune<'_> {
        PrintedTune {
            file: &one.name,
            kind: one.tune.kind,
            gains: &one.tune.gains,
            checked: &one.checked,
            worst_flight: &one.worst_flight,
        }
    }
}

/// What `--format json` prints.
pub(super) fn json(judged: &Judged) -> Result<String, Error> {
    let task = judged.task;
    let flown = Flown {
        airframe: &task.setup.airframe.name,
        trajectory: task.trajectory.name(),
        domain: &task.domain.name,
        seed: task.seed,
        uncertain: task.setup.uncertain,
    };
    match judged.candidates {
        [one] => to_json(
            "check",
            &Printed {
                schema: "windhover-check/1",
                flown,
                tune: PrintedTune::of(one),
            },
        ),
        both => to_json(
            "check",
            &PrintedPair {
                schema: "windhover-check-pair/1",
                flown,
                verdict: judged.verdict(),
                tunes: both.iter().map(PrintedTune::of).collect(),
                difference: judged.difference(),
            },
        ),
    }
}

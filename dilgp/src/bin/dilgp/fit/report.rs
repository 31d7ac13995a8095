//! Report: the result of a fit, for a program and for a reader.

use std::fmt::Write;

use dilgp::{Prediction, Score, Summary};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::args::FitArgs;
use crate::fit::choice::Choice;
use crate::fit::columns::Column;
use crate::fit::data::Data;
use crate::fit::hyperparameters::{InUnit, in_units};
use crate::statistics::{LEVELS, shares};

/// What `--format json` prints, and result.json holds.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    /// Name and version of this form.
    schema: &'static str,
    #[serde(flatten)]
    pub score: Score,
    /// On the training rows, each left out in turn with the hyper-parameters kept; where the
    /// family has a closed form.
    pub leave_one_out: Option<Score>,
    /// By name, on the scale on which the model was fitted: variances, and lengths or their squares.
    hyperparameters: Map<String, Value>,
    /// The same in units that a reader knows.
    pub in_units: Vec<InUnit>,
    pub surrogate: &'a str,
    pub mode: &'a str,
    seed: u64,
    /// Whether inputs and targets were z-scored before the fit.
    scaled: bool,
    train_rows: usize,
    test_rows: usize,
    inputs: &'a [String],
    /// The levels of each category, in the order of their coordinates.
    #[serde(skip_serializing_if = "Map::is_empty")]
    categories: Map<String, Value>,
    target: &'a str,
    objective: f64,
    ending: dilgp::Ending,
    evaluations: u64,
    jitter: f64,
    /// Weight of the penalty, if there is one.
    lambda: Option<f64>,
    /// Each lambda that cross-validation tried, with its error.
    cross_validation: Option<&'a [(f64, f64)]>,
    /// Weight of each training row in the first environment.
    environments: Option<&'a [f64]>,
    /// Share of test observations inside the central interval of each nominal probability; where
    /// the model claims a deviation.
    pub calibration: Option<Calibration>,
    /// What makes the fit mean less than it seems to.
    pub warnings: Vec<String>,
}

/// How often the test observations fell inside the central intervals predicted.
#[derive(Debug, Serialize)]
pub struct Calibration {
    levels: [f64; 10],
    pub shares: Vec<f64>,
}

impl<'a> Report<'a> {
    /// That of a model with `summary`, which `choice` made and which `predicted` the test rows.
    pub fn of(
        args: &FitArgs,
        data: &'a Data,
        choice: &'a Choice,
        summary: &'a Summary,
        predicted: &Prediction,
    ) -> Report<'a> {
        let found = summary.hyperparameters.iter();
        let category = |own: &Column| Some((own.name.clone(), Value::from(own.levels.clone()?)));
        let (target, inputs) = data.names.split_last().expect("at least two columns");
        Report {
            schema: "windhover-fit/1",
            score: Score::of(predicted, data.test.y()),
            leave_one_out: None,
            hyperparameters: found
                .map(|h| (h.name.clone().into_owned(), Value::from(h.value)))
                .collect(),
            in_units: in_units(&summary.hyperparameters, data, choice, !args.no_scale),
            surrogate: summary.surrogate,
            mode: choice.mode,
            seed: args.seed,
            scaled: !args.no_scale,
            train_rows: data.train.len(),
            test_rows: data.test.len(),
            inputs,
            categories: data.inputs().iter().filter_map(category).collect(),
            target,
            objective: summary.objective,
            ending: summary.ending,
            evaluations: summary.evaluations,
            jitter: summary.jitter,
            lambda: choice.lambda,
            cross_validation: choice.validated.as_ref().map(|found| &found.tried[..]),
            environments: summary.environments.as_deref(),
            calibration: shares(predicted, data.test.y()).map(|shares| Calibration {
                levels: LEVELS,
                shares,
            }),
            warnings: Vec::new(),
        }
    }
}

/// The report for a reader.
pub fn describe(report: &Report) -> String {
    let mut text = format!(
        "{} ({}) on {} rows of {} input(s), tested on {} rows\n",
        report.surrogate,
        report.mode,
        report.train_rows,
        report.inputs.len(),
        report.test_rows
    );
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<24} {value}");
    };
    let or_none = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.6}"));
    line("RMSE", format!("{:.8}", report.score.rmse));
    line("coverage within 1 std", or_none(report.score.coverage));
    line("NLPD [nats]", or_none(report.score.nlpd));
    if let Some(left_out) = &report.leave_one_out {
        line("leave-one-out RMSE", format!("{:.8}", left_out.rmse));
        line("leave-one-out coverage", or_none(left_out.coverage));
    }
    for InUnit { name, value, unit } in &report.in_units {
        let value = match (1e-3..1e9).contains(value) || unit.is_empty() {
            true => format!("{value:.6}"),
            false => format!("{value:.6e}"),
        };
        let unit = if unit.is_empty() {
            String::new()
        } else {
            format!(" [{unit}]")
        };
        line(name, value + &unit);
    }
    line("objective", format!("{:.6}", report.objective));
    let ending = match report.ending {
        dilgp::Ending::Converged => "converged",
        dilgp::Ending::Budget => "budget spent",
        dilgp::Ending::Stalled => "stalled",
    };
    line(
        "training",
        format!("{ending} after {} evaluations", report.evaluations),
    );
    if let Some(lambda) = report.lambda {
        line("lambda", lambda.to_string());
    }
    for (lambda, error) in report.cross_validation.unwrap_or_default() {
        line("left-out RMSE", format!("{error:.6} at lambda {lambda}"));
    }
    if report.jitter > 0.0 {
        line("jitter", format!("{:.3e}", report.jitter));
    }
    if let Some(weights) = report.environments {
        let in_first: f64 = weights.iter().sum();
        let share = format!("{in_first:.1} of {} rows", weights.len());
        line("first environment", share);
    }
    for (name, levels) in &report.categories {
        line(
            name,
            format!("a coordinate of 0 or 1/sqrt(2) for each of {levels}"),
        );
    }
    text
}

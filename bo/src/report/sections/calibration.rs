//! Calibration of the surrogate's predictions.

use crate::flights::context::Context;
use crate::report::analysis::prediction::{Coverage, Predictions};
use crate::report::html::{counted, escape, percent};
use crate::report::sections::{figures, table};
use crate::report::{Report, charts};
use search::{LossModel, surrogates};

/// Predicted against observed cost, nominal against observed coverage.
pub fn calibration(report: &Report) -> String {
    let predictions = &report.predictions;
    let surrogate = escape(report.recorded.settings.surrogate);
    if predictions.of_trials.is_empty() {
        return format!("<p>{surrogate} chose no trial of this run.</p>\n");
    }
    let predicted = "Predictions made before each evaluation.";
    let mut drawings = vec![(charts::predicted(predictions), predicted.to_owned())];
    let coverage = predictions.coverage();
    if !coverage.is_empty() {
        let caption = "How often the observed cost lay within the predicted interval.";
        drawings.push((
            charts::coverage(predictions, report.recorded.settings.surrogate),
            caption.to_owned(),
        ));
    }
    format!(
        "{}{}{}<p>{}</p>\n",
        figures(&drawings),
        covered(&coverage),
        bias(predictions),
        method(report)
    )
}

fn covered(coverage: &[Coverage]) -> String {
    if coverage.is_empty() {
        return "<p>The surrogate claims no uncertainty, so there is no coverage to check.</p>\n"
            .to_owned();
    }
    let row = |c: &Coverage| {
        let [low, high] = c.interval();
        let said = match c.nominal {
            n if n < low => "too cautious",
            n if n > high => "too sure of itself",
            _ => "agrees",
        };
        vec![
            percent(c.nominal),
            format!("{} ({} of {})", percent(c.observed()), c.within, c.count),
            format!("{} to {}", percent(low), percent(high)),
            said.to_owned(),
        ]
    };
    let rows: Vec<Vec<String>> = coverage.iter().map(row).collect();
    table(
        &[
            "interval should hold",
            "held",
            "95 % interval for that share",
            "",
        ],
        rows,
    )
}

/// Mean and spread of the standardised residuals.
fn bias(predictions: &Predictions) -> String {
    let scores = predictions.scores();
    if scores.is_empty() {
        return String::new();
    }
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let rms = (scores.iter().map(|z| z * z).sum::<f64>() / n).sqrt();
    format!(
        "<p>Standardised residuals, (ln observed − mean) / standard deviation: mean {mean:.2} (0 is unbiased; above 0 evaluations went \
         worse than predicted), root mean square {rms:.2} (1 is calibrated; above 1 too sure of itself).</p>\n"
    )
    .replace("mean -", "mean −")
}

fn method(report: &Report) -> String {
    let predictions = &report.predictions;
    let asked = predictions.of_trials.len();
    let which = if asked == predictions.chosen {
        format!("each of the {asked} trials that the acquisition chose")
    } else {
        format!(
            "{asked} of the {} trials that the acquisition chose, evenly spread",
            predictions.chosen
        )
    };
    let earlier = match report.recorded.settings.together {
        1 => "the trials before it",
        _ => "the trials before its round",
    };
    let same = match predictions.departures {
        None => String::new(),
        Some(0) => "The refitted models give the acquisition values of the record.".to_owned(),
        Some(n) => format!(
            "In {} the refitted model’s acquisition value differs from the record’s by more than one part in a thousand: \
             points are read back from rounded or limited gains, or another version made the record.",
            counted(n, "trial")
        ),
    };
    let settings = &report.recorded.settings;
    let usual = || surrogates::usual_loss_model(settings.surrogate, true, true);
    let losses = match settings.loss_model.unwrap_or_else(usual) {
        LossModel::Apart => {
            "the surrogate learns from what completed, and a model of losses adds to its prediction what a loss costs, \
             by its probability"
        }
        LossModel::Worst | LossModel::ByPlace => {
            "the surrogate receives the worst completed cost in their place"
        }
    };
    let winds = match settings.environments {
        Context::None => "",
        _ => ", in the wind that the trial met",
    };
    format!(
        "One step ahead: before {which}, {} was fitted again to {earlier}, with the run’s own seeds; the \
         trial itself is not in the fit. Costs are predicted as logarithms{winds}, with normal intervals that include the \
         noise of a single evaluation where the surrogate knows it. Lost evaluations count as outside of every interval and are left out of the \
         residuals; {losses}. Points are chosen because their prediction is low or unsure, so some \
         optimism is to be expected. {same}",
        escape(report.recorded.settings.surrogate)
    )
}

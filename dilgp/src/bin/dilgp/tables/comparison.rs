//! Comparison: the same methods on the same data sets, seed by seed, and what that says about each.

use crate::calibration::{LEVELS, shares};
use crate::statistics::{Mean, Paired};
use crate::tables::methods::{METHODS, Method, REFERENCE, RELEASED_GP};
use crate::tables::paper::Published;
use crate::tables::row::Row;
use dilgp::{Dataset, Score};

/// One method on one data set.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// How it did.
    pub score: Score,
    /// Share of observations within the central interval of each of [`LEVELS`].
    pub calibration: Option<Vec<f64>>,
}

/// Fits `method` to `train` and scores it on each of `tests`; none where the fit failed.
pub fn outcomes(
    method: Method,
    train: &Dataset,
    tests: &[&Dataset],
    rate: f64,
    seed: u64,
) -> Vec<Option<Outcome>> {
    let Ok(fitted) = method.fit(train, rate, seed) else {
        return vec![None; tests.len()];
    };
    tests
        .iter()
        .map(|test| {
            let predicted = fitted.predict(test.x());
            Some(Outcome {
                score: Score::of(&predicted, test.y()),
                calibration: shares(&predicted, test.y()),
            })
        })
        .collect()
}

/// Rows for the outcomes of each method, in the order of [`METHODS`]: one outcome a seed.
pub fn rows(outcomes: &[Vec<Option<Outcome>>], published: impl Fn(&str) -> Published) -> Vec<Row> {
    let rmse = |index: usize| -> Vec<Option<f64>> {
        let runs = outcomes[index].iter();
        runs.map(|run| run.as_ref().map(|run| run.score.rmse))
            .collect()
    };
    let place = |key| {
        METHODS
            .iter()
            .position(|method| method.key == key)
            .unwrap_or(0)
    };
    let (reference, released) = (rmse(place(REFERENCE)), rmse(place(RELEASED_GP)));
    METHODS
        .iter()
        .enumerate()
        .map(|(index, method)| {
            let these = rmse(index);
            let paired = |key: &str, others: &[Option<f64>]| {
                (method.key != key)
                    .then(|| Paired::of(&these, others))
                    .flatten()
            };
            Row {
                key: method.key,
                method: method.label,
                published_rmse: published(method.key).rmse,
                published_coverage: published(method.key).coverage,
                rmse: mean(&outcomes[index], |run| Some(run.score.rmse)),
                coverage: mean(&outcomes[index], |run| run.score.coverage),
                nlpd: mean(&outcomes[index], |run| run.score.nlpd),
                against_ml2: paired(REFERENCE, &reference),
                against_released_gp: paired(RELEASED_GP, &released),
                calibration: mean_calibration(&outcomes[index]),
                rmse_by_seed: these,
            }
        })
        .collect()
}

fn mean(runs: &[Option<Outcome>], of: fn(&Outcome) -> Option<f64>) -> Option<Mean> {
    let values: Vec<f64> = runs.iter().flatten().filter_map(of).collect();
    Mean::of(&values)
}

fn mean_calibration(runs: &[Option<Outcome>]) -> Option<Vec<f64>> {
    let curves: Vec<&Vec<f64>> = runs
        .iter()
        .flatten()
        .filter_map(|r| r.calibration.as_ref())
        .collect();
    let count = curves.len() as f64;
    (!curves.is_empty()).then(|| {
        let level = |i: usize| curves.iter().map(|curve| curve[i]).sum::<f64>() / count;
        (0..LEVELS.len()).map(level).collect()
    })
}

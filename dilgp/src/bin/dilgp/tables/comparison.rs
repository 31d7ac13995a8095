//! Comparison: the same methods on the same data sets, seed by seed, and the row of each in a table.

use dilgp::{Dataset, Score};
use serde::{Deserialize, Serialize};
use shell::cells::Exact;

use crate::statistics::{LEVELS, Mean, Paired, shares};
use crate::tables::methods::{METHODS, Method, REFERENCE, RELEASED_GP};
use crate::tables::paper::{Printed, Published};

/// How one method did on one data set, as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Outcome {
    /// Root mean squared error.
    pub rmse: Exact,
    coverage: Option<Exact>,
    nlpd: Option<Exact>,
    /// Share of observations within the central interval of each of [`LEVELS`].
    calibration: Option<Vec<Exact>>,
}

/// Of each method, how it did on each test set; nothing if its fit failed.
pub type Scores = Vec<Vec<Option<Outcome>>>;

/// Fits `method` to `train` and scores it on each of `tests`; none if the fit failed.
pub fn outcomes(
    method: Method,
    train: &Dataset,
    tests: &[Dataset],
    rate: f64,
    seed: u64,
) -> Vec<Option<Outcome>> {
    let Ok(fitted) = method.fit(train, rate, seed) else {
        return vec![None; tests.len()];
    };
    let outcome = |test: &Dataset| {
        let predicted = fitted.predict(test.x());
        let score = Score::of(&predicted, test.y());
        let calibration = shares(&predicted, test.y());
        Some(Outcome {
            rmse: Exact(score.rmse),
            coverage: score.coverage.map(Exact),
            nlpd: score.nlpd.map(Exact),
            calibration: calibration.map(|shares| shares.into_iter().map(Exact).collect()),
        })
    };
    tests.iter().map(outcome).collect()
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The method's key.
    pub key: &'static str,
    /// Its name.
    pub method: &'static str,
    /// RMSE as the paper prints it.
    pub published_rmse: Option<Printed>,
    /// Coverage as the paper prints it.
    pub published_coverage: Option<Printed>,
    /// RMSE measured.
    pub rmse: Option<Mean>,
    /// Coverage measured.
    pub coverage: Option<Mean>,
    /// Negative log predictive density measured, in nats.
    pub nlpd: Option<Mean>,
    /// RMSE less that of the ML-II Gaussian process on the same data.
    pub against_ml2: Option<Paired>,
    /// RMSE less that of the Gaussian process trained as the authors do.
    pub against_released_gp: Option<Paired>,
    /// Mean share of observations within the central intervals of the table's levels.
    pub calibration: Option<Vec<f64>>,
    /// RMSE of each seed, in order; none where the fit failed.
    pub rmse_by_seed: Vec<Option<f64>>,
}

/// Rows for one test set.
#[derive(Debug, Clone, Serialize)]
pub struct Column {
    /// Name of the test set.
    pub name: String,
    /// One for each method.
    pub rows: Vec<Row>,
}

impl Column {
    /// The row of the method with that key.
    pub fn row(&self, key: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.key == key)
    }
}

/// Rows for the outcomes of each method on one of the test sets: one score of all methods a seed.
pub fn rows(seeds: &[Scores], test: usize, published: impl Fn(&str) -> Published) -> Vec<Row> {
    let runs = |key: &str| -> Vec<Option<&Outcome>> {
        let place = METHODS.iter().position(|method| method.key == key);
        let place = place.expect("the keys asked for are those of the list");
        seeds
            .iter()
            .map(|seed| seed[place][test].as_ref())
            .collect()
    };
    let rmse = |key: &str| -> Vec<Option<f64>> {
        let runs = runs(key).into_iter();
        runs.map(|run| run.map(|run| run.rmse.0)).collect()
    };
    let row = |method: &Method| {
        let runs = runs(method.key);
        let mean = |of: fn(&Outcome) -> Option<Exact>| {
            let values = runs.iter().flatten().filter_map(|run| of(run));
            Mean::of(&values.map(|Exact(value)| value).collect::<Vec<_>>())
        };
        let these = rmse(method.key);
        let paired = |key: &str| match method.key == key {
            true => None,
            false => Paired::of(&these, &rmse(key)),
        };
        Row {
            key: method.key,
            method: method.label,
            published_rmse: published(method.key).rmse,
            published_coverage: published(method.key).coverage,
            rmse: mean(|run| Some(run.rmse)),
            coverage: mean(|run| run.coverage),
            nlpd: mean(|run| run.nlpd),
            against_ml2: paired(REFERENCE),
            against_released_gp: paired(RELEASED_GP),
            calibration: mean_calibration(&runs),
            rmse_by_seed: these.clone(),
        }
    };
    METHODS.iter().map(row).collect()
}

fn mean_calibration(runs: &[Option<&Outcome>]) -> Option<Vec<f64>> {
    let curves = runs
        .iter()
        .flatten()
        .filter_map(|run| run.calibration.as_ref());
    let curves: Vec<&Vec<Exact>> = curves.collect();
    let count = curves.len() as f64;
    let level = |i: usize| curves.iter().map(|curve| curve[i].0).sum::<f64>() / count;
    (!curves.is_empty()).then(|| (0..LEVELS.len()).map(level).collect())
}

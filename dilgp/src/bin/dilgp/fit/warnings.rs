//! Warnings: what makes a fit mean less than it seems to, a line each.

use dilgp::{Dataset, Prediction, Score};

use crate::fit::data::Data;
use crate::fit::hyperparameters::InUnit;

/// Rows from which on leaving one out says something.
const LEAST_ROWS: usize = 10;

/// Share of the target's variance that is explained where a row is left out, below which nothing was
/// learnt.
const LEAST_EXPLAINED: f64 = 0.05;

/// Share of the signal's variance that the others of the rows explain at a row, below which the fit
/// returns to the mean between them. A squared-exponential covariance is there at a distance of 1.5
/// lengths from one neighbour.
const LEAST_SHARED: f64 = 0.1;

/// Error of a row left out, relative to that without the penalty, above which the penalty does harm.
const MOST_HARM: f64 = 1.03;

/// Error below which no harm is done, relative to the spread of the target.
const HARMLESS: f64 = 0.01;

/// Columns and targets that are the same everywhere.
pub fn of_data(data: &Data) -> Vec<String> {
    let mut warnings = Vec::new();
    for (j, name) in data.names[..data.train.dimensions()].iter().enumerate() {
        let [low, high] = range(data.train.x().column(j).as_slice());
        let [from, to] = range(data.test.x().column(j).as_slice());
        if low == high && from == low && to == low {
            warnings.push(format!("`{name}` is constant: nothing is learnt from it"));
        } else if low == high {
            warnings.push(format!(
                "`{name}` is {low} in all training data and {from} to {to} in the test data: \
                 its effect was not learnt"
            ));
        }
    }
    let [low, high] = range(data.train.y().as_slice());
    if let Some(name) = data.names.last().filter(|_| low == high) {
        warnings.push(format!(
            "the target `{name}` is {low} in all training data: nothing was learnt"
        ));
    }
    warnings
}

/// The least and the largest of `values`.
fn range(values: &[f64]) -> [f64; 2] {
    let values = || values.iter().copied();
    [
        values().fold(f64::INFINITY, f64::min),
        values().fold(f64::NEG_INFINITY, f64::max),
    ]
}

/// A test error that the training mean does not have.
pub fn of_score(score: &Score, data: &Data) -> Option<String> {
    let mean = data.train.y().mean();
    let misses = data.test.y().map(|y| y - mean);
    let of_mean = (misses.norm_squared() / misses.len() as f64).sqrt();
    (score.rmse > of_mean * (1.0 + 1e-9))
        .then(|| format!("the mean of the training data has a lower test error, RMSE {of_mean}"))
}

/// Where `left_out`, the prediction of each row of `train` without it, says nothing: it is held against
/// the signal `found` and against `plain`, its score without the penalty.
pub fn of_left_out(
    left_out: &Prediction,
    train: &Dataset,
    found: &[InUnit],
    plain: Option<Score>,
) -> Vec<String> {
    let spread = train.y().variance().sqrt();
    if train.len() < LEAST_ROWS || spread == 0.0 {
        return Vec::new();
    }
    let rmse = Score::of(left_out, train.y()).rmse;
    let explained = 1.0 - (rmse / spread).powi(2);
    let of = |name: &str| found.iter().find(|own| own.name == name);
    let signal = of("signal_std").zip(of("noise_std"));
    // More noise than signal is another reason to learn little from the others.
    let signal = signal.filter(|(signal, noise)| noise.value <= signal.value);
    let shared = signal
        .zip(left_out.std.as_ref())
        .map(|((signal, _), stds)| {
            let shares = stds.iter().map(|std| 1.0 - (std / signal.value).powi(2));
            let mut shares: Vec<f64> = shares.collect();
            shares.sort_by(f64::total_cmp);
            shares[shares.len() / 2]
        });
    let mut warnings = Vec::new();
    if let Some(shared) = shared.filter(|shared| *shared < LEAST_SHARED) {
        warnings.push(format!(
            "the fit returns to the mean between the training data: its lengths are so short that \
             at half of them the others explain {:.1} % of the signal at most",
            100.0 * shared.max(0.0)
        ));
    } else if explained < LEAST_EXPLAINED {
        warnings.push(format!(
            "left out, the training data are predicted hardly better than by their mean: {:.1} % \
             of the variance is explained",
            100.0 * explained.max(0.0)
        ));
    }
    let harm = plain.map_or(1.0, |plain| rmse / plain.rmse);
    if harm > MOST_HARM && rmse > HARMLESS * spread {
        warnings.push(format!(
            "the penalty costs more than it gains: the leave-one-out RMSE is {:.0} % above that \
             with --lambda 0",
            100.0 * (harm - 1.0)
        ));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// What is said where rows are predicted to be zero with the deviation `std`, of a target that is
    /// 1 and -1 in turn.
    fn said(std: f64, signal: f64, noise: f64) -> Vec<String> {
        let y = DVector::from_fn(12, |i, _| if i % 2 == 0 { 1.0 } else { -1.0 });
        let train = Dataset::new(DMatrix::from_fn(12, 1, |i, _| i as f64), y).unwrap();
        let left_out = Prediction {
            mean: DVector::zeros(12),
            std: Some(DVector::from_element(12, std)),
            observation_std: None,
        };
        let named = |(name, value): (&str, f64)| InUnit {
            name: name.to_owned(),
            value,
            unit: "y".to_owned(),
        };
        let found = [("signal_std", signal), ("noise_std", noise)].map(named);
        of_left_out(&left_out, &train, &found, None)
    }

    #[test]
    fn short_lengths_differ_from_noise() {
        for (std, signal, noise) in [(0.99, 1.0, 0.1), (4.8, 5.0, 4.9)] {
            let lines = said(std, signal, noise);
            assert!(
                lines[0].starts_with("the fit returns to the mean"),
                "{lines:?}"
            );
        }
        for (std, signal, noise) in [(0.9, 1.0, 0.1), (0.99, 1.0, 1.1)] {
            let lines = said(std, signal, noise);
            assert!(
                lines[0].contains("hardly better than by their mean: 0.0 %"),
                "{lines:?}"
            );
        }
    }
}

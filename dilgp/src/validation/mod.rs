//! Validation: how well a surrogate predicts observations that it was not trained on, and the choice of
//! the penalty's weight by it.
//!
//! [`ClusterMean`] is the baseline for data with clusters.

pub mod synthetic;

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use crate::dil::environments::{Environments, centres, nearest};
use crate::matrix::rows;
use crate::surrogate::{Standardisation, expect_dimensions};
use crate::{Dataset, Error, Hyperparameter, Model, Prediction, Summary, Surrogate};

/// How predictions compare with observations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    /// Root of the mean squared error, in the units of the targets.
    pub rmse: f64,
    /// Share of observations within one standard deviation (of an observation) of the predicted
    /// mean; 0.683 for a calibrated normal prediction. `None` where the model claims no deviation.
    pub coverage: Option<f64>,
    /// Mean of minus the log density of each observation under a normal prediction, in nats;
    /// `None` where no deviation is claimed or one is zero.
    pub nlpd: Option<f64>,
}

impl Score {
    /// Compares predictions with what was `observed` at the same points.
    ///
    /// # Panics
    /// If there is not one observation for each predicted point, or none.
    pub fn of(predicted: &Prediction, observed: &DVector<f64>) -> Self {
        assert_eq!(predicted.mean.len(), observed.len(), "one observation each");
        assert!(!observed.is_empty(), "there is nothing to score");
        let n = observed.len() as f64;
        let miss = &predicted.mean - observed;
        let std = predicted.observation_std.as_ref();
        Self {
            rmse: (miss.norm_squared() / n).sqrt(),
            coverage: calibration(predicted, observed, &[1.0]).map(|shares| shares[0]),
            nlpd: std.filter(|std| std.iter().all(|s| *s > 0.0)).map(|std| {
                let surprises = miss.iter().zip(std).map(|(m, s)| surprise(*m, *s));
                surprises.sum::<f64>() / n
            }),
        }
    }
}

fn surprise(miss: f64, std: f64) -> f64 {
    0.5 * (miss / std).powi(2) + std.ln() + 0.5 * (2.0 * std::f64::consts::PI).ln()
}

/// For each of `half_widths`, in predicted standard deviations, the share of observations that far
/// from the predicted mean or nearer: the calibration curve, to be held against the normal
/// distribution. `None` where the model claims no deviation.
pub fn calibration(
    predicted: &Prediction,
    observed: &DVector<f64>,
    half_widths: &[f64],
) -> Option<Vec<f64>> {
    let std = predicted.observation_std.as_ref()?;
    let miss = &predicted.mean - observed;
    let n = observed.len() as f64;
    let share = |width: &f64| {
        let within = miss.iter().zip(std).filter(|(m, s)| m.abs() <= width * **s);
        within.count() as f64 / n
    };
    Some(half_widths.iter().map(share).collect())
}

/// What cross-validation found.
#[derive(Debug, Clone, PartialEq)]
pub struct Validated {
    /// The weight with the lowest error; of equals, the first tried.
    pub lambda: f64,
    /// Each weight tried, with the mean over environments of the RMSE in the one left out, in
    /// the units of the targets.
    pub tried: Vec<(f64, f64)>,
}

/// Tries each of `lambdas` (at least one): leaves each of `environments` out in turn, fits the
/// rest and scores the one left out. Only training data are looked at.
///
/// `environments` should be more than two, or what is left holds one alone; clusters of the
/// inputs serve if none are known.
///
/// # Errors
/// [`Error::OneEnvironment`] if nothing can be left out, or a fit that failed.
pub fn choose_lambda(
    with: impl Fn(f64) -> Box<dyn Surrogate>,
    data: &Dataset,
    environments: &Environments,
    lambdas: &[f64],
    seed: u64,
) -> Result<Validated, Error> {
    let labels = environments.labels(data.x(), seed)?;
    let count = labels.iter().max().map_or(0, |last| last + 1);
    if count < 2 {
        return Err(Error::OneEnvironment);
    }
    let mut tried = Vec::new();
    for &lambda in lambdas {
        let surrogate = with(lambda);
        let mut errors = 0.0;
        for left_out in 0..count {
            let rest = pick(data, &labels, |label| label != left_out)?;
            let test = pick(data, &labels, |label| label == left_out)?;
            let predicted = surrogate.fit(&rest, seed)?.predict(test.x());
            errors += Score::of(&predicted, test.y()).rmse;
        }
        tried.push((lambda, errors / count as f64));
    }
    let mut lowest = tried[0];
    for &found in &tried {
        if found.1 < lowest.1 {
            lowest = found;
        }
    }
    Ok(Validated {
        lambda: lowest.0,
        tried,
    })
}

/// The points whose label is wanted.
fn pick(
    data: &Dataset,
    labels: &[usize],
    wanted: impl Fn(usize) -> bool,
) -> Result<Dataset, Error> {
    let rows: Vec<usize> = (0..data.len()).filter(|&i| wanted(labels[i])).collect();
    let x = DMatrix::from_fn(rows.len(), data.dimensions(), |i, j| data.x()[(rows[i], j)]);
    Dataset::new(x, DVector::from_fn(rows.len(), |i, _| data.y()[rows[i]]))
}

/// The mean of the training targets in the nearest of two clusters of the inputs as given, with their
/// spread there: the least that a method which uses clusters must beat. A baseline of the tables, not
/// one of [`crate::NAMES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClusterMean;

/// The clusters, in the caller's units.
#[derive(Debug)]
struct Fitted {
    centres: Vec<Vec<f64>>,
    levels: Vec<Standardisation>,
    summary: Summary,
}

impl Surrogate for ClusterMean {
    fn name(&self) -> &'static str {
        "cluster-mean"
    }

    fn fit(&self, data: &Dataset, seed: u64) -> Result<Box<dyn Model>, Error> {
        let labels = Environments::Clusters(2).labels(data.x(), seed)?;
        let centres = centres(&rows(data.x()), &labels);
        let level = |e: usize| {
            let of_e: Vec<usize> = (0..data.len()).filter(|&i| labels[i] == e).collect();
            let y = DVector::from_fn(of_e.len(), |i, _| data.y()[of_e[i]]);
            Standardisation::of(&y)
        };
        let levels: Vec<Standardisation> = (0..centres.len()).map(level).collect();
        let found = levels.iter().enumerate();
        let found = found.map(|(e, level)| Hyperparameter::new(format!("mean_{e}"), level.mean));
        let summary = Summary::new(self.name(), found.collect(), 0.0);
        Ok(Box::new(Fitted {
            centres,
            levels,
            summary,
        }))
    }
}

impl Model for Fitted {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        expect_dimensions(x.ncols(), self.centres[0].len());
        let points = rows(x);
        let levels = points
            .iter()
            .map(|x| &self.levels[nearest(x, &self.centres)]);
        let levels: Vec<&Standardisation> = levels.collect();
        let collect = |entry: fn(&Standardisation) -> f64| {
            DVector::from_iterator(levels.len(), levels.iter().map(|level| entry(level)))
        };
        Prediction {
            mean: collect(|level| level.mean),
            std: Some(DVector::zeros(levels.len())),
            observation_std: Some(collect(|level| level.scale)),
        }
    }

    fn summary(&self) -> &Summary {
        &self.summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(std: Option<&[f64]>) -> Prediction {
        let std = std.map(DVector::from_row_slice);
        Prediction {
            mean: DVector::from_row_slice(&[1.0, 2.0, 3.0, 4.0]),
            std: std.clone(),
            observation_std: std,
        }
    }

    #[test]
    fn scores_are_those_computed_by_hand() {
        let observed = DVector::from_row_slice(&[1.0, 3.0, 3.0, 1.0]);
        let predicted = prediction(Some(&[1.0, 1.0, 2.0, 2.0]));
        let score = Score::of(&predicted, &observed);
        // Misses 0, -1, 0, 3.
        approx::assert_relative_eq!(score.rmse, 2.5f64.sqrt(), max_relative = 1e-15);
        assert_eq!(score.coverage, Some(0.75));
        let normal = 0.5 * (2.0 * std::f64::consts::PI).ln();
        let expected = normal + (0.5 + 2.0 * 2f64.ln() + 0.5 * 2.25) / 4.0;
        approx::assert_relative_eq!(score.nlpd.unwrap(), expected, max_relative = 1e-14);
        let curve = calibration(&predicted, &observed, &[0.5, 1.0, 1.5]);
        assert_eq!(curve, Some(vec![0.5, 0.75, 1.0]));
    }

    #[test]
    fn a_deviation_that_is_not_claimed_is_not_scored() {
        let observed = DVector::from_row_slice(&[1.0, 3.0, 3.0, 1.0]);
        let silent = Score::of(&prediction(None), &observed);
        assert_eq!((silent.coverage, silent.nlpd), (None, None));
        let certain = Score::of(&prediction(Some(&[0.0, 1.0, 1.0, 1.0])), &observed);
        assert_eq!((certain.coverage, certain.nlpd), (Some(0.75), None));
    }

    /// Predicts the mean of the training targets plus lambda.
    struct Offset(f64);

    struct Level {
        level: f64,
        summary: Summary,
    }

    impl Surrogate for Offset {
        fn name(&self) -> &'static str {
            "offset"
        }

        fn fit(&self, data: &Dataset, _seed: u64) -> Result<Box<dyn Model>, Error> {
            Ok(Box::new(Level {
                level: data.y().mean() + self.0,
                summary: Summary::new("offset", Vec::new(), 0.0),
            }))
        }
    }

    impl Model for Level {
        fn predict(&self, x: &DMatrix<f64>) -> Prediction {
            Prediction {
                mean: DVector::from_element(x.nrows(), self.level),
                std: None,
                observation_std: None,
            }
        }

        fn summary(&self) -> &Summary {
            &self.summary
        }
    }

    #[test]
    fn the_weight_with_the_lowest_error_in_what_was_left_out_is_chosen() {
        let x = DMatrix::from_column_slice(4, 1, &[0.0, 1.0, 2.0, 3.0]);
        let y = DVector::from_row_slice(&[0.0, 0.0, 4.0, 4.0]);
        let data = Dataset::new(x, y).unwrap();
        let given = Environments::Given(vec![0, 0, 1, 1]);
        let with = |lambda: f64| -> Box<dyn Surrogate> { Box::new(Offset(lambda)) };
        let found = choose_lambda(with, &data, &given, &[3.0, 0.0, 5.0], 0).unwrap();
        // Left out 0: predicts 4 + lambda, misses by that; left out 1: lambda, misses 4 - lambda.
        assert_eq!(found.tried, [(3.0, 4.0), (0.0, 4.0), (5.0, 5.0)]);
        assert_eq!(found.lambda, 3.0);
        let one = Environments::Given(vec![7; 4]);
        let refused = choose_lambda(with, &data, &one, &[1.0], 0).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "cross-validation leaves one environment out, but there is only one"
        );
    }

    #[test]
    fn each_cluster_predicts_its_own_mean_and_spread() {
        let x = DMatrix::from_column_slice(5, 1, &[0.0, 0.2, 9.0, 9.1, 9.2]);
        let y = DVector::from_row_slice(&[1.0, 3.0, 10.0, 10.0, 13.0]);
        let data = Dataset::new(x, y).unwrap();
        let model = ClusterMean.fit(&data, 0).unwrap();
        let predicted = model.predict(&DMatrix::from_column_slice(2, 1, &[-4.0, 7.0]));
        approx::assert_abs_diff_eq!(
            predicted.mean,
            DVector::from_row_slice(&[2.0, 11.0]),
            epsilon = 1e-12
        );
        let spread = predicted.observation_std.unwrap();
        approx::assert_abs_diff_eq!(spread[0], 1.0, epsilon = 1e-12);
        approx::assert_abs_diff_eq!(spread[1], 2f64.sqrt(), epsilon = 1e-12);
    }
}

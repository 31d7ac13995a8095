//! Cross-validation: choosing the weight of the penalty by how well environments that were left
//! out of training are predicted.

use nalgebra::{DMatrix, DVector};

use crate::dil::environments::Environments;
use crate::matrix::points::Points;
use crate::{Dataset, Error, Score, Surrogate};

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
/// inputs serve where none are known.
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
    let labels = environments.labels(&Points::from_rows(data.x()), seed)?;
    let count = labels.iter().max().map_or(0, |last| last + 1);
    if count < 2 {
        return Err(Error::OneEnvironment);
    }
    let mut tried = Vec::new();
    for &lambda in lambdas {
        let surrogate = with(lambda);
        let mut errors = 0.0;
        for left_out in 0..count {
            let (rest, test) = (
                pick(data, &labels, |label| label != left_out)?,
                pick(data, &labels, |label| label == left_out)?,
            );
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surrogate::{Model, Prediction, Slope};
    use crate::{Ending, Summary};

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
                summary: Summary {
                    surrogate: "offset",
                    hyperparameters: Vec::new(),
                    objective: 0.0,
                    ending: Ending::Converged,
                    jitter: 0.0,
                    evaluations: 1,
                    environments: None,
                },
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

        fn slope(&self, _x: &[f64]) -> Option<Slope> {
            None
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
}

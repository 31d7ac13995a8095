//! Cluster mean: the least that a method which knows of clusters must beat. It predicts the mean
//! of the training targets in the nearest cluster, and their spread there.

use nalgebra::{DMatrix, DVector};

use crate::dil::environments::{Environments, centres, nearest};
use crate::matrix::rows;
use crate::surrogate::{Standardisation, expect_dimensions};
use crate::{Dataset, Error, Hyperparameter, Model, Prediction, Slope, Summary, Surrogate};

/// The mean of the nearest of some clusters of the inputs as given. A baseline of the tables, not
/// one of [`crate::NAMES`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterMean {
    /// Where clusters come from.
    pub environments: Environments,
}

impl Default for ClusterMean {
    fn default() -> Self {
        Self {
            environments: Environments::Clusters(2),
        }
    }
}

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
        let labels = self.environments.labels(data.x(), seed)?;
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

    fn slope(&self, _x: &[f64]) -> Option<Slope> {
        None
    }

    fn summary(&self) -> &Summary {
        &self.summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cluster_predicts_its_own_mean_and_spread() {
        let x = DMatrix::from_column_slice(5, 1, &[0.0, 0.2, 9.0, 9.1, 9.2]);
        let y = DVector::from_row_slice(&[1.0, 3.0, 10.0, 10.0, 13.0]);
        let data = Dataset::new(x, y).unwrap();
        let model = ClusterMean::default().fit(&data, 0).unwrap();
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

//! Forest: the average of regression trees, each grown on a bootstrap of the data.
//!
//! Breiman, "Random Forests", *Machine Learning* 45 (2001); settings as scikit-learn's
//! `RandomForestRegressor` but with 50 trees: every coordinate at every split, leaves down to one
//! point. The standard deviation is the spread of the trees' means, which is how far the trees
//! disagree and not a probability statement; that of an observation adds the mean variance
//! within leaves (Hutter et al., *Artificial Intelligence* 206, 2014, section 4.3.2). The mean is
//! a step function: there is no slope.

mod tree;

use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::baselines::forest::tree::Tree;
use crate::matrix::points::Points;
use crate::surrogate::standardise::Standardisation;
use crate::{Dataset, Ending, Error, Hyperparameter, Model, Prediction, Slope, Summary, Surrogate};

/// The settings of a random forest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomForest {
    /// Trees grown, at least 1. Default 50.
    pub trees: usize,
}

impl Default for RandomForest {
    fn default() -> Self {
        Self { trees: 50 }
    }
}

/// A grown forest.
#[derive(Debug)]
struct Forest {
    trees: Vec<Tree>,
    dimensions: usize,
    units: Standardisation,
    summary: Summary,
}

impl Surrogate for RandomForest {
    fn name(&self) -> &'static str {
        "rf"
    }

    fn fit(&self, data: &Dataset, seed: u64) -> Result<Box<dyn Model>, Error> {
        Error::unless_counted(self.name(), ("trees", self.trees))?;
        let points = Points::from_rows(data.x());
        let units = Standardisation::of(data.y());
        let targets = units.apply(data.y());
        let n = data.len();
        let trees: Vec<Tree> = (0..self.trees)
            .map(|index| {
                let mut random = ChaCha8Rng::seed_from_u64(seed);
                random.set_stream(index as u64);
                let sample = (0..n).map(|_| random.random_range(0..n)).collect();
                Tree::grow(&points, targets.as_slice(), sample)
            })
            .collect();
        let summary = self.summarise(&trees, &points, &targets);
        Ok(Box::new(Forest {
            trees,
            dimensions: points.dimensions(),
            units,
            summary,
        }))
    }
}

impl RandomForest {
    fn summarise(&self, trees: &[Tree], points: &Points, targets: &DVector<f64>) -> Summary {
        let leaves: usize = trees.iter().map(Tree::leaves).sum();
        let errors = points.iter().zip(targets.iter());
        let squares: f64 = errors
            .map(|(x, y)| (average(trees, x).mean - y).powi(2))
            .sum();
        let count = trees.len() as f64;
        Summary {
            surrogate: self.name(),
            hyperparameters: vec![
                Hyperparameter::new("trees", count),
                Hyperparameter::new("mean_leaves", leaves as f64 / count),
            ],
            objective: squares / points.len() as f64,
            ending: Ending::Converged,
            jitter: 0.0,
            evaluations: trees.len() as u64,
            environments: None,
        }
    }
}

/// What the trees say together about one point, on standardised targets.
struct Average {
    mean: f64,
    /// Variance of the trees' means.
    between: f64,
    /// Mean of the leaves' variances.
    within: f64,
}

fn average(trees: &[Tree], x: &[f64]) -> Average {
    let count = trees.len() as f64;
    let leaves = trees.iter().map(|tree| tree.leaf(x));
    let mean = leaves.clone().map(|leaf| leaf.mean).sum::<f64>() / count;
    let between = leaves.clone().map(|leaf| (leaf.mean - mean).powi(2));
    Average {
        mean,
        between: between.sum::<f64>() / count,
        within: leaves.map(|leaf| leaf.variance).sum::<f64>() / count,
    }
}

impl Model for Forest {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        let fitted = self.dimensions;
        let given = x.ncols();
        assert_eq!(
            given, fitted,
            "the model was fitted to points of {fitted} coordinates, not {given}"
        );
        let points = Points::from_rows(x);
        let said: Vec<Average> = points.iter().map(|x| average(&self.trees, x)).collect();
        let Standardisation { mean, scale } = self.units;
        let collect = |entry: &dyn Fn(&Average) -> f64| {
            DVector::from_iterator(said.len(), said.iter().map(entry))
        };
        Prediction {
            mean: collect(&|a| mean + scale * a.mean),
            std: Some(collect(&|a| scale * a.between.sqrt())),
            observation_std: Some(collect(&|a| scale * (a.between + a.within).sqrt())),
        }
    }

    fn slope(&self, _x: &[f64]) -> Option<Slope> {
        None
    }

    fn summary(&self) -> &Summary {
        &self.summary
    }
}

//! Mlp: a neural network of one or more hidden layers, fitted by gradient descent.
//!
//! `f(x) = b + sum_h w_h tanh(b_h + W_h . x)` (further layers likewise) on z-scored inputs and
//! standardised targets, by default one layer of 100 units, minimising
//! `1/(2n) sum (f(x_i) - y_i)^2 + decay/(2n) sum of squared weights` by Adam on all points at once. Weights start as in Glorot and Bengio (AISTATS 2010). The loss
//! and decay are those of scikit-learn's `MLPRegressor`; tanh (not its ReLU) gives the mean a
//! continuous slope. The network claims no uncertainty.

use nalgebra::{DMatrix, DVector};

use crate::baselines::network::{Adam, Shape};
use crate::surrogate::{Standardisation, ZScores, expect_dimensions};
use crate::{Dataset, Ending, Error, Hyperparameter, Model, Prediction, Slope, Summary, Surrogate};

/// The settings of the network.
#[derive(Debug, Clone, PartialEq)]
pub struct Mlp {
    /// Units of each hidden layer, from the inputs on: at least one layer, each of at least 1.
    /// Default one of 100.
    pub hidden: Vec<usize>,
    /// Length of Adam's steps, above 0. Default 0.01.
    pub rate: f64,
    /// Weight of the squared weights, 0 or more. Default 1e-4.
    pub decay: f64,
    /// Steps at most. Default 400.
    pub steps: u64,
    /// Training has converged when for `patience` steps no loss was lower than the lowest
    /// before by `tolerance`. Default 1e-5.
    pub tolerance: f64,
    /// See `tolerance`. Default 20.
    pub patience: u64,
}

impl Default for Mlp {
    fn default() -> Self {
        Self {
            hidden: vec![100],
            rate: 0.01,
            decay: 1e-4,
            steps: 400,
            tolerance: 1e-5,
            patience: 20,
        }
    }
}

impl Surrogate for Mlp {
    fn name(&self) -> &'static str {
        "mlp"
    }

    fn fit(&self, data: &Dataset, seed: u64) -> Result<Box<dyn Model>, Error> {
        self.check()?;
        let units = Standardisation::of(data.y());
        let columns = ZScores::of(data.x());
        let x = columns.apply(data.x());
        let shape = Shape {
            inputs: data.dimensions(),
            hidden: self.hidden.clone(),
        };
        let (weights, summary) = self.train(&shape, &x, &units.apply(data.y()), seed)?;
        Ok(Box::new(Fitted {
            shape,
            weights,
            columns,
            units,
            summary,
        }))
    }
}

impl Mlp {
    /// Descends from random weights; the weights of the lowest loss seen are kept.
    fn train(
        &self,
        shape: &Shape,
        x: &DMatrix<f64>,
        y: &DVector<f64>,
        seed: u64,
    ) -> Result<(Vec<f64>, Summary), Error> {
        let ended = |weights, loss, evaluations, ending| {
            let summary = Summary {
                evaluations,
                ending,
                ..Summary::new(self.name(), self.hyperparameters(), loss)
            };
            Ok((weights, summary))
        };
        let mut weights = shape.initial_weights(seed);
        let mut adam = Adam::new(self.rate, weights.len());
        let mut best = (f64::INFINITY, weights.clone());
        let mut milestone = (f64::INFINITY, 0);
        for step in 0..self.steps {
            let (loss, gradient) = shape.loss(&weights, x, y, self.decay);
            if !loss.is_finite() {
                return Err(Error::TrainingDiverged {
                    surrogate: self.name(),
                    steps: step,
                });
            }
            if loss < best.0 {
                best = (loss, weights.clone());
            }
            if loss < milestone.0 - self.tolerance {
                milestone = (loss, step);
            } else if step - milestone.1 >= self.patience {
                return ended(best.1, best.0, step + 1, Ending::Converged);
            }
            adam.step(&mut weights, &gradient);
        }
        ended(best.1, best.0, self.steps, Ending::Budget)
    }

    /// The units of each layer (of one alone as `hidden`), and the decay.
    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let units = self.hidden.iter().enumerate().map(|(index, units)| {
            let name = match self.hidden.len() {
                1 => "hidden".to_owned(),
                _ => format!("hidden_{}", index + 1),
            };
            Hyperparameter::new(name, *units as f64)
        });
        units
            .chain([Hyperparameter::new("decay", self.decay)])
            .collect()
    }

    fn check(&self) -> Result<(), Error> {
        let name = self.name();
        Error::unless_counted(name, ("hidden layers", self.hidden.len()))?;
        for units in &self.hidden {
            Error::unless_counted(name, ("hidden", *units))?;
        }
        Error::unless_counted(name, ("steps", self.steps as usize))?;
        Error::unless_positive(name, ("rate", self.rate))?;
        Error::unless_not_negative(name, ("decay", self.decay))
    }
}

/// A fitted network.
#[derive(Debug)]
struct Fitted {
    shape: Shape,
    weights: Vec<f64>,
    /// How each input column is z-scored.
    columns: ZScores,
    units: Standardisation,
    summary: Summary,
}

impl Model for Fitted {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        expect_dimensions(x.ncols(), self.shape.inputs);
        let means = self.shape.means(&self.weights, &self.columns.apply(x));
        Prediction {
            mean: means.map(|mean| self.units.mean + self.units.scale * mean),
            std: None,
            observation_std: None,
        }
    }

    fn slope(&self, x: &[f64]) -> Option<Slope> {
        expect_dimensions(x.len(), self.shape.inputs);
        let scored = (self.columns).apply(&DMatrix::from_row_slice(1, x.len(), x));
        let (mean, gradient) = self.shape.slope(&self.weights, &scored);
        let scale = self.units.scale;
        let by_column = gradient.iter().zip(&self.columns.0);
        Some(Slope {
            mean: self.units.mean + scale * mean,
            std: None,
            mean_gradient: by_column.map(|(g, c)| scale * g / c.scale).collect(),
            std_gradient: None,
        })
    }

    fn summary(&self) -> &Summary {
        &self.summary
    }
}

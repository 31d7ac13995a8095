//! Units: inputs and targets as multiples of their standard deviation in the training set, and back.

use dilgp::{Dataset, Model, Prediction};
use nalgebra::{DMatrix, DVector};

use crate::error::Error;

/// Mean and standard deviation of every column of the training set; 0 and 1 where nothing is to be
/// scaled.
pub struct Units {
    inputs: Vec<(f64, f64)>,
    target: (f64, f64),
}

impl Units {
    /// Those of a training set.
    pub fn of(train: &Dataset, scaled: bool) -> Self {
        let moments = |column: &DVector<f64>| {
            let n = column.len() as f64;
            let mean = column.sum() / n;
            let spread = (column.map(|v| (v - mean).powi(2)).sum() / n).sqrt();
            // A constant column stays as it is; its deviation is rounding.
            let varies = spread > 1e-13 * column.amax() && spread.is_finite();
            (mean, if varies { spread } else { 1.0 })
        };
        if !scaled {
            return Self {
                inputs: vec![(0.0, 1.0); train.dimensions()],
                target: (0.0, 1.0),
            };
        }
        let columns = train.x().column_iter();
        Self {
            inputs: columns
                .map(|column| moments(&column.into_owned()))
                .collect(),
            target: moments(train.y()),
        }
    }

    fn inputs(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(x.nrows(), x.ncols(), |i, j| {
            let (mean, spread) = self.inputs[j];
            (x[(i, j)] - mean) / spread
        })
    }

    /// The data in these units.
    pub fn scale(&self, data: &Dataset) -> Result<Dataset, Error> {
        let (mean, spread) = self.target;
        let y = data.y().map(|y| (y - mean) / spread);
        Ok(Dataset::new(self.inputs(data.x()), y)?)
    }

    /// What `model` says at `x`, both in the user's units.
    pub fn predict(&self, model: &dyn Model, x: &DMatrix<f64>) -> Prediction {
        self.back(model.predict(&self.inputs(x)))
    }

    /// A prediction of targets in these units, in the user's.
    pub fn back(&self, predicted: Prediction) -> Prediction {
        let (mean, spread) = self.target;
        Prediction {
            mean: predicted.mean.map(|m| mean + spread * m),
            std: predicted.std.map(|std| std * spread),
            observation_std: predicted.observation_std.map(|std| std * spread),
        }
    }
}

//! Model: the posterior of all training points together, and a gate that says to which environment
//! a new point belongs.

use nalgebra::{DMatrix, DVector};

use crate::dil::environments::kmeans::nearest;
use crate::process::FittedProcess;
use crate::surrogate::standardise::Standardisation;
use crate::{Model, Prediction, Slope, Summary};

/// Says to which environment a point belongs: the one with the nearest centre.
#[derive(Debug)]
pub struct Gate {
    /// How each column is z-scored.
    columns: Vec<Standardisation>,
    centres: Vec<Vec<f64>>,
}

impl Gate {
    /// From the columns' units and the centres in z-scored coordinates.
    pub fn new(columns: Vec<Standardisation>, centres: Vec<Vec<f64>>) -> Self {
        Self { columns, centres }
    }

    /// The z-scored point, its environment behind it.
    fn enter<'a>(&self, x: impl Iterator<Item = &'a f64>) -> Vec<f64> {
        let units = x.zip(&self.columns);
        let mut entered: Vec<f64> = units.map(|(x, c)| (x - c.mean) / c.scale).collect();
        entered.push(nearest(&entered, &self.centres) as f64);
        entered
    }

    /// Each row of `x` so.
    fn enter_all(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        let (given, fitted) = (x.ncols(), self.columns.len());
        assert_eq!(
            given, fitted,
            "the model was fitted to points of {fitted} coordinates, not {given}"
        );
        let rows = x.row_iter().flat_map(|row| self.enter(row.iter()));
        DMatrix::from_row_iterator(x.nrows(), fitted + 1, rows.collect::<Vec<_>>())
    }
}

/// A fitted hierarchical process.
#[derive(Debug)]
pub struct Gated {
    /// Says where a point belongs.
    pub gate: Gate,
    /// The posterior of points with their environment.
    pub posterior: FittedProcess,
}

impl Model for Gated {
    fn predict(&self, x: &DMatrix<f64>) -> Prediction {
        self.posterior.predict(&self.gate.enter_all(x))
    }

    /// The slope within the environment that the point belongs to; none is defined on the border.
    fn slope(&self, x: &[f64]) -> Option<Slope> {
        let entered = self.gate.enter_all(&DMatrix::from_row_slice(1, x.len(), x));
        let slope = self.posterior.slope(entered.as_slice())?;
        let in_units = |gradient: Vec<f64>| -> Vec<f64> {
            let columns = gradient.iter().zip(&self.gate.columns);
            columns.map(|(g, column)| g / column.scale).collect()
        };
        Some(Slope {
            mean_gradient: in_units(slope.mean_gradient),
            std_gradient: slope.std_gradient.map(in_units),
            ..slope
        })
    }

    fn leave_one_out(&self) -> Option<Prediction> {
        self.posterior.leave_one_out()
    }

    fn draw(&self, x: &DMatrix<f64>, seed: u64) -> Option<DVector<f64>> {
        self.posterior.draw(&self.gate.enter_all(x), seed)
    }

    fn joint(&self, x: &DMatrix<f64>) -> Option<(DVector<f64>, DMatrix<f64>)> {
        Model::joint(&self.posterior, &self.gate.enter_all(x))
    }

    fn summary(&self) -> &Summary {
        self.posterior.summary()
    }
}

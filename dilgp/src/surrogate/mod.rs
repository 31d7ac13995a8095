//! Surrogate: a way to learn y from x; fitting one to a dataset returns a model.
//!
//! A surrogate holds settings only and a model holds everything learnt, so nothing is ever half
//! fitted. Inputs are expected on a common scale (the unit cube, or z-scored columns): every
//! family but the forest and the network compares coordinates with each other. Targets are
//! standardised inside `fit`; predictions are in the caller's units.

pub mod standardise;
pub mod summary;

use nalgebra::{DMatrix, DVector};

use crate::{Error, Summary};

/// Points and the values observed at them: finite, and at least one.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    x: DMatrix<f64>,
    y: DVector<f64>,
}

impl Dataset {
    /// Checks and keeps `x` (n rows, one point each, by d columns) and `y` (n targets).
    ///
    /// # Errors
    /// No rows or no columns, as many targets as rows not given, or a number that is not finite
    /// (the first is named by row and column).
    pub fn new(x: DMatrix<f64>, y: DVector<f64>) -> Result<Self, Error> {
        let (rows, columns) = x.shape();
        if rows == 0 || columns == 0 {
            return Err(Error::EmptyDataset { rows, columns });
        }
        if y.len() != rows {
            return Err(Error::RowsDiffer {
                inputs: rows,
                targets: y.len(),
            });
        }
        for row in 0..rows {
            for column in 0..columns {
                let value = x[(row, column)];
                if !value.is_finite() {
                    return Err(Error::NonFiniteInput { row, column, value });
                }
            }
            let value = y[row];
            if !value.is_finite() {
                return Err(Error::NonFiniteTarget { row, value });
            }
        }
        Ok(Self { x, y })
    }

    /// The inputs: one row a point, one column a coordinate.
    pub fn x(&self) -> &DMatrix<f64> {
        &self.x
    }

    /// The targets, one for each row of [`Dataset::x`].
    pub fn y(&self) -> &DVector<f64> {
        &self.y
    }

    /// Number of points, at least 1.
    #[allow(clippy::len_without_is_empty)] // a dataset is never empty
    pub fn len(&self) -> usize {
        self.y.len()
    }

    /// Number of coordinates of a point, at least 1.
    pub fn dimensions(&self) -> usize {
        self.x.ncols()
    }
}

/// What a model says about some points, in the units of the targets it was fitted to.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// Expected value at each point.
    pub mean: DVector<f64>,
    /// Standard deviation of the latent function; `None` where the model claims none.
    pub std: Option<DVector<f64>>,
    /// Standard deviation of a new observation: that of the function and of the noise.
    pub observation_std: Option<DVector<f64>>,
}

/// What a model says about one point, with derivatives along each coordinate.
#[derive(Debug, Clone, PartialEq)]
pub struct Slope {
    /// Expected value.
    pub mean: f64,
    /// Standard deviation of the latent function; `None` where the model claims none.
    pub std: Option<f64>,
    /// d mean / d x, one entry a coordinate.
    pub mean_gradient: Vec<f64>,
    /// d std / d x; zero where std is zero and has no derivative.
    pub std_gradient: Option<Vec<f64>>,
}

/// Something fitted: it predicts, and remembers how it came about.
pub trait Model: Send + Sync {
    /// Mean and standard deviations at the rows of `x`, from one pass.
    ///
    /// # Panics
    /// If `x` has not as many columns as the data the model was fitted to.
    fn predict(&self, x: &DMatrix<f64>) -> Prediction;

    /// The means of [`Model::predict`] alone, bit for bit, which may take far less.
    ///
    /// # Panics
    /// If `x` has not as many columns as the data the model was fitted to.
    fn means(&self, x: &DMatrix<f64>) -> DVector<f64> {
        self.predict(x).mean
    }

    /// Mean, standard deviation and their gradients at one point; `None` from a model that is
    /// not differentiable.
    ///
    /// # Panics
    /// If `x` has not as many coordinates as the data the model was fitted to.
    fn slope(&self, x: &[f64]) -> Option<Slope>;

    /// What the model would have predicted at each training point had that point been left out,
    /// the hyper-parameters kept; `None` from a model that has no closed form for it.
    fn leave_one_out(&self) -> Option<Prediction> {
        None
    }

    /// One function drawn from the posterior, seen at the rows of `x` together, without noise; the
    /// same for the same seed. `None` from a model that cannot draw.
    ///
    /// # Panics
    /// If `x` has not as many columns as the data the model was fitted to.
    fn draw(&self, _x: &DMatrix<f64>, _seed: u64) -> Option<DVector<f64>> {
        None
    }

    /// Mean and covariance of the latent function at the rows of `x` together; `None` from a model
    /// that has none in closed form.
    ///
    /// # Panics
    /// If `x` has not as many columns as the data the model was fitted to.
    fn joint(&self, _x: &DMatrix<f64>) -> Option<(DVector<f64>, DMatrix<f64>)> {
        None
    }

    /// The hyper-parameters found, and how the search for them ended.
    fn summary(&self) -> &Summary;
}

/// A way to learn y from x.
pub trait Surrogate: Send + Sync {
    /// The name it goes by, one of [`crate::NAMES`].
    fn name(&self) -> &'static str;

    /// Learns from `data`. The same seed and data give the same model, bit for bit.
    ///
    /// # Errors
    /// A setting out of range, or numbers that defeat the method (a covariance that cannot be
    /// factorised); never a panic.
    fn fit(&self, data: &Dataset, seed: u64) -> Result<Box<dyn Model>, Error>;
}

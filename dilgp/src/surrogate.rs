//! Surrogate: a way to learn y from x; fitting one to a dataset returns a model.
//!
//! A surrogate holds settings only and a model holds everything learnt, so nothing is ever half
//! fitted. Inputs are expected on a common scale (the unit cube, or z-scored columns): every
//! family but the forest and the network compares coordinates with each other. Targets are
//! standardised inside `fit`; predictions are in the caller's units.

use std::borrow::Cow;

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use crate::Error;

/// Points and the values observed at them: finite, and at least one.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    x: DMatrix<f64>,
    y: DVector<f64>,
    errors: Option<DVector<f64>>,
    counts: Option<DVector<f64>>,
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
        Ok(Self {
            x,
            y,
            errors: None,
            counts: None,
        })
    }

    /// The same where each target is the mean of so many observations, each at least 1: a [`crate::Process`] takes
    /// its noise for as much smaller; other surrogates do not weigh it.
    ///
    /// # Errors
    /// Not one count for each target, or one below 1 or not finite.
    pub fn with_counts(self, counts: DVector<f64>) -> Result<Self, Error> {
        self.check_rows(&counts, 1.0)?;
        let counts = Some(counts);
        Ok(Self { counts, ..self })
    }

    /// How many observations each target is the mean of, where it is said.
    pub fn counts(&self) -> Option<&DVector<f64>> {
        self.counts.as_ref()
    }

    /// The same where each target has a standard error that is known, in the unit of the targets: its
    /// square adds to the noise of a [`crate::Process`]; other surrogates do not weigh it.
    ///
    /// # Errors
    /// Not one error for each target, or one that is negative or not finite.
    pub fn with_errors(self, errors: DVector<f64>) -> Result<Self, Error> {
        self.check_rows(&errors, 0.0)?;
        let errors = Some(errors);
        Ok(Self { errors, ..self })
    }

    /// Refuses `given` unless it is a finite number of at least `least` for each target.
    fn check_rows(&self, given: &DVector<f64>, least: f64) -> Result<(), Error> {
        let (inputs, targets) = (given.len(), self.len());
        if inputs != targets {
            return Err(Error::RowsDiffer { inputs, targets });
        }
        let fault = given.iter().position(|v| !(v.is_finite() && *v >= least));
        fault.map_or(Ok(()), |row| {
            let value = given[row];
            Err(Error::WeightOfRow { row, value, least })
        })
    }

    /// The standard errors of the targets, where they are known.
    pub fn errors(&self) -> Option<&DVector<f64>> {
        self.errors.as_ref()
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

/// Predictions at some points, in the units of the targets it was fitted to.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// Expected value at each point.
    pub mean: DVector<f64>,
    /// Standard deviation of the latent function; `None` where the model claims none.
    pub std: Option<DVector<f64>>,
    /// Standard deviation of a new observation: that of the function and of the noise.
    pub observation_std: Option<DVector<f64>>,
}

impl Prediction {
    /// Of the mean, the variance and the variance of an observation at each point, all on targets in
    /// these `units`; the variances are not negative.
    pub(crate) fn of_moments(
        moments: impl ExactSizeIterator<Item = [f64; 3]> + Clone,
        units: Standardisation,
    ) -> Self {
        let Standardisation { mean, scale } = units;
        let n = moments.len();
        let [first, second] = [1, 2].map(|entry| {
            let variances = moments.clone().map(move |at| at[entry]);
            DVector::from_iterator(n, variances.map(|variance| scale * variance.sqrt()))
        });
        Self {
            mean: DVector::from_iterator(n, moments.map(|at| mean + scale * at[0])),
            std: Some(first),
            observation_std: Some(second),
        }
    }
}

/// Refuses points of another number of coordinates than those that a model was fitted to.
///
/// # Panics
/// If the numbers differ.
pub(crate) fn expect_dimensions(given: usize, fitted: usize) {
    assert_eq!(
        given, fitted,
        "the model was fitted to points of {fitted} coordinates, not {given}"
    );
}

/// A prediction at one point, with derivatives by each coordinate.
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

/// A fitted model: it predicts, and keeps a summary of the fit.
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
    fn slope(&self, _x: &[f64]) -> Option<Slope> {
        None
    }

    /// What the model would have predicted at each training point had that point been left out,
    /// the hyper-parameters kept; `None` from a model that has no closed form for it.
    fn leave_one_out(&self) -> Option<Prediction> {
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

/// A named number found by fitting, in the units in which the method works (standardised
/// targets, the caller's inputs).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hyperparameter {
    /// Its name, unique within one summary.
    pub name: Cow<'static, str>,
    /// Its value, on its natural (not logarithmic) scale.
    pub value: f64,
}

impl Hyperparameter {
    /// A named value.
    pub fn new(name: impl Into<Cow<'static, str>>, value: f64) -> Self {
        Self {
            name: name.into(),
            value,
        }
    }
}

/// Values by their names.
pub(crate) fn named(
    names: impl IntoIterator<Item = Cow<'static, str>>,
    values: impl IntoIterator<Item = f64>,
) -> Vec<Hyperparameter> {
    let both = names.into_iter().zip(values);
    both.map(|(name, value)| Hyperparameter::new(name, value))
        .collect()
}

/// How training ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The optimiser's tolerance was met, or the method has no loop that could fail to finish.
    Converged,
    /// The evaluation or step budget ran out first; the best point seen is used.
    Budget,
    /// The line search found no further descent; the best point seen is used.
    Stalled,
}

/// What a fit found and how it ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the surrogate that was fitted.
    pub surrogate: &'static str,
    /// What was found, in a fixed order.
    pub hyperparameters: Vec<Hyperparameter>,
    /// Final value of what training minimised (for Gaussian processes in nats, priors
    /// included; for the network the regularised mean squared error; for the forest the
    /// training mean squared error), on standardised targets.
    pub objective: f64,
    /// How training ended.
    pub ending: Ending,
    /// What had to be added to the covariance diagonal, on standardised targets; 0 if nothing.
    pub jitter: f64,
    /// Evaluations of the objective, all starts together.
    pub evaluations: u64,
    /// For a model that infers environments: each training point's weight in environment 0,
    /// in 0..1, in the order of the training rows (`1 -` it is the weight in environment 1).
    pub environments: Option<Vec<f64>>,
}

impl Summary {
    /// Of a method without covariance or environments, converged at its only evaluation.
    pub(crate) fn new(
        surrogate: &'static str,
        hyperparameters: Vec<Hyperparameter>,
        objective: f64,
    ) -> Self {
        Self {
            surrogate,
            hyperparameters,
            objective,
            ending: Ending::Converged,
            jitter: 0.0,
            evaluations: 1,
            environments: None,
        }
    }

    /// The hyper-parameter of that name, if the model has it.
    pub fn hyperparameter(&self, name: &str) -> Option<f64> {
        let mut all = self.hyperparameters.iter();
        all.find(|entry| entry.name == name)
            .map(|entry| entry.value)
    }
}

/// Spread below this multiple of the largest target is rounding, not variation.
const SMALLEST_RELATIVE_SPREAD: f64 = 1e-13;

/// The shift and scale between the caller's units and standardised ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standardisation {
    /// Mean of the targets, in the caller's units.
    pub mean: f64,
    /// Their standard deviation (over n, not n - 1); 1 where the targets are constant.
    pub scale: f64,
}

impl Standardisation {
    /// Targets as they are.
    pub const NONE: Self = Self {
        mean: 0.0,
        scale: 1.0,
    };

    /// That of `y`, which must not be empty. Works for targets of any finite magnitude.
    pub fn of(y: &DVector<f64>) -> Self {
        let n = y.len() as f64;
        let largest = y.amax();
        if largest == 0.0 {
            return Self::NONE;
        }
        // In units of the largest target, so that no square over- or underflows.
        let mean = y.iter().map(|y| y / largest).sum::<f64>() / n;
        let variance = y.iter().map(|y| (y / largest - mean).powi(2)).sum::<f64>() / n;
        let spread = variance.sqrt();
        let scale = spread * largest;
        Self {
            mean: mean * largest,
            scale: if spread > SMALLEST_RELATIVE_SPREAD && scale >= f64::MIN_POSITIVE {
                scale
            } else {
                1.0
            },
        }
    }

    /// The targets with mean 0 and, unless constant, variance 1.
    pub fn apply(&self, y: &DVector<f64>) -> DVector<f64> {
        y.map(|y| (y - self.mean) / self.scale)
    }
}

/// Every column of `x` in units of its own, by [`Standardisation::of`].
#[derive(Debug, Clone)]
pub(crate) struct ZScores(pub Vec<Standardisation>);

impl ZScores {
    /// Those of the columns of `x`.
    pub fn of(x: &DMatrix<f64>) -> Self {
        let columns = x.column_iter();
        let units = columns.map(|column| Standardisation::of(&column.into_owned()));
        Self(units.collect())
    }

    /// `x` in these units.
    pub fn apply(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(x.nrows(), x.ncols(), |i, j| {
            (x[(i, j)] - self.0[j].mean) / self.0[j].scale
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_any_magnitude_get_mean_zero_and_variance_one() {
        for magnitude in [1e-300, 1e-12, 1.0, 1e12, 1e300] {
            let y = DVector::from_vec(vec![1.0, 2.0, 4.0, 9.0]) * magnitude;
            let units = Standardisation::of(&y);
            let z = units.apply(&y);
            approx::assert_abs_diff_eq!(z.mean(), 0.0, epsilon = 1e-14);
            approx::assert_relative_eq!(z.norm_squared() / 4.0, 1.0, max_relative = 1e-12);
        }
    }

    #[test]
    fn constant_targets_have_scale_one_even_where_their_mean_is_rounded() {
        for value in [0.0, 0.1, -7.3e11] {
            let units = Standardisation::of(&DVector::from_element(7, value));
            assert_eq!(units.scale, 1.0);
            approx::assert_relative_eq!(units.mean, value, max_relative = 1e-15);
        }
    }
}

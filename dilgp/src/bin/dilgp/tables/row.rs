//! Row: how one method did over all seeds, and the columns of rows that a table has.

use serde::Serialize;

use crate::statistics::{Mean, Paired};
use crate::tables::paper::Printed;

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The method's key.
    pub key: &'static str,
    /// Its name.
    pub method: &'static str,
    /// RMSE as the paper prints it.
    pub published_rmse: Option<Printed>,
    /// Coverage as the paper prints it.
    pub published_coverage: Option<Printed>,
    /// RMSE measured.
    pub rmse: Option<Mean>,
    /// Coverage measured.
    pub coverage: Option<Mean>,
    /// Negative log predictive density measured, in nats.
    pub nlpd: Option<Mean>,
    /// RMSE less that of the ML-II Gaussian process on the same data.
    pub against_ml2: Option<Paired>,
    /// RMSE less that of the Gaussian process trained as the authors do.
    pub against_released_gp: Option<Paired>,
    /// Mean share of observations within the central intervals of the table's levels.
    pub calibration: Option<Vec<f64>>,
    /// RMSE of each seed, in order; none where the fit failed.
    pub rmse_by_seed: Vec<Option<f64>>,
}

/// Rows for one test set.
#[derive(Debug, Serialize)]
pub struct Column {
    /// Name of the test set.
    pub name: String,
    /// One for each method.
    pub rows: Vec<Row>,
}

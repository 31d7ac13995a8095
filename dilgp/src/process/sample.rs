//! Sample: what a process is conditioned on.

use nalgebra::DVector;

use super::covariance::Columns;
use crate::Dataset;
use crate::surrogate::standardise::Standardisation;

/// Points, and their targets in units of their own.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub points: Columns,
    pub residuals: DVector<f64>,
    pub units: Standardisation,
}

impl Sample {
    /// The points of `data`, and its targets with mean 0 and deviation 1.
    pub fn of(data: &Dataset) -> Self {
        Self::in_units(data, Standardisation::of(data.y()))
    }

    /// The points of `data`, and its targets in `units`.
    pub fn in_units(data: &Dataset, units: Standardisation) -> Self {
        Self {
            points: Columns::from_rows(data.x().clone()),
            residuals: units.apply(data.y()),
            units,
        }
    }
}

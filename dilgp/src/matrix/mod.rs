//! Matrix: factorisations, elementary functions over whole columns, and points row by row.

pub mod cholesky;
pub mod lanes;

use nalgebra::DMatrix;

/// The rows of `x`, for what looks at whole points.
pub(crate) fn rows(x: &DMatrix<f64>) -> Vec<Vec<f64>> {
    let rows = x.row_iter();
    rows.map(|row| row.iter().copied().collect()).collect()
}

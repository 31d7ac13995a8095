//! Matrix: factorisations, elementary functions over whole columns, and points row by row.

pub mod cholesky;
pub mod lanes;
pub mod points;

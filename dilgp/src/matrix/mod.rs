//! Matrix: factorisations and elementary functions over whole columns.

pub mod cholesky;
pub mod lanes;

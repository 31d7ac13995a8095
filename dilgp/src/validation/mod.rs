//! Validation: how well a surrogate predicts what it has not seen.

pub mod cluster_mean;
pub mod cross_validation;
pub mod score;
pub mod synthetic;

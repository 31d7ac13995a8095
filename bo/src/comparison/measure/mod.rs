//! Measure: how good the search is on functions whose best value is known.

pub mod benchmark;
pub mod regret;

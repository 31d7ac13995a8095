//! Work: how the cells of a comparison are worked out.

mod baselines;
pub mod flying;
pub mod times;
mod tuner;

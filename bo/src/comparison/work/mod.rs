//! Work: how the cells of a comparison are worked out.

mod baselines;
pub mod flying;
mod process;
mod program;
pub mod times;
mod tuner;

//! Baselines: surrogates that are no processes, which the paper compares with.

pub mod forest;
pub mod mlp;
mod network;

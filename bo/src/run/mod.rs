//! Run: one study carried out, and what stays of it on disk.

pub mod bayesian;
pub mod disk;
pub mod estimate;
pub mod partial_dependence;
pub mod perform;
pub mod progress;
pub mod settings;
pub mod tune;

//! Run: one study carried out, and what stays of it on disk.

pub mod along;
pub mod bayesian;
pub mod concerns;
pub mod disk;
pub mod estimate;
pub mod perform;
pub mod progress;
pub mod settings;
pub mod tune;

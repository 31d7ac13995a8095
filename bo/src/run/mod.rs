//! Run: one study carried out, and what stays of it on disk.

pub mod along;
pub mod archive;
pub mod bayesian;
pub mod estimate;
pub mod folder;
pub mod journal;
pub mod manifest;
pub mod perform;
pub mod progress;
pub mod record;
pub mod settings;
pub mod tune;
pub mod tuned_gains;

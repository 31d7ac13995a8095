//! Run: one study carried out, and what stays of it on disk.

pub mod finished;
pub mod folder;
pub mod journal;
pub mod manifest;
pub mod perform;
pub mod progress;
pub mod record;
pub mod recorded;

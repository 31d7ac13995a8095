//! Disk: what stays of a run, and how it is read again.
//!
//! * [`folder`]: where it lies
//! * [`journal`]: every evaluation, on the disk before the next begins
//! * [`record`] is `run.json`
//! * [`tuned_gains`]: the gains as files
//! * [`archive`]: a finished run, read again

pub mod archive;
pub mod folder;
pub mod journal;
pub mod record;
pub mod tuned_gains;

//! Analysis: what a run's record does not hold, worked out anew.
//!
//! * [`replays`], [`recording`], [`paths`]: flights, flown again
//! * [`oscillation`]: what shakes in them
//! * [`sensitivity`]: the error with one gain turned
//! * [`belief`], `importance`: what the surrogate expected, and how much hangs on each gain

pub mod belief;
pub(super) mod importance;
pub mod oscillation;
pub mod paths;
pub mod recording;
pub mod replays;
pub mod sensitivity;

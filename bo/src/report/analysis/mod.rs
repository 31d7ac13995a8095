//! Analysis: what a run's record does not hold, worked out anew.
//!
//! * [`replays`], [`recording`], [`paths`]: flights, flown again, also with one gain turned
//! * [`oscillation`]: what shakes in them
//! * [`belief`], `importance`: what the surrogate expected, and how much hangs on each gain

pub mod belief;
pub(super) mod importance;
pub mod oscillation;
pub mod paths;
pub mod recording;
pub mod replays;

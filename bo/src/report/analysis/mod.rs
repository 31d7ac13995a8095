//! Analysis: what a run's record does not hold, worked out anew.
//!
//! * [`replays`], [`recording`], [`paths`]: flights, flown again, also with one gain turned
//! * [`oscillation`]: what shakes in them
//! * [`prediction`], `importance`: the surrogate's predictions, and the importance of each gain

pub(super) mod importance;
pub mod oscillation;
pub mod paths;
pub mod prediction;
pub mod recording;
pub mod replays;

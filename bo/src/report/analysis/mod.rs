//! Analysis: what a run's record does not hold, worked out anew.
//!
//! * [`replays`], [`recording`], [`paths`]: flights, flown again
//! * [`oscillation`]: what shakes in them
//! * [`trade_off`]: what error costs in motor activity and margins
//! * [`prediction`], `importance`: the surrogate's predictions, and the importance of each gain

pub(super) mod importance;
pub mod oscillation;
pub mod paths;
pub mod prediction;
pub mod recording;
pub mod replays;
pub mod trade_off;

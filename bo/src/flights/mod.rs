//! Flights: what one evaluation is, and what its flights say.

pub mod context;
pub mod evaluation;
pub mod flown_path;
pub mod held_out;
pub mod margins;
pub mod problem;
pub mod space;
pub mod trust;
pub mod tuning;
pub mod verdict;
pub mod warm_start;

//! Flights: what one evaluation is, and what its flights say.

pub mod environments;
pub mod held_out;
pub mod space;
pub mod tuning;
pub mod verdict;

//! The trajectories from outside: one program, since each would bring a copy of
//! all that it is linked with.

#![allow(clippy::unwrap_used)] // helpers of tests fail by panicking

mod architecture;
mod conformance;
mod parser;
mod waypoints;

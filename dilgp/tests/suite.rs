//! The surrogates and their program from outside: one program, since each would bring a copy of
//! all that it is linked with.

#![allow(clippy::unwrap_used)] // helpers of tests fail by panicking

mod architecture;
mod columns;
mod composed;
mod conformance;
mod covariances;
mod documents;
mod errors;
mod families;
mod gradients;
mod hierarchical;
#[cfg(unix)]
mod hostile;
mod json;
mod learners;
mod parser;
mod process;
mod program;
mod released;
mod sandbox;
mod tables;
mod warnings;

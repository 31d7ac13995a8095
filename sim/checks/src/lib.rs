//! For tests only: what the tests of several crates need.

pub mod documents;
pub mod fuzzing;
pub mod help;
pub mod python;
pub mod sources;

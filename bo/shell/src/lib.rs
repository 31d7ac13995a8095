//! What several programs do alike at their edges: read what was typed and what was named, claim a
//! folder, say lines that steer no terminal, show progress, state intervals, and end with an exit
//! code that means the same everywhere.
//!
//! Libraries take what stands without the feature `program`: names that were mistyped, lines of
//! bounded length, the checksum of bytes, and the seeds of random streams.

#[cfg(feature = "program")]
pub mod cells;
pub mod checksum;
pub mod exit;
#[cfg(feature = "program")]
mod failure;
#[cfg(feature = "program")]
pub mod files;
#[cfg(feature = "program")]
pub mod folder;
#[cfg(feature = "program")]
mod help;
#[cfg(feature = "program")]
pub mod interrupt;
pub mod lines;
#[cfg(feature = "program")]
pub mod manifest;
#[cfg(feature = "program")]
pub mod manual;
pub mod names;
#[cfg(feature = "program")]
pub mod progress;
pub mod seeds;
#[cfg(feature = "statistics")]
pub mod statistics;
#[cfg(feature = "program")]
pub mod table;
#[cfg(feature = "program")]
pub mod terminal;
#[cfg(feature = "program")]
pub mod token;
#[cfg(feature = "program")]
pub mod usage;

#[cfg(feature = "program")]
pub use failure::Failure;

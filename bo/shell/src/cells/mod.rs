//! Cells: a fixed amount of work, divided into named pieces that any number of processes on any
//! number of machines work out in one folder.
//!
//! ```text
//! plan.json          what all cells share
//! asked/CRC.json     the names of the cells that somebody asked for
//! cells/KEY.json     a finished cell
//! claims/KEY.json    who is at work on a cell
//! parts/             files that are being written
//! failed/KEY.json    why a cell failed, until it is done
//! differing/         what a cell came to that another process had finished with other bytes
//! engine/            scripts, task lists and logs of an engine
//! drain.json         the last request to finish what runs and begin nothing more
//! ```
//!
//! Nothing is asked of the file system but that a file can be made that was not there, and that one
//! can be renamed. A cell depends on its name and on the plan alone, so who works it out, and how
//! often, makes no difference: a cell that is finished twice must have the same bytes, and where it
//! has not, a machine is at fault and says so. A claim only saves work.

pub mod args;
mod claim;
mod engine;
mod owner;
mod place;
mod runner;
mod seal;
mod status;
mod store;
#[cfg(test)]
mod tests;
mod workers;

pub use engine::Engine;
pub use runner::{Runner, Work};
pub use seal::{Exact, Stamp};
pub use store::{CELLS, PLAN, ResultStore, Rules};
pub use workers::Cell;

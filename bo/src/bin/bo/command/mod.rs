//! The commands of the program: each claims its folder, works, writes and reports the outcome.

mod bench;
mod check;
mod compare;
mod config;
mod export;
mod open;
mod report;
mod serve;
mod show;
mod tune;
mod verify;
mod worker;

pub use bench::{bench, regret};
pub use check::check;
pub use compare::compare;
pub use config::config;
pub use export::export;
pub use open::open;
pub use report::report;
pub use serve::serve;
pub use show::{list, show};
pub use tune::tune;
pub use verify::verify;
pub use worker::worker;

use bo::Error;
use bo::run::disk::folder;
use shell::folder::Folder;
use shell::{Failure, exit};
use std::path::{Path, PathBuf};

/// Where runs without --out go.
const RUNS: &str = "runs";

/// Starts as many threads as were asked for, for all work of this process; before any of it is divided
/// among threads.
fn start_threads(threads: usize) -> Result<(), Failure> {
    dilgp::threads::start(threads).map_err(Failure::threads)
}

/// The folder that was asked for, or the next free automatic one below `runs`.
fn claim(out: Option<&PathBuf>, automatic: &str) -> Result<Folder, Error> {
    match out {
        Some(path) => folder::claim(path),
        None => Ok(Folder::claim_next(Path::new(RUNS), automatic)?),
    }
}

/// That a file that would be written exists.
fn taken_already(path: &Path) -> Failure {
    let path = path.display();
    let line = format!("{path} exists; name another with --out, nothing was overwritten");
    Failure::new(line, exit::CANNOT_CREATE)
}

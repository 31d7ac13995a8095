//! The commands of the program: each claims its folder, works, writes and says what came of it.

mod bench;
mod compare;
mod completions;
mod config;
mod export;
mod regret;
mod report;
mod serve;
mod tune;
mod verify;

pub use bench::bench;
pub use compare::compare;
pub use completions::completions;
pub use config::config;
pub use export::export;
pub use regret::regret;
pub use report::report;
pub use serve::serve;
pub use tune::tune;
pub use verify::verify;

use bo::Error;
use bo::run::folder::Folder;
use std::path::{Path, PathBuf};

/// The folder that was asked for, or the next free automatic one below `runs`.
fn claim(out: Option<&PathBuf>, automatic: &str) -> Result<Folder, Error> {
    match out {
        Some(path) => Folder::claim(path),
        None => Folder::claim_next(Path::new("runs"), automatic),
    }
}

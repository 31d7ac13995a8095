//! The commands of the program: each claims its folder, works, writes and says what came of it.

mod compare;
mod export;
mod tune;

pub use compare::compare;
pub use export::export;
pub use tune::tune;

use crate::Error;
use crate::folder::Folder;
use std::path::{Path, PathBuf};

/// The folder that was asked for, or the next free automatic one below `runs`.
fn claim(out: Option<&PathBuf>, automatic: &str) -> Result<Folder, Error> {
    match out {
        Some(path) => Folder::claim(path),
        None => Folder::claim_next(Path::new("runs"), automatic),
    }
}

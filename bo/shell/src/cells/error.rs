//! What can go wrong with cells, besides the work in them.

use crate::folder::FolderError;
use crate::terminal::word;
use crate::{exit, names};
use std::io;
use std::path::PathBuf;

/// Names of missing cells that one line quotes.
const MOST_NAMED: usize = 3;

/// Why cells cannot be worked out, kept or merged.
#[derive(Debug, thiserror::Error)]
pub enum CellsError {
    /// The folder is occupied or cannot be made.
    #[error(transparent)]
    Folder(#[from] FolderError),

    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },

    /// There is no folder of cells.
    #[error("{} holds no cells: it has no plan.json", path.display())]
    NoStore {
        /// The folder.
        path: PathBuf,
    },

    /// A file is not what was written.
    #[error("{} is damaged: {reason}; {remedy}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
        /// What to do about it.
        remedy: &'static str,
    },

    /// The folder was begun with other settings.
    #[error(
        "{} was begun with {setting} {kept}, not {wanted}; name another folder or the same settings",
        path.display()
    )]
    OtherPlan {
        /// The folder.
        path: PathBuf,
        /// The setting that differs.
        setting: String,
        /// Its value then.
        kept: String,
        /// Its value now.
        wanted: String,
    },

    /// A finished cell was made by another build or with other arithmetic.
    #[error(
        "{} was made by {theirs}, this is {ours}: their last bits may differ; --mixed takes both, or name a new folder",
        path.display()
    )]
    Unequal {
        /// The cell's file.
        path: PathBuf,
        /// What made it.
        theirs: String,
        /// What this process is.
        ours: String,
    },

    /// A cell was finished twice by equals, with different bytes.
    #[error(
        "cell {key} came out in two ways of the same build and arithmetic: {} and {} differ, so one of two machines is at fault; remove both files and it is worked out again",
        kept.display(), other.display()
    )]
    Differing {
        /// The cell.
        key: String,
        /// What was finished first.
        kept: PathBuf,
        /// What was finished second.
        other: PathBuf,
    },

    /// No cell bears a name.
    #[error("no cell is called `{given}`: did you mean `{nearest}`? --list-cells names all")]
    Unknown {
        /// What was typed.
        given: String,
        /// The cell with the nearest name.
        nearest: String,
    },

    /// Cells are missing where all are to be merged.
    #[error(
        "{} of {cells} cells are missing: {}; `sh {}` works them out, and nothing else",
        missing.len(), named(missing), word(script)
    )]
    Missing {
        /// Their names.
        missing: Vec<String>,
        /// Cells in all.
        cells: usize,
        /// The script that works them out.
        script: PathBuf,
    },

    /// Work was stopped.
    #[error(
        "{why}; {done} of {cells} cells are kept, go on with the same command and --out {}",
        word(path)
    )]
    Stopped {
        /// "interrupted" or "drained".
        why: Why,
        /// Cells that are kept.
        done: usize,
        /// Cells asked for.
        cells: usize,
        /// The folder.
        path: PathBuf,
    },

    /// The user stopped what this process was waiting for.
    #[error("interrupted; nothing was lost, go on with the same command")]
    Interrupted {
        /// The exit code for what was asked.
        code: u8,
    },

    /// The engine could not be started, or failed.
    #[error("`sh {}` {said}; the scripts are written", word(script))]
    Engine {
        /// The script.
        script: PathBuf,
        /// The outcome.
        said: String,
    },

    /// No threads could be started.
    #[error("cannot start threads: {0}")]
    Threads(Box<dyn std::error::Error + Send + Sync>),
}

/// Why work was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// By a signal.
    Interrupted {
        /// The exit code for it.
        code: u8,
    },
    /// By a request to begin nothing more.
    Drained,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Why::Interrupted { .. } => "interrupted",
            Why::Drained => "drained",
        })
    }
}

impl CellsError {
    /// That `given` is none of `keys`.
    pub(super) fn unknown(given: &str, keys: &[String]) -> CellsError {
        let known: Vec<&str> = keys.iter().map(String::as_str).collect();
        CellsError::Unknown {
            given: given.to_owned(),
            nearest: names::nearest(given, &known).to_owned(),
        }
    }

    /// One of the codes of [`exit`].
    pub fn exit_code(&self) -> u8 {
        match self {
            CellsError::Folder(error) => error.exit_code(),
            CellsError::Write { source, .. } => exit::write_code(source),
            CellsError::NoStore { .. } => exit::NO_INPUT,
            CellsError::Damaged { .. } => exit::DATA,
            CellsError::OtherPlan { .. }
            | CellsError::Unequal { .. }
            | CellsError::Unknown { .. } => exit::USAGE,
            CellsError::Differing { .. } => exit::MACHINE,
            CellsError::Missing { .. } => exit::LEFT,
            CellsError::Interrupted { code } => *code,
            CellsError::Stopped { why, .. } => match why {
                Why::Interrupted { code } => *code,
                Why::Drained => exit::LEFT,
            },
            CellsError::Engine { .. } | CellsError::Threads(_) => exit::SOFTWARE,
        }
    }
}

/// The first names, and how many more there are.
fn named(keys: &[String]) -> String {
    let first = keys[..keys.len().min(MOST_NAMED)].join(", ");
    match keys.len().saturating_sub(MOST_NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

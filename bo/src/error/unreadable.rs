//! Unreadable: why the record of a run cannot be read.

use crate::terminal::word;
use search::Refusal;
use std::path::PathBuf;

/// Why the record of a run cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The folder holds no record of a run.
    #[error("cannot read {}: {source}; name the folder of a finished run", path.display())]
    NoRun {
        /// The record.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// The folder holds a run that did not come to its end.
    #[error(
        "{} holds an unfinished run; bring it to its end with `bo --resume {}` first",
        path.display(), word(path)
    )]
    Unfinished {
        /// The folder.
        path: PathBuf,
    },

    /// The folder holds a comparison.
    #[error("{} holds a comparison, not a run; its tables are in table.md and compare.json there", path.display())]
    Comparison {
        /// The folder.
        path: PathBuf,
    },

    /// The record is not even text.
    #[error("{} is damaged: it is not UTF-8 text; restore it, or make the run again", path.display())]
    NoText {
        /// The record.
        path: PathBuf,
    },

    /// The record of a run is not one.
    #[error("{} is damaged: {source}; restore it, or make the run again", path.display())]
    Damaged {
        /// The record.
        path: PathBuf,
        /// What the parser said.
        source: serde_json::Error,
    },

    /// The record has a form that this version does not know.
    #[error(
        "{} has the form `{given}`; this version reads windhover-run/1 to {newest}: use the version that made it, or a newer one",
        path.display()
    )]
    Schema {
        /// The record.
        path: PathBuf,
        /// The form named in the record.
        given: String,
        /// The newest form that can be read.
        newest: String,
    },

    /// Two parts of the record contradict each other.
    #[error("{} is damaged: {what} is {given}, not {wanted}; restore it, or make the run again", path.display())]
    Contradiction {
        /// The record.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
        /// As the record has it.
        given: f64,
        /// As the rest of the record demands.
        wanted: String,
    },

    /// The record holds a vehicle, gains, sensors or winds that cannot be.
    #[error("{} is damaged: {source}", path.display())]
    Vehicle {
        /// The record.
        path: PathBuf,
        /// What is wrong.
        source: sim::Error,
    },

    /// The record names a tuned gain that does not exist.
    #[error("{} is damaged: there is no gain `{name}`", path.display())]
    Knob {
        /// The record.
        path: PathBuf,
        /// The gain.
        name: String,
    },

    /// The bounds of a tuned gain are none.
    #[error("{} is damaged: {source}", path.display())]
    Bounds {
        /// The record.
        path: PathBuf,
        /// What is wrong.
        source: Refusal,
    },

    /// The trajectory is neither shipped nor kept with the run.
    #[error(
        "{}: the trajectory `{name}` is not a shipped one, and the run's config.toml does not hold it",
        path.display()
    )]
    Trajectory {
        /// The record.
        path: PathBuf,
        /// The trajectory.
        name: String,
    },

    /// The same folder was named twice.
    #[error("{} is named twice", path.display())]
    NamedTwice {
        /// The folder.
        path: PathBuf,
    },
}

impl Unreadable {
    /// 66 (`EX_NOINPUT`) where there is no run, 2 for a folder named twice, 65 (`EX_DATAERR`) for
    /// a record that cannot be used.
    pub fn exit_code(&self) -> u8 {
        match self {
            Unreadable::NoRun { source, .. } => shell::exit::read_code(source),
            Unreadable::Unfinished { .. } | Unreadable::Comparison { .. } => 66,
            Unreadable::NamedTwice { .. } => 2,
            _ => 65,
        }
    }
}

//! What can end a command early, with the exit code that tells a shell which kind it was.

use std::path::PathBuf;

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The trajectory asked for does not exist.
    #[error(transparent)]
    Trajectory(#[from] trajectories::UnknownTrajectory),

    /// The surrogate asked for does not exist, or cannot be built.
    #[error(transparent)]
    Surrogate(#[from] dilgp::Error),

    /// A number is outside its legal range.
    #[error("--{flag} is {value}; it must be {wanted}")]
    OutOfRange {
        /// The flag, without its dashes.
        flag: &'static str,
        /// What was given.
        value: f64,
        /// The legal range in words.
        wanted: &'static str,
    },

    /// A list of surrogates names the same one twice.
    #[error("--surrogates names `{name}` twice")]
    NamedTwice {
        /// The name.
        name: &'static str,
    },

    /// The output folder exists and holds something.
    #[error("{} already holds files; name a new folder, nothing was overwritten", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
    },

    /// A folder or file cannot be created or written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// A record cannot be turned into text.
    #[error("cannot encode {what}: {source}")]
    Encode {
        /// Which record.
        what: &'static str,
        /// What the encoder said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },

    /// A picture cannot be drawn.
    #[error("cannot draw {}: {source}", stem.display())]
    Draw {
        /// The picture's path without its extension.
        stem: PathBuf,
        /// What the drawing said.
        source: plots::Error,
    },

    /// The user stopped the command.
    #[error("interrupted after {flights} flights; nothing was written")]
    Interrupted {
        /// Flights flown until then.
        flights: u64,
    },
}

impl Error {
    /// The exit code: 2 for a usage error, 73 for a folder or file that cannot be created
    /// (`EX_CANTCREAT`), 130 after an interrupt, 70 (`EX_SOFTWARE`) for the rest.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Trajectory(_)
            | Error::Surrogate(_)
            | Error::OutOfRange { .. }
            | Error::NamedTwice { .. } => 2,
            Error::Occupied { .. } | Error::Write { .. } | Error::Draw { .. } => 73,
            Error::Encode { .. } => 70,
            Error::Interrupted { .. } => 130,
        }
    }
}

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

    /// A list names the same thing twice.
    #[error("--{flag} names `{name}` twice")]
    NamedTwice {
        /// The flag, without its dashes.
        flag: &'static str,
        /// The name.
        name: String,
    },

    /// A flag was given a word that it does not know.
    #[error("--{flag} does not know `{given}`; it may be {known}")]
    UnknownChoice {
        /// The flag, without its dashes.
        flag: &'static str,
        /// What was given.
        given: String,
        /// The legal words.
        known: &'static str,
    },

    /// A comparison's folder was filled under other settings.
    #[error(
        "{} holds a comparison with --{setting} {kept}, not {wanted}; name another folder or the same settings",
        path.display()
    )]
    OtherComparison {
        /// The folder.
        path: PathBuf,
        /// The setting that differs.
        setting: &'static str,
        /// Its value now.
        wanted: String,
        /// Its value then.
        kept: String,
    },

    /// Another process works in the folder.
    #[error("{} is in use by another process", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },

    /// A file that this program wrote cannot be read back.
    #[error("{} is damaged: {reason}; remove it and it will be made again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },

    /// The threads that were asked for cannot be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// Threads asked for; 0 for one a core.
        threads: usize,
        /// What the system said.
        source: rayon::ThreadPoolBuildError,
    },

    /// A comparison was stopped; what was finished is kept.
    #[error("interrupted; {finished} of {cells} cells are kept, go on with the same command and --out {}", path.display())]
    Stopped {
        /// Cells on the shelf.
        finished: usize,
        /// Cells of the comparison.
        cells: usize,
        /// The folder.
        path: PathBuf,
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

    /// A file that was named cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// A file that would be written exists.
    #[error("{} exists; name another with --out, nothing was overwritten", path.display())]
    FileExists {
        /// The file.
        path: PathBuf,
    },

    /// Gains cannot be exported.
    #[error(transparent)]
    Export(#[from] crate::export::ExportError),

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
    /// (`EX_CANTCREAT`), 65 (`EX_DATAERR`) for a file of ours that is
    /// damaged, 130 after an interrupt, 70 (`EX_SOFTWARE`) for the rest.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Trajectory(_)
            | Error::Surrogate(_)
            | Error::OutOfRange { .. }
            | Error::UnknownChoice { .. }
            | Error::OtherComparison { .. }
            | Error::NamedTwice { .. } => 2,
            Error::Damaged { .. } => 65,
            Error::Export(error) => error.exit_code(),
            Error::Read { .. } => 66,
            Error::Occupied { .. }
            | Error::FileExists { .. }
            | Error::InUse { .. }
            | Error::Write { .. }
            | Error::Draw { .. } => 73,
            Error::Encode { .. } | Error::Threads { .. } => 70,
            Error::Interrupted { .. } | Error::Stopped { .. } => 130,
        }
    }
}

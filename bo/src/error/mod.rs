//! What can end a command early, and the exit code that tells a shell which kind it was.

pub(crate) mod choice;
pub mod export;
pub mod journal;
pub mod serve;
pub mod study;
pub mod unreadable;

use crate::terminal::word;
pub use choice::ChoiceError;
pub use export::ExportError;
pub use serve::ServeError;
use shell::exit;
use shell::exit::{read_code, write_code};
use shell::folder::FolderError;
use sim::Guarded;
use std::path::PathBuf;

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The trajectory asked for does not exist.
    #[error(transparent)]
    Trajectory(#[from] trajectories::UnknownTrajectory),

    /// The airframe asked for does not exist.
    #[error(transparent)]
    Airframe(sim::Error),

    /// The surrogate asked for does not exist, or cannot be built.
    #[error(transparent)]
    Surrogate(#[from] dilgp::Error),

    /// The search refuses a space, a setting or an observation.
    #[error(transparent)]
    Engine(#[from] search::Refusal),

    /// An earlier run's evaluation is none.
    #[error("--warm-start: evaluation {number} of the earlier run is damaged: {what}")]
    KnownTrial {
        /// The evaluation.
        number: u64,
        /// What is wrong with it.
        what: String,
    },

    /// What would be flown could mean nothing.
    #[error("{}", .0.said())]
    Meaningless(sim::Concern),

    /// No gains in the bounds keep the limits of the margins.
    #[error(
        "none of {looked_at} points within [gains.bounds] keeps the [limits] of the margins; the nearest: {nearest}; lower the limit, name loops that are tuned in margins_of, or widen the bounds"
    )]
    NoMargin {
        /// Points that were looked at.
        looked_at: usize,
        /// The limit that the nearest of them does not keep.
        nearest: String,
    },

    /// What was asked for is none of what there is, or does not go together.
    #[error(transparent)]
    Choice(#[from] ChoiceError),

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

    /// Cells cannot be kept, shared or merged.
    #[error(transparent)]
    Cells(#[from] shell::cells::CellsError),

    /// A file that this program wrote cannot be read back.
    #[error("{} is damaged: {reason}; {remedy}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
        /// What to do about it.
        remedy: &'static str,
    },

    /// Files of a run are not those that it wrote.
    #[error(
        "{altered} of {files} files of {} are not what the run wrote: {differences}; `bo --resume {}` makes all but the journal again",
        path.display(), word(path)
    )]
    Altered {
        /// The run's folder.
        path: PathBuf,
        /// How many differ.
        altered: usize,
        /// How many there were.
        files: usize,
        /// Which, and how.
        differences: String,
    },

    /// The threads that were asked for cannot be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// Threads asked for; 0 for one a core.
        threads: usize,
        /// What the system said.
        source: rayon::ThreadPoolBuildError,
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

    /// The result cannot be written where it should be read.
    #[error("cannot write to standard output: {0}")]
    Output(std::io::Error),

    /// All flights of a run are kept, but a file made from them cannot be.
    #[error(
        "{cause}; every flight is kept: make room and go on with `bo --resume {}`",
        word(path)
    )]
    Unwritten {
        /// Why not.
        cause: Box<Error>,
        /// The run's folder.
        path: PathBuf,
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

    /// A run's gains are not exported.
    #[error(transparent)]
    Export(#[from] ExportError),

    /// An autopilot's parameters cannot be read or written.
    #[error(transparent)]
    Autopilot(#[from] sim::autopilot::AutopilotError),

    /// There can be no report.
    #[error(transparent)]
    Report(#[from] unreadable::Unreadable),

    /// A picture cannot be drawn.
    #[error("cannot draw {}: {}", stem.display(), reason(source))]
    Draw {
        /// The picture's path without its extension.
        stem: PathBuf,
        /// What the drawing said.
        source: plots::Error,
    },

    /// A run's journal cannot be used.
    #[error(transparent)]
    Journal(#[from] journal::JournalError),

    /// A server of evaluations, or a client of one, cannot continue.
    #[error(transparent)]
    Serve(Box<serve::ServeError>),

    /// A study file is faulty.
    #[error(transparent)]
    Config(#[from] study::ConfigError),

    /// A folder holds a run that is not finished.
    #[error(
        "{} holds an unfinished run; go on with `bo --resume {}`, or name a new folder; nothing was overwritten",
        path.display(), word(path)
    )]
    Unfinished {
        /// The folder.
        path: PathBuf,
    },

    /// A run is to be resumed with other settings than its own.
    #[error(
        "{} was begun with other settings: line {line} of its config.toml is `{theirs}`, now it would be `{ours}`; leave the flags out or name a new folder",
        path.display()
    )]
    OtherRun {
        /// The folder.
        path: PathBuf,
        /// The first line that differs, from 1.
        line: usize,
        /// As it was begun.
        theirs: String,
        /// As it is asked for now.
        ours: String,
    },

    /// A run is to be resumed, but which is not said.
    #[error("--resume needs the run's folder: --resume DIR, or --out DIR --resume")]
    ResumeWhat,

    /// The desktop does not show a page.
    #[error("`{opener}` cannot show {}: {said}; open it in a browser", path.display())]
    Unopened {
        /// The desktop's program.
        opener: &'static str,
        /// The page.
        path: PathBuf,
        /// What went wrong.
        said: String,
    },

    /// Every evaluation is lost.
    #[error(
        "no valid trial: each of {trials} evaluations is lost; the run is in {}; try other bounds, a calmer domain or better start gains",
        path.display()
    )]
    NoValidTrial {
        /// Evaluations in all.
        trials: u64,
        /// The run's folder.
        path: PathBuf,
    },

    /// The user stopped a run; what it had is kept.
    #[error(
        "interrupted after {trials} evaluations, all of them kept; go on with `bo --resume {}`",
        word(path)
    )]
    Paused {
        /// Evaluations on the disk.
        trials: u64,
        /// The run's folder.
        path: PathBuf,
    },

    /// Several runs were to be watched.
    #[error("--watch takes the folder of one run")]
    WatchOne,

    /// The user stopped watching a run.
    #[error("interrupted; {} shows the run as far as it went", path.display())]
    NoObserver {
        /// The page.
        path: PathBuf,
    },

    /// The user stopped the command.
    #[error("interrupted after {flights} flights; nothing was written")]
    Interrupted {
        /// Flights flown until then.
        flights: u64,
    },
}

impl From<FolderError> for Error {
    fn from(error: FolderError) -> Error {
        match error {
            FolderError::Occupied { path } => Error::Occupied { path },
            FolderError::Write { path, source } => Error::Write { path, source },
        }
    }
}

impl Error {
    /// One of the codes of [`exit`].
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Journal(error) => error.exit_code(),
            Error::Serve(error) => error.exit_code(),
            Error::Cells(error) => error.exit_code(),
            Error::Config(error) => error.exit_code(),
            Error::Report(error) => error.exit_code(),
            Error::NoValidTrial { .. } => exit::ALL_LOST,
            Error::Write { source, .. } => write_code(source),
            Error::Draw { source, .. } => drawing_code(source),
            Error::Output(_) => exit::IO,
            Error::Unwritten { cause, .. } => cause.exit_code(),
            Error::OtherRun { .. } | Error::ResumeWhat | Error::WatchOne => exit::USAGE,
            Error::Trajectory(_)
            | Error::Airframe(_)
            | Error::Surrogate(_)
            | Error::Engine(_)
            | Error::OtherComparison { .. }
            | Error::Choice(_) => exit::USAGE,
            Error::Damaged { .. }
            | Error::Altered { .. }
            | Error::KnownTrial { .. }
            | Error::Meaningless(_)
            | Error::NoMargin { .. } => exit::DATA,
            Error::Export(error) => error.exit_code(),
            Error::Autopilot(error) => error.exit_code(),
            Error::Read { source, .. } => read_code(source),
            Error::Occupied { .. } | Error::FileExists { .. } | Error::Unfinished { .. } => {
                exit::CANNOT_CREATE
            }
            Error::Encode { .. } | Error::Threads { .. } | Error::Unopened { .. } => exit::SOFTWARE,
            Error::Interrupted { .. } | Error::Paused { .. } | Error::NoObserver { .. } => {
                exit::INTERRUPTED
            }
        }
    }
}

/// As [`write_code`], for the cause of a drawing that failed.
fn drawing_code(error: &plots::Error) -> u8 {
    cause(error).map_or(exit::CANNOT_CREATE, write_code)
}

/// Why a drawing failed: what the system said, where it was asked.
fn reason(error: &plots::Error) -> String {
    cause(error).map_or_else(|| error.to_string(), std::io::Error::to_string)
}

fn cause(error: &plots::Error) -> Option<&std::io::Error> {
    let first: &(dyn std::error::Error + 'static) = error;
    let causes = std::iter::successors(Some(first), |error| error.source());
    let mut files = causes.filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    files.next()
}

//! Why a command of the program failed, with the exit code that tells a shell which kind it was.

use crate::terminal::IO_ERROR;
use sim::input::InputError;
use std::io::ErrorKind;
use std::path::PathBuf;

/// A failed command.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A name that does not exist, or a number out of range, on the command line.
    #[error(transparent)]
    Usage(sim::Error),

    /// The trajectory asked for does not exist.
    #[error(transparent)]
    Trajectory(#[from] trajectories::UnknownTrajectory),

    /// The trajectory cannot be flown from the ground.
    #[error("--from-ground: {0}")]
    FromGround(#[from] trajectories::FromGroundError),

    /// There is no ground to take off from.
    #[error("--from-ground needs a world with a ground")]
    NoGround,

    /// A flag's number is out of range.
    #[error("--{flag} is {value}; it must be {wanted}")]
    OutOfRange {
        /// The flag.
        flag: &'static str,
        /// What was given.
        value: f64,
        /// The legal range in words.
        wanted: &'static str,
    },

    /// A file that was named cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: InputError,
    },

    /// A flight lasts too long to be recorded.
    #[error(
        "the trajectory lasts {lasts_s:.0} s; with --out at most {most_s:.0} s are flown, for each second recorded takes half a megabyte of memory"
    )]
    TooLongToRecord {
        /// How long it lasts [s].
        lasts_s: f64,
        /// The limit [s].
        most_s: f64,
    },

    /// A file's contents are faulty.
    #[error("{}: {source}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: sim::Error,
    },

    /// A waypoint file is faulty.
    #[error("{}: {source}", path.display())]
    Waypoints {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: trajectories::WaypointError,
    },

    /// The output folder exists and holds something.
    #[error("{} already holds files; name a new folder, nothing was overwritten", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
    },

    /// A folder or file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// No threads could be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),

    /// A log cannot be made.
    #[error("--log: {0}")]
    Log(#[from] sim::log::LogError),

    /// A standard stream failed.
    #[error("standard input or output failed: {source}")]
    Stream {
        /// What the system said.
        source: std::io::Error,
    },

    /// A picture cannot be drawn.
    #[error("cannot draw {}: {source}", stem.display())]
    Draw {
        /// Its path without extension.
        stem: PathBuf,
        /// What the drawing said.
        source: plots::Error,
    },
}

impl Failure {
    /// A drawing that failed, with the reason that a file could not be written.
    pub fn drawing(stem: PathBuf, source: plots::Error) -> Failure {
        match source {
            plots::Error::Write { path, source } => Failure::Write { path, source },
            source => Failure::Draw { stem, source },
        }
    }

    /// 2 usage, 65 faulty data, 66 missing input, 73 cannot create, 74 no room or a failed write,
    /// 70 whatever else this machine refuses.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Usage(_)
            | Failure::Trajectory(_)
            | Failure::FromGround(_)
            | Failure::NoGround
            | Failure::Log(sim::log::LogError::UnknownFormat { .. })
            | Failure::OutOfRange { .. } => 2,
            Failure::Data { .. } | Failure::Waypoints { .. } | Failure::TooLongToRecord { .. } => {
                65
            }
            Failure::Read { source, .. } => source.exit_code(),
            Failure::Write { source, .. } => write_code(source),
            Failure::Stream { .. } | Failure::Log(_) => IO_ERROR,
            Failure::Occupied { .. } | Failure::Draw { .. } => 73,
            Failure::Threads(_) => 70,
        }
    }
}

/// 74 where a file could be made but not filled, 73 where it cannot be made.
fn write_code(source: &std::io::Error) -> u8 {
    match source.kind() {
        ErrorKind::StorageFull
        | ErrorKind::QuotaExceeded
        | ErrorKind::FileTooLarge
        | ErrorKind::WriteZero => IO_ERROR,
        // EIO has no kind of its own.
        _ if source.raw_os_error() == Some(5) => IO_ERROR,
        _ => 73,
    }
}

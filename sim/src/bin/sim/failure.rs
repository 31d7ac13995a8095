//! Why a command of the program failed, with the exit code that tells a shell which kind it was.

use shell::exit;
use shell::folder::FolderError;
use sim::Guarded;
use sim::autopilot::AutopilotError;
use sim::log::LogError;
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

    /// Air at rest has no gusts.
    #[error("--domain still has no gusts to test; name gusty, steady or a domain file")]
    NoGusts,

    /// A file that was named cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
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

    /// A wind cannot be flown in.
    #[error(transparent)]
    Wind(#[from] sim::Error),

    /// A parameter file cannot be flown, or has no vehicle.
    #[error(transparent)]
    Autopilot(#[from] AutopilotError),

    /// A file holds gains in no form that is known.
    #[error(
        "{} holds no gains: neither those of a run or of `sim template gains` nor parameters of px4, ardupilot, betaflight or crazyflie",
        path.display()
    )]
    NoGains {
        /// The file.
        path: PathBuf,
    },

    /// Only an airframe is made from a parameter file.
    #[error("--from is for `sim template airframe`; no other input file is made from parameters")]
    FromParameters,

    /// A waypoint file is faulty.
    #[error("{}: {source}", path.display())]
    Waypoints {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: trajectories::WaypointError,
    },

    /// What would be flown could mean nothing.
    #[error("{}", .0.said())]
    Meaningless(sim::Concern),

    /// The output folder is occupied, or it or a file in it cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),

    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// Cells cannot be kept, shared or merged.
    #[error(transparent)]
    Cells(#[from] shell::cells::CellsError),

    /// No threads could be started.
    #[error("cannot start threads: {0}")]
    Threads(Box<dyn std::error::Error + Send + Sync>),

    /// A log cannot be made.
    #[error("--log: {0}")]
    Log(#[from] LogError),

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

    /// A log that failed, with the reason where its file could not be written.
    pub fn log(path: PathBuf, error: LogError) -> Failure {
        match error {
            LogError::Write(source) => Failure::Write { path, source },
            error => Failure::Log(error),
        }
    }

    /// One of the codes of [`exit`].
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Usage(_)
            | Failure::Trajectory(_)
            | Failure::FromGround(_)
            | Failure::NoGround
            | Failure::Log(LogError::UnknownFormat { .. })
            | Failure::NoGusts
            | Failure::FromParameters
            | Failure::OutOfRange { .. } => exit::USAGE,
            Failure::Autopilot(error) => error.exit_code(),
            Failure::Data { .. }
            | Failure::NoGains { .. }
            | Failure::Wind(_)
            | Failure::Waypoints { .. }
            | Failure::TooLongToRecord { .. }
            | Failure::Meaningless(_) => exit::DATA,
            Failure::Read { source, .. } => exit::read_code(source),
            Failure::Write { source, .. } => exit::write_code(source),
            Failure::Folder(error) => error.exit_code(),
            Failure::Cells(error) => error.exit_code(),
            Failure::Stream { .. } | Failure::Log(_) => exit::IO,
            Failure::Draw { .. } => exit::CANNOT_CREATE,
            Failure::Threads(_) => exit::SOFTWARE,
        }
    }
}

//! Why a command of the program failed, with the exit code that tells a shell which kind it was.

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
        /// What the system said.
        source: std::io::Error,
    },

    /// A file is larger than any legal one.
    #[error("{} has {bytes} bytes; the limit is {most}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
        /// The limit.
        most: u64,
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
    /// 2 usage, 65 faulty data, 66 missing input, 73 cannot create, 74 a stream failed.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Usage(_)
            | Failure::Trajectory(_)
            | Failure::FromGround(_)
            | Failure::NoGround
            | Failure::Log(sim::log::LogError::UnknownFormat { .. })
            | Failure::OutOfRange { .. } => 2,
            Failure::TooLarge { .. } | Failure::Data { .. } | Failure::Waypoints { .. } => 65,
            Failure::Read { .. } => 66,
            Failure::Stream { .. } => 74,
            Failure::Log(_)
            | Failure::Occupied { .. }
            | Failure::Write { .. }
            | Failure::Draw { .. } => 73,
        }
    }
}

//! Why a command of the program failed, with the exit code that tells a shell which kind it was.

use shell::cells::CellsError;
use shell::exit;
use shell::folder::FolderError;
use sim::autopilot::AutopilotError;
use sim::log::LogError;
use std::io;
use std::path::Path;
use trajectories::{FromGroundError, UnknownTrajectory};

/// A failed command.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A wind cannot be flown in.
    #[error(transparent)]
    Wind(#[from] sim::Error),

    /// Anything else.
    #[error("{said}")]
    Said {
        /// What is wrong, in one line.
        said: String,
        /// One of the codes of [`exit`].
        code: u8,
    },
}

impl Failure {
    fn new(said: impl ToString, code: u8) -> Failure {
        let said = said.to_string();
        Failure::Said { said, code }
    }

    /// The command line is wrong: a name that does not exist, a number out of range.
    pub fn usage(said: impl ToString) -> Failure {
        Failure::new(said, exit::USAGE)
    }

    /// A flag's number is out of range.
    pub fn out_of_range(flag: &str, value: f64, wanted: &str) -> Failure {
        Failure::usage(format!("--{flag} is {value}; it must be {wanted}"))
    }

    /// What was named is there and cannot be used.
    pub fn data(said: impl ToString) -> Failure {
        Failure::new(said, exit::DATA)
    }

    /// A file that was named cannot be read.
    pub fn read(path: &Path, source: &io::Error) -> Failure {
        let said = format!("cannot read {}: {source}", path.display());
        Failure::new(said, exit::read_code(source))
    }

    /// A file cannot be written.
    pub fn write(path: &Path, source: &io::Error) -> Failure {
        let said = format!("cannot write {}: {source}", path.display());
        Failure::new(said, exit::write_code(source))
    }

    /// A picture cannot be drawn.
    pub fn drawing(stem: &Path, source: plots::Error) -> Failure {
        match source {
            plots::Error::Write { path, source } => Failure::write(&path, &source),
            source => {
                let said = format!("cannot draw {}: {source}", stem.display());
                Failure::new(said, exit::CANNOT_CREATE)
            }
        }
    }

    /// The log at `path` cannot be made.
    pub fn log(path: &Path, error: LogError) -> Failure {
        match error {
            LogError::Write(source) => Failure::write(path, &source),
            error => error.into(),
        }
    }

    /// A standard stream failed.
    pub fn stream(source: &io::Error) -> Failure {
        let said = format!("standard input or output failed: {source}");
        Failure::new(said, exit::IO)
    }

    /// No threads could be started.
    pub fn threads(source: impl std::error::Error) -> Failure {
        Failure::new(format!("cannot start threads: {source}"), exit::SOFTWARE)
    }

    /// One of the codes of [`exit`].
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Wind(_) => exit::DATA,
            Failure::Said { code, .. } => *code,
        }
    }
}

impl From<UnknownTrajectory> for Failure {
    fn from(error: UnknownTrajectory) -> Failure {
        Failure::usage(error)
    }
}

impl From<FromGroundError> for Failure {
    fn from(error: FromGroundError) -> Failure {
        Failure::usage(format!("--from-ground: {error}"))
    }
}

impl From<LogError> for Failure {
    fn from(error: LogError) -> Failure {
        let code = match error {
            LogError::UnknownFormat { .. } => exit::USAGE,
            _ => exit::IO,
        };
        Failure::new(format!("--log: {error}"), code)
    }
}

impl From<AutopilotError> for Failure {
    fn from(error: AutopilotError) -> Failure {
        match error {
            AutopilotError::Unrecognised { name } => Failure::data(format!(
                "{name} holds no gains: neither those of a run or of `sim template gains` nor parameters of px4, ardupilot, betaflight or crazyflie"
            )),
            error => Failure::new(&error, error.exit_code()),
        }
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Failure {
        Failure::new(&error, error.exit_code())
    }
}

impl From<CellsError> for Failure {
    fn from(error: CellsError) -> Failure {
        Failure::new(&error, error.exit_code())
    }
}

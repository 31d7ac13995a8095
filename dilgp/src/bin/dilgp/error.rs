//! Error: why a command could not be carried out, with the exit code that says which kind it was.

use std::fmt::Display;
use std::io;
use std::path::Path;

use shell::exit;
use shell::folder::FolderError;

/// Why a command could not be carried out.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    message: String,
    /// One of the codes of [`exit`].
    pub code: u8,
}

impl Error {
    fn new(message: impl Display, code: u8) -> Self {
        let message = message.to_string();
        Self { message, code }
    }

    /// The command line asks for something that is not possible.
    pub fn usage(message: impl Display) -> Self {
        Self::new(message, exit::USAGE)
    }

    /// `flag`, given without its dashes, has no use for the surrogate and mode `to`.
    pub fn unused(flag: &str, to: &str) -> Self {
        Self::usage(format!("--{flag} does not apply to {to}"))
    }

    /// The value of `flag` is not as `wanted`.
    pub fn out_of_range(flag: &str, value: &str, wanted: &str) -> Self {
        Self::usage(format!("--{flag} is {value}; it must be {wanted}"))
    }

    /// The contents of a file cannot be used, because of a `fault` with its place.
    pub fn data(path: &Path, fault: impl Display) -> Self {
        Self::new(format!("{}: {fault}", path.display()), exit::DATA)
    }

    /// A file cannot be read; `advice` says what to do about it.
    pub fn read(path: &Path, source: &io::Error, advice: &str) -> Self {
        let message = format!("cannot read {}: {source}{advice}", path.display());
        Self::new(message, exit::read_code(source))
    }

    /// No threads could be started.
    pub fn threads(source: impl Display) -> Self {
        Self::new(format!("cannot start threads: {source}"), exit::SOFTWARE)
    }

    /// The picture at `stem` was not drawn, or its file not written.
    pub fn drawing(stem: &Path, source: plots::Error) -> Self {
        match source {
            plots::Error::Write { path, source } => {
                let message = format!("cannot write {}: {source}", path.display());
                Self::new(message, exit::write_code(&source))
            }
            source => {
                let message = format!("cannot draw {}: {source}", stem.display());
                Self::new(message, exit::CANNOT_CREATE)
            }
        }
    }
}

impl From<dilgp::Error> for Error {
    fn from(error: dilgp::Error) -> Self {
        let code = match error {
            dilgp::Error::UnknownSurrogate { .. }
            | dilgp::Error::SettingOutOfRange { .. }
            | dilgp::Error::TwoEnvironments { .. } => exit::USAGE,
            _ => exit::DATA,
        };
        Self::new(error, code)
    }
}

impl From<FolderError> for Error {
    fn from(error: FolderError) -> Self {
        let code = error.exit_code();
        Self::new(error, code)
    }
}

impl From<shell::cells::CellsError> for Error {
    fn from(error: shell::cells::CellsError) -> Self {
        let code = error.exit_code();
        Self::new(error, code)
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::new(format!("cannot encode the result: {error}"), exit::SOFTWARE)
    }
}

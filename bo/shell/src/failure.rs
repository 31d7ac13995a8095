//! Failure: why a program ends early, as a line for a person and an exit code for the shell.

use crate::exit::{self, Coded};
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// Why a program ends early.
#[derive(Debug, thiserror::Error)]
#[error("{line}")]
pub struct Failure {
    line: String,
    code: u8,
}

impl Failure {
    /// What `line` says, which ends the program with `code`, one of those of [`exit`].
    pub fn new(line: impl Display, code: u8) -> Failure {
        let line = line.to_string();
        Failure { line, code }
    }

    /// The command line is wrong: a name that does not exist, a number out of range.
    pub fn usage(line: impl Display) -> Failure {
        Failure::new(line, exit::USAGE)
    }

    /// The value of `flag`, given without its dashes, is not as `wanted`.
    pub fn out_of_range(flag: &str, value: impl Display, wanted: &str) -> Failure {
        Failure::usage(format!("--{flag} is {value}; it must be {wanted}"))
    }

    /// What was named is there and cannot be used.
    pub fn data(line: impl Display) -> Failure {
        Failure::new(line, exit::DATA)
    }

    /// The content of a file cannot be used, because of a fault with its place.
    pub fn in_file<E: Display>(path: &Path) -> impl Fn(E) -> Failure {
        move |fault| Failure::data(format!("{}: {fault}", path.display()))
    }

    /// A file is not what was written: the `reason`, and what to do about it.
    pub fn damaged(path: &Path, reason: impl Display, remedy: &str) -> Failure {
        Failure::data(format!("{} is damaged: {reason}; {remedy}", path.display()))
    }

    /// `what` cannot be turned into text, or back.
    pub fn encoding<E: Display>(what: &str) -> impl Fn(E) -> Failure {
        move |source| Failure::new(format!("cannot encode {what}: {source}"), exit::SOFTWARE)
    }

    /// A picture cannot be drawn at `stem`, or its file not written.
    pub fn drawing(stem: &Path, source: &(dyn Error + 'static)) -> Failure {
        let cause = source.source().and_then(|cause| cause.downcast_ref());
        match cause {
            Some(cause) => Failure::new(format!("{source}: {cause}"), exit::write_code(cause)),
            None => {
                let line = format!("cannot draw {}: {source}", stem.display());
                Failure::new(line, exit::CANNOT_CREATE)
            }
        }
    }

    /// The result cannot be written where it should be read.
    pub fn output(source: io::Error) -> Failure {
        let line = format!("cannot write to standard output: {source}");
        Failure::new(line, exit::IO)
    }

    /// A standard stream failed.
    pub fn stream(source: io::Error) -> Failure {
        let line = format!("standard input or output failed: {source}");
        Failure::new(line, exit::IO)
    }

    /// No threads could be started.
    pub fn threads(source: impl Display) -> Failure {
        Failure::new(format!("cannot start threads: {source}"), exit::SOFTWARE)
    }

    /// The same, with `advice` behind the line.
    pub fn with(self, advice: impl Display) -> Failure {
        Failure::new(format!("{self}{advice}"), self.code)
    }

    /// One of the codes of [`exit`].
    pub fn exit_code(&self) -> u8 {
        self.code
    }
}

impl<E: Coded> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::new(&error, error.exit_code())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        Failure::encoding("the result")(error)
    }
}

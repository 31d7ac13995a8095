//! What can be wrong with a server of evaluations, or with what it says.

use super::Error;
use std::path::PathBuf;

/// Why a server or one of its clients cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// An address that is not on this machine, or none.
    #[error(
        "{given:?} is no address to serve at; it may be unix:PATH, 127.0.0.1:PORT or [::1]:PORT: only this machine is served, ssh -L carries it further"
    )]
    Address {
        /// What was given.
        given: String,
    },

    /// Where a socket cannot be had.
    #[error("cannot listen at {address}: {source}")]
    Listen {
        /// Where.
        address: String,
        /// What the system said.
        source: std::io::Error,
    },

    /// A token that others may read.
    #[error("{} may be read by others (mode {mode:o}); it holds a secret: chmod 600 it", path.display())]
    OpenToken {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },

    /// A file that holds no token.
    #[error("{} holds no token: 16 to 256 characters without blanks on one line", path.display())]
    NoToken {
        /// The file.
        path: PathBuf,
    },

    /// No random bytes for a secret.
    #[error("the system gives no random bytes: {0}")]
    Random(std::io::Error),

    /// A journal whose answers are not those of this program.
    #[error(
        "{}: message {message} is answered otherwise now than then; go on with the build that wrote it",
        path.display()
    )]
    OtherAnswer {
        /// The journal.
        path: PathBuf,
        /// Which message, from 1.
        message: u64,
    },

    /// The user stopped the server.
    #[error("interrupted; {messages} messages are kept, go on with the same command")]
    Stopped {
        /// Messages on the disk.
        messages: u64,
    },

    /// The user stopped a worker.
    #[error("interrupted after {flights} evaluations, all of them told")]
    Drained {
        /// Evaluations that it flew.
        flights: u64,
    },

    /// A study that workers cannot share.
    #[error("a study with {what} is tuned by one process: leave it out, or use bo tune")]
    Alone {
        /// What it has.
        what: &'static str,
    },

    /// Something that must not happen happened while a message was answered.
    #[error("a message could not be answered; what was acknowledged before it is kept")]
    Broken,

    /// Nobody answers at an address.
    #[error("no server answers at {address}: {source}")]
    Unreachable {
        /// Where.
        address: String,
        /// What the system said.
        source: std::io::Error,
    },

    /// The server refuses what was said.
    #[error("the server refuses it: {said}")]
    Refused {
        /// In its words.
        said: String,
    },
}

impl ServeError {
    /// 2 for an address that cannot be, 65 for what is there and cannot be used, 66 where no server
    /// answers, 70 for what must not happen, 73 where a socket cannot be had, 130 after an interrupt.
    pub fn exit_code(&self) -> u8 {
        match self {
            ServeError::Address { .. } | ServeError::Alone { .. } => shell::exit::USAGE,
            ServeError::OpenToken { .. }
            | ServeError::NoToken { .. }
            | ServeError::OtherAnswer { .. }
            | ServeError::Refused { .. } => shell::exit::DATA,
            ServeError::Unreachable { .. } => shell::exit::NO_INPUT,
            ServeError::Random(_) | ServeError::Broken => shell::exit::SOFTWARE,
            ServeError::Listen { .. } => shell::exit::CANNOT_CREATE,
            ServeError::Stopped { .. } | ServeError::Drained { .. } => shell::exit::INTERRUPTED,
        }
    }
}

impl From<ServeError> for Error {
    fn from(error: ServeError) -> Error {
        Error::Serve(Box::new(error))
    }
}

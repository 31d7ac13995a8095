//! What can end a command early, and the exit code that tells a shell which kind it was.

pub mod choice;
pub mod study;

use crate::terminal::word;
use shell::Failure;
use shell::exit::{self, Coded, write_code};
use shell::files::FileError;
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

    /// A file or a folder cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),

    /// Anything else that is said in one line and not acted on.
    #[error(transparent)]
    Failed(#[from] Failure),

    /// A folder holds a run that did not come to its end.
    #[error(
        "{} holds an unfinished run; bring it to its end with `bo --resume {}` first",
        .0.display(), word(.0)
    )]
    Unended(PathBuf),

    /// A folder holds a comparison where a run is wanted.
    #[error("{} holds a comparison, not a run; its tables are in table.md and compare.json there", .0.display())]
    Comparison(PathBuf),

    /// A server of evaluations refuses a message.
    #[error("the server refuses it: {0}")]
    Refused(String),

    /// An autopilot's parameters cannot be read or written.
    #[error(transparent)]
    Autopilot(#[from] sim::autopilot::AutopilotError),

    /// A picture cannot be drawn.
    #[error("cannot draw {}: {}", stem.display(), reason(source))]
    Draw {
        /// The picture's path without its extension.
        stem: PathBuf,
        /// What the drawing said.
        source: plots::Error,
    },

    /// A study file is faulty.
    #[error(transparent)]
    Config(#[from] study::ConfigError),

    /// The user stopped the command.
    #[error("interrupted after {0} flights; nothing was written")]
    Interrupted(u64),
}

impl Coded for Error {
    fn exit_code(&self) -> u8 {
        match self {
            Error::Trajectory(_) | Error::Airframe(_) | Error::Surrogate(_) | Error::Engine(_) => {
                exit::USAGE
            }
            Error::Autopilot(error) => error.exit_code(),
            Error::Config(error) => error.exit_code(),
            Error::File(error) => error.exit_code(),
            Error::Failed(failure) => failure.exit_code(),
            Error::Unended(..) | Error::Comparison(..) => exit::NO_INPUT,
            Error::Refused(_) => exit::DATA,
            Error::Draw { source, .. } => cause(source).map_or(exit::CANNOT_CREATE, write_code),
            Error::Interrupted(..) => exit::INTERRUPTED,
        }
    }
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

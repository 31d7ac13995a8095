//! Code: with which exit code the program ends at each error.

use super::Error;
use shell::exit::{self, read_code, write_code};

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
            Error::Interrupted { .. } | Error::Paused { .. } | Error::Unwatched { .. } => {
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
pub(super) fn reason(error: &plots::Error) -> String {
    cause(error).map_or_else(|| error.to_string(), std::io::Error::to_string)
}

fn cause(error: &plots::Error) -> Option<&std::io::Error> {
    let first: &(dyn std::error::Error + 'static) = error;
    let causes = std::iter::successors(Some(first), |error| error.source());
    let mut files = causes.filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    files.next()
}

//! What can be wrong with a journal.

use crate::terminal::word;
use std::path::{Path, PathBuf};

/// Where a journal is not what was written, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    /// First byte of the record.
    pub offset: usize,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It does not begin with a checksum and a space.
    #[error("the record does not begin with a checksum")]
    Form,
    /// Its checksum is not that of its text.
    #[error("the record does not match its checksum")]
    Checksum,
    /// Its text is no record of this schema.
    #[error("the record is of no kind that this version knows")]
    Kind,
    /// It stands where it cannot follow.
    #[error("the record is out of order")]
    Order,
    /// There is no whole header.
    #[error("there is no whole header")]
    Header,
}

impl Damage {
    /// A journal without a header.
    pub(crate) const NO_HEADER: Damage = Damage {
        offset: 0,
        fault: Fault::Header,
    };
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// There is none.
    #[error(
        "{} is missing: there is no run to take up; begin one without --resume, or with it and its flags",
        path.display()
    )]
    Absent {
        /// Where it would be.
        path: PathBuf,
    },

    /// What was named is no run's folder.
    #[error("{} is not the folder of a run: {found}", path.display())]
    NoRun {
        /// What was named.
        path: PathBuf,
        /// What it is instead.
        found: &'static str,
    },

    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// It cannot be made.
    #[error("cannot write {}: {source}", path.display())]
    Create {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// A record cannot be written.
    #[error(
        "cannot write {}: {source}; nothing that was kept is lost, make room and go on with --resume, or the same bo serve",
        path.display()
    )]
    Append {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// Another process works on the run.
    #[error("{} is in use by {}", path.display(), named(*pid))]
    Held {
        /// The run's folder.
        path: PathBuf,
        /// The process, where it is known.
        pid: Option<u32>,
    },

    /// It is not what was written.
    #[error(
        "{} is damaged at byte {}: {}; `bo verify {} --repair` saves what is whole and keeps a copy",
        path.display(), damage.offset, damage.fault, folder_of(path)
    )]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// Where and how.
        damage: Damage,
    },

    /// Its header is damaged, and the files with it do not help.
    #[error(
        "{} cannot be repaired: its header is damaged ({}), and no config.toml beside it holds the same study; put that file back, or begin the run again in a new folder",
        path.display(), damage.fault
    )]
    Headless {
        /// The journal.
        path: PathBuf,
        /// Where and how.
        damage: Damage,
    },

    /// It was deleted while its run was under way.
    #[error("{} was deleted while the run was under way; what it held is lost, begin the run again", path.display())]
    Deleted {
        /// Where it was.
        path: PathBuf,
    },

    /// Another program changed it while its run was under way.
    #[error(
        "{} has {bytes} bytes, not the {wanted} that this run left it with: another program changed it; check it with `bo verify {}`",
        path.display(), folder_of(path)
    )]
    Meddled {
        /// The journal.
        path: PathBuf,
        /// Its size now.
        bytes: u64,
        /// Its size as this process left it.
        wanted: u64,
    },

    /// It was written by another version of the program.
    #[error(
        "{} was begun by Windhover {theirs}; this is {ours}, which may make other numbers: go on with {theirs}",
        path.display()
    )]
    Version {
        /// The journal.
        path: PathBuf,
        /// Its version.
        theirs: String,
        /// This version.
        ours: &'static str,
    },

    /// Its evaluations are not those of the run that its header names.
    #[error(
        "{} holds an evaluation {number} that its own settings would not make: {what} differs",
        path.display()
    )]
    Foreign {
        /// The journal.
        path: PathBuf,
        /// The evaluation.
        number: u64,
        /// What differs.
        what: &'static str,
    },

    /// A test is not that of the run that its header names.
    #[error(
        "{} holds a test of the {gains} gains in {domain} wind that its own settings would not make: {what} differs",
        path.display()
    )]
    ForeignTest {
        /// The journal.
        path: PathBuf,
        /// Whose gains were tested.
        gains: String,
        /// In which domain.
        domain: String,
        /// What differs.
        what: &'static str,
    },

    /// A record cannot be turned into text, or back.
    #[error("cannot encode a record of the journal: {0}")]
    Encode(#[from] serde_json::Error),

    /// A record does not read back as what it is.
    #[error("cannot encode a record of the journal: it would not read back as itself")]
    NotItself,
}

impl JournalError {
    /// 65 damaged, 66 missing, 70 for what must not happen, 73 in use or not to be made, 74 a
    /// failed read or write.
    pub fn exit_code(&self) -> u8 {
        match self {
            JournalError::Damaged { .. }
            | JournalError::Headless { .. }
            | JournalError::Version { .. }
            | JournalError::Foreign { .. }
            | JournalError::ForeignTest { .. } => 65,
            JournalError::Absent { .. } | JournalError::NoRun { .. } => 66,
            JournalError::Encode(_) | JournalError::NotItself => 70,
            JournalError::Held { .. } => 73,
            JournalError::Create { source, .. } => shell::exit::write_code(source),
            JournalError::Read { source, .. } if shell::exit::read_code(source) == 65 => 65,
            JournalError::Read { .. }
            | JournalError::Append { .. }
            | JournalError::Deleted { .. }
            | JournalError::Meddled { .. } => 74,
        }
    }
}

fn named(pid: Option<u32>) -> String {
    match pid {
        Some(pid) => format!("process {pid}"),
        None => "another process".to_owned(),
    }
}

/// The folder of a journal, as a shell takes it.
fn folder_of(journal: &Path) -> String {
    word(journal.parent().unwrap_or(Path::new(".")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;

    #[test]
    fn every_cause_has_its_exit_code() {
        let path = || PathBuf::from("run/trials.log");
        let damage = Damage {
            offset: 3,
            fault: Fault::Checksum,
        };
        let io = |kind: ErrorKind| std::io::Error::from(kind);
        let read = |kind| JournalError::Read {
            path: path(),
            source: io(kind),
        };
        let create = |kind| JournalError::Create {
            path: path(),
            source: io(kind),
        };
        let codes = [
            (
                JournalError::Damaged {
                    path: path(),
                    damage,
                },
                65,
            ),
            (
                JournalError::Headless {
                    path: path(),
                    damage,
                },
                65,
            ),
            (JournalError::Absent { path: path() }, 66),
            (JournalError::NotItself, 70),
            (
                JournalError::Held {
                    path: path(),
                    pid: None,
                },
                73,
            ),
            (create(ErrorKind::PermissionDenied), 73),
            (create(ErrorKind::StorageFull), 74),
            (read(ErrorKind::InvalidInput), 65),
            (read(ErrorKind::PermissionDenied), 74),
            (JournalError::Deleted { path: path() }, 74),
        ];
        for (error, code) in codes {
            assert_eq!(error.exit_code(), code, "{error}");
        }
    }

    #[test]
    fn the_holder_and_the_folder_are_named() {
        let held = |pid| {
            let path = PathBuf::from("run");
            JournalError::Held { path, pid }.to_string()
        };
        assert_eq!(held(Some(7)), "run is in use by process 7");
        assert_eq!(held(None), "run is in use by another process");
        assert_eq!(folder_of(Path::new("my run/trials.log")), "'my run'");
    }
}

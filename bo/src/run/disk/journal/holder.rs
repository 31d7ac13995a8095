//! Holder: the one process that may write a journal.

use super::{JournalError, NAME};
use crate::files;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Name of the file that names the process.
pub const PID: &str = "trials.pid";

/// The right to write. The lock itself belongs to the journal's file and ends with it; this only
/// keeps the process's number beside it as long as it lives.
#[derive(Debug)]
pub(super) struct Holder {
    pid_file: PathBuf,
}

impl Holder {
    /// Locks `journal`, which lies in `folder`.
    pub(super) fn take(journal: &File, folder: &Path) -> Result<Holder, JournalError> {
        match journal.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::Held {
                    path: folder.to_owned(),
                    pid: pid(folder),
                });
            }
            Err(TryLockError::Error(source)) => {
                return Err(JournalError::Create {
                    path: folder.join(NAME),
                    source,
                });
            }
        }
        let pid_file = folder.join(PID);
        // The lock is what counts: without this file a second process is refused all the same.
        let _ =
            files::create(&pid_file).and_then(|mut file| writeln!(file, "{}", std::process::id()));
        Ok(Holder { pid_file })
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        // The lock is still held: nobody else's number can be in there.
        let _ = fs::remove_file(&self.pid_file);
    }
}

/// Whether another process holds `journal`; its number, where that is known.
pub(super) fn of(journal: &File, folder: &Path) -> Option<Option<u32>> {
    match journal.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(pid(folder)),
        Ok(()) | Err(TryLockError::Error(_)) => None,
    }
}

fn pid(folder: &Path) -> Option<u32> {
    let text = files::read_text(&folder.join(PID), 32).ok()?;
    text.trim().parse().ok()
}

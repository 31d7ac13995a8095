//! Holder: the one process that may write a journal.

use super::JournalError;
use super::records::{self, Records};
use crate::files;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The right to write. The lock itself belongs to the journal's file and ends with it; this only
/// keeps the process's number beside it as long as it lives.
#[derive(Debug)]
pub(super) struct Holder {
    pid_file: PathBuf,
}

impl Holder {
    /// Locks `journal`, which lies in `folder`.
    pub(super) fn take<R: Records>(journal: &File, folder: &Path) -> Result<Holder, JournalError> {
        match journal.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::Held {
                    path: folder.to_owned(),
                    pid: pid(&records::pid::<R>(folder)),
                });
            }
            Err(TryLockError::Error(source)) => {
                return Err(JournalError::Create {
                    path: records::whole::<R>(folder),
                    source,
                });
            }
        }
        let pid_file = records::pid::<R>(folder);
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
pub(super) fn of<R: Records>(journal: &File, folder: &Path) -> Option<Option<u32>> {
    match journal.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(pid(&records::pid::<R>(folder))),
        Ok(()) | Err(TryLockError::Error(_)) => None,
    }
}

fn pid(named: &Path) -> Option<u32> {
    let text = files::read_text(named, 32).ok()?;
    text.trim().parse().ok()
}

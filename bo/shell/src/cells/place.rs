//! Place: the folder of cells as a file system sees it. Nothing is asked of that but to make a file
//! that was not there and to rename one; a link that cannot be made is done without.

use super::owner::Owner;
use crate::Failure;
use crate::files::{self, FileError};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// Folder of files that are being written.
pub(super) const PARTS: &str = "parts";

/// Age beyond which a part counts as abandoned.
const FORGOTTEN: Duration = Duration::from_secs(3600);

/// How often it is tried again after somebody tidied a folder away.
const TRIES: u32 = 8;

/// A folder of cells.
#[derive(Debug, Clone)]
pub(super) struct Place(PathBuf);

impl Place {
    pub(super) fn at(path: &Path) -> Place {
        Place(path.to_owned())
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn file(&self, folder: &str, key: &str) -> PathBuf {
        self.0.join(folder).join(format!("{key}.json"))
    }

    /// A name among the parts that no other process and no other thread uses.
    pub(super) fn part(&self, name: &str) -> PathBuf {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let token = Owner::this_process().token();
        self.0.join(PARTS).join(format!("{name}.{token}.{number}"))
    }

    /// The name among the parts that says whose turn it is to replace the claim on a cell.
    pub(super) fn turn(&self, key: &str) -> PathBuf {
        self.0.join(PARTS).join(format!("{key}.turn"))
    }

    /// Makes the file at `path`, whole and on the disk, where there was none; whether it was made.
    pub(super) fn publish(&self, path: &Path, text: &str) -> Result<bool, Failure> {
        let publish = || {
            let part = self.written(path, text)?;
            let made = match fs::hard_link(&part, path) {
                Ok(()) => Ok(true),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
                // A file system without links: rename, if no other process was first.
                Err(_) if path.symlink_metadata().is_ok() => Ok(false),
                Err(_) => fs::rename(&part, path).map(|()| true),
            };
            let _ = fs::remove_file(&part);
            made
        };
        self.tried(path, publish)
    }

    /// Makes the file at `path` or replaces it, whole and on the disk.
    pub(super) fn replace(&self, path: &Path, text: &str) -> Result<(), Failure> {
        self.tried(path, || fs::rename(self.written(path, text)?, path))
    }

    /// Makes the file at `path` where there was none, for a moment perhaps empty; whether it was made.
    pub(super) fn make(&self, path: &Path, text: &str) -> Result<bool, Failure> {
        let make = || {
            let made = File::options().write(true).create_new(true).open(path);
            match made {
                Ok(mut file) => {
                    let written = file.write_all(text.as_bytes());
                    // What holds less than the whole is nobody's.
                    let _ = written.is_err().then(|| fs::remove_file(path));
                    written.map(|()| true)
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
                Err(error) => Err(error),
            }
        };
        self.tried(path, make)
    }

    fn written(&self, path: &Path, text: &str) -> io::Result<PathBuf> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let part = self.part(&name);
        fs::create_dir_all(self.0.join(PARTS))?;
        let mut file = File::options().write(true).create_new(true).open(&part)?;
        let written = file.write_all(text.as_bytes());
        if let Err(error) = written.and_then(|()| file.sync_all()) {
            let _ = fs::remove_file(&part);
            return Err(error);
        }
        Ok(part)
    }

    /// Tries again where a folder was tidied away in between.
    fn tried<T>(&self, path: &Path, work: impl Fn() -> io::Result<T>) -> Result<T, Failure> {
        let mut left = TRIES;
        loop {
            left -= 1;
            match work() {
                Ok(done) => return Ok(done),
                Err(error) if error.kind() == ErrorKind::NotFound && left > 0 => {
                    // Not the folder itself: one that was deleted stays deleted.
                    let folder = path.parent().filter(|_| self.0.is_dir());
                    let _ = folder.map(fs::create_dir);
                }
                Err(source) => return Err(FileError::write(path)(source).into()),
            }
        }
    }

    /// The text of the file at `path`; `None` if absent.
    pub(super) fn read(
        &self,
        path: &Path,
        remedy: &'static str,
    ) -> Result<Option<String>, Failure> {
        match files::read_text(path, files::MOST_RECORD) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Failure::damaged(path, error, remedy)),
        }
    }

    /// The names, without their ending, of the files of one of its folders, in order.
    pub(super) fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(folder)).into_iter().flatten();
        let names = entries.flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some(name.strip_suffix(".json")?.to_owned())
        });
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// Removes what processes left among the parts that were killed, and folders that are empty.
    pub(super) fn tidy(&self, folders: &[&str]) {
        let own = Owner::this_process();
        let entries = fs::read_dir(self.0.join(PARTS)).into_iter().flatten();
        for entry in entries.flatten() {
            let written = entry.metadata().and_then(|found| found.modified());
            let age = written.map(|at| SystemTime::now().duration_since(at).unwrap_or_default());
            let forgotten = age.is_ok_and(|age| age > FORGOTTEN);
            let name = entry.file_name();
            if forgotten || own.is_stale(&name.to_string_lossy()) {
                let _ = fs::remove_file(entry.path());
            }
        }
        for folder in folders.iter().chain([&PARTS]) {
            // Fails, as it should, where the folder holds something.
            let _ = fs::remove_dir(self.0.join(folder));
        }
    }
}

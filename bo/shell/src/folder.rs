//! Folder: where a command writes, claimed before any work begins and never overwritten.

use crate::files::{self, FileError};
use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Most suffixes that are tried for an automatic name.
const MOST_SUFFIXES: u32 = 10_000;

/// File with which a folder is tried.
const PROBE: &str = ".windhover";

/// A folder of this process's own.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Whether this process made it, so that it may be removed again while it is empty.
    made: bool,
}

impl Folder {
    /// Claims `path`, which must not exist or be empty, save for files of the names `left_behind`,
    /// which a process leaves that dies before it has written anything.
    ///
    /// # Errors
    /// [`FileError`].
    pub fn claim(path: &Path, left_behind: &[&str]) -> Result<Folder, FileError> {
        let made = !path.exists();
        fs::create_dir_all(path).map_err(FileError::write(path))?;
        Folder::check_free(path, left_behind)?;
        let folder = Folder {
            path: path.to_owned(),
            made,
        };
        Folder::check_writable(path)?;
        Ok(folder)
    }

    /// That `path` does not exist or holds nothing but `left_behind`; nothing is made.
    ///
    /// # Errors
    /// [`FileError`].
    pub fn check_free(path: &Path, left_behind: &[&str]) -> Result<(), FileError> {
        let entries = match fs::read_dir(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(FileError::write(path))?,
        };
        for entry in entries {
            let name = entry.map_err(FileError::write(path))?.file_name();
            if name != PROBE && !left_behind.iter().any(|left| name == **left) {
                return Err(FileError::Occupied(path.to_owned()));
            }
        }
        Ok(())
    }

    /// The folder that [`Folder::claim_next`] would make now.
    pub fn next_free(parent: &Path, name: &str) -> PathBuf {
        let mut paths = numbered(parent, name);
        let free = paths.find(|path| path.symlink_metadata().is_err());
        free.unwrap_or_else(|| parent.join(name))
    }

    /// Claims `parent`/`name`, or the first of `name`-2, `name`-3, … that does not exist.
    ///
    /// # Errors
    /// [`FileError::Write`], or [`FileError::Occupied`] when every suffix is taken.
    pub fn claim_next(parent: &Path, name: &str) -> Result<Folder, FileError> {
        fs::create_dir_all(parent).map_err(FileError::write(parent))?;
        for path in numbered(parent, name) {
            // Creating is the claim: of two processes only one succeeds.
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Folder { path, made: true }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(source) => return Err(FileError::Write { path, source }),
            }
        }
        Err(FileError::Occupied(parent.join(name)))
    }

    /// A folder that holds files of this command's already.
    pub fn of(path: &Path) -> Folder {
        Folder {
            path: path.to_owned(),
            made: false,
        }
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file of the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes one file of the folder, whole or not at all, and returns its path; one of the same
    /// name is replaced.
    ///
    /// # Errors
    /// [`FileError::Write`].
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<PathBuf, FileError> {
        let path = self.file(name);
        files::replace(&path, bytes.as_ref()).map_err(FileError::write(&path))?;
        Ok(path)
    }

    /// Removes one file of the folder, if it is there.
    ///
    /// # Errors
    /// [`FileError::Write`].
    pub fn remove(&self, name: &str) -> Result<(), FileError> {
        let path = self.file(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(FileError::write(&path)(error))
            }
            _ => Ok(()),
        }
    }

    /// As [`Folder::write`], with the file that `fill` fills; what it returns besides a failure of
    /// the file is its own.
    ///
    /// # Errors
    /// Those of `fill`, and a failure of the file.
    pub fn fill<E: From<io::Error>>(
        &self,
        name: &str,
        fill: impl FnOnce(&mut BufWriter<fs::File>) -> Result<(), E>,
    ) -> Result<(), E> {
        files::fill(&self.file(name), fill)
    }

    /// That files can be made in the folder at `path`, by making one that goes away again.
    ///
    /// # Errors
    /// [`FileError::Write`].
    pub fn check_writable(path: &Path) -> Result<(), FileError> {
        let probe = path.join(PROBE);
        let tried = files::create(&probe).and_then(|mut file| {
            file.write_all(b"")?;
            match fs::remove_file(&probe) {
                // Another process that claims the same folder has tried it as well.
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
                other => other,
            }
        });
        tried.map_err(FileError::write(path))
    }
}

impl Drop for Folder {
    /// Removes a folder that this process made and wrote nothing into.
    fn drop(&mut self) {
        if self.made {
            // Fails, as it should, where the folder holds something.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// `parent`/`name`, and the same with each suffix.
fn numbered(parent: &Path, name: &str) -> impl Iterator<Item = PathBuf> {
    let suffixed = (2..=MOST_SUFFIXES).map(move |suffix| format!("{name}-{suffix}"));
    let names = std::iter::once(name.to_owned()).chain(suffixed);
    names.map(move |name| parent.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Coded;

    #[test]
    fn automatic_names_count_upwards_and_an_unused_claim_leaves_nothing() {
        let parent = temp_dir::TempDir::new().expect("temporary folder");
        let first = Folder::claim_next(parent.path(), "run").expect("free");
        let next = Folder::next_free(parent.path(), "run");
        assert!(!next.exists(), "only named");
        let second = Folder::claim_next(parent.path(), "run").expect("free");
        assert_eq!(second.path(), next);
        assert!(first.path().ends_with("run") && second.path().ends_with("run-2"));
        first.write("a", "b").expect("writable");
        drop((first, second));
        assert!(parent.path().join("run/a").exists());
        assert!(!parent.path().join("run-2").exists());
    }

    #[test]
    fn an_occupied_folder_is_refused_and_an_empty_one_taken() {
        let parent = temp_dir::TempDir::new().expect("temporary folder");
        drop(Folder::claim(parent.path(), &[]).expect("empty"));
        assert!(parent.path().exists(), "a folder that was there stays");
        fs::write(parent.path().join("left"), "").expect("writable");
        drop(Folder::claim(parent.path(), &["left"]).expect("as good as empty"));
        fs::write(parent.path().join("mine"), "precious").expect("writable");
        let error = Folder::claim(parent.path(), &["left"]).expect_err("occupied");
        assert_eq!(error.exit_code(), 73);
        assert!(
            (error.to_string())
                .ends_with("already holds files; name a new folder, nothing was overwritten")
        );
    }

    #[test]
    fn a_file_in_the_way_is_a_clear_error() {
        let parent = temp_dir::TempDir::new().expect("temporary folder");
        let file = parent.path().join("file");
        fs::write(&file, "").expect("writable");
        for path in [file.clone(), file.join("below")] {
            let error = Folder::claim(&path, &[]).expect_err("a file is no folder");
            assert_eq!(error.exit_code(), 73);
            assert!(error.to_string().starts_with("cannot write "), "{error}");
        }
    }
}

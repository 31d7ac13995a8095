//! Folder: where a command writes, claimed before any work begins and never overwritten.

use crate::Error;
use crate::files;
use crate::run::journal;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Most suffixes that are tried for an automatic name.
const MOST_SUFFIXES: u32 = 10_000;

/// File with which a folder is tried.
const PROBE: &str = ".windhover";

/// Folder in which pictures are drawn before they get their names.
const EASEL: &str = ".drawing";

/// What a process may leave behind that dies before its run begins.
const LEFT_BEHIND: [&str; 3] = [PROBE, journal::UNBORN, journal::PID];

/// A folder of this process's own.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Whether this process made it, so that it may be removed again while it is empty.
    made: bool,
}

impl Folder {
    /// Claims `path`, which must not exist or be empty, save for what a process leaves behind that
    /// dies before its run begins.
    ///
    /// # Errors
    /// [`Error::Occupied`], [`Error::Unfinished`], or [`Error::Write`].
    pub fn claim(path: &Path) -> Result<Folder, Error> {
        let failed = |source| Error::Write {
            path: path.to_owned(),
            source,
        };
        let made = !path.exists();
        fs::create_dir_all(path).map_err(failed)?;
        for entry in fs::read_dir(path).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            if !LEFT_BEHIND.iter().any(|left| name == *left) {
                return Err(occupied(path));
            }
        }
        let folder = Folder {
            path: path.to_owned(),
            made,
        };
        folder.check_writable()?;
        Ok(folder)
    }

    /// Claims `parent`/`name`, or the first of `name`-2, `name`-3, … that does not exist.
    ///
    /// # Errors
    /// [`Error::Write`], or [`Error::Occupied`] when every suffix is taken.
    pub fn claim_next(parent: &Path, name: &str) -> Result<Folder, Error> {
        fs::create_dir_all(parent).map_err(|source| Error::Write {
            path: parent.to_owned(),
            source,
        })?;
        let names = std::iter::once(name.to_owned())
            .chain((2..=MOST_SUFFIXES).map(|suffix| format!("{name}-{suffix}")));
        for name in names {
            let path = parent.join(name);
            // Creating is the claim: of two processes only one succeeds.
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Folder { path, made: true }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(source) => return Err(Error::Write { path, source }),
            }
        }
        Err(Error::Occupied {
            path: parent.join(name),
        })
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder of a run that is taken up again; it holds that run's files.
    pub fn of_run(path: &Path) -> Folder {
        Folder {
            path: path.to_owned(),
            made: false,
        }
    }

    /// Writes one file of the folder, whole or not at all; one of the same name is replaced.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        self.write_bytes(name, text.as_bytes())
    }

    /// As [`Folder::write`], for a file that is not text.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn write_bytes(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.path.join(name);
        files::replace(&path, bytes).map_err(|source| Error::Write { path, source })
    }

    /// Puts a picture into the folder, as [`draw`].
    ///
    /// # Errors
    /// [`Error::Draw`] or [`Error::Write`].
    pub fn draw(
        &self,
        stem: &str,
        picture: impl FnOnce(&Path) -> Result<(), plots::Error>,
    ) -> Result<(), Error> {
        draw(&self.path, stem, picture)
    }

    fn check_writable(&self) -> Result<(), Error> {
        let probe = self.path.join(PROBE);
        let tried = files::create(&probe).and_then(|_| match fs::remove_file(&probe) {
            // Another process that claims the same folder has tried it as well.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            other => other,
        });
        tried.map_err(|source| Error::Write {
            path: self.path.clone(),
            source,
        })
    }
}

/// Draws a picture whose files are `stem` with an ending each into `folder`: in a folder of its own
/// first, so that no half picture ever bears its name and none is drawn through a link.
///
/// # Errors
/// [`Error::Draw`] or [`Error::Write`].
pub fn draw(
    folder: &Path,
    stem: &str,
    picture: impl FnOnce(&Path) -> Result<(), plots::Error>,
) -> Result<(), Error> {
    let easel = folder.join(EASEL);
    let failed = |source| Error::Write {
        path: folder.join(stem),
        source,
    };
    clear(&easel)
        .and_then(|()| fs::create_dir(&easel))
        .map_err(failed)?;
    let drawn = picture(&easel.join(stem)).map_err(|source| Error::Draw {
        stem: folder.join(stem),
        source,
    });
    let hung = drawn.and_then(|()| hang(&easel, folder).map_err(failed));
    // What is left of a picture that failed is of no use; the next one clears it as well.
    let _ = clear(&easel);
    hung
}

/// Moves every file of `easel` into `folder`, once it is on the disk.
fn hang(easel: &Path, folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(easel)? {
        let entry = entry?;
        fs::File::open(entry.path())?.sync_all()?;
        fs::rename(entry.path(), folder.join(entry.file_name()))?;
    }
    Ok(())
}

/// Takes away what bears the easel's name: an earlier one, or a link, which is not followed.
fn clear(easel: &Path) -> std::io::Result<()> {
    let cleared = match fs::symlink_metadata(easel) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(easel),
        Ok(_) => fs::remove_file(easel),
        Err(error) => Err(error),
    };
    match cleared {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

impl Drop for Folder {
    /// A folder that this process made and wrote nothing into goes away again.
    fn drop(&mut self) {
        if self.made {
            // Fails, as it should, where the folder holds something.
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// Why a folder that holds something is not taken.
fn occupied(path: &Path) -> Error {
    let path = path.to_owned();
    if !path.join(journal::NAME).is_file() || path.join("run.json").is_file() {
        return Error::Occupied { path };
    }
    match journal::inspect(&path) {
        Ok(journal::Inspection {
            holder: Some(pid), ..
        }) => journal::JournalError::Held { path, pid }.into(),
        _ => Error::Unfinished { path },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn automatic_names_count_upwards_and_an_unused_claim_leaves_nothing() {
        let parent = tempfile::tempdir().expect("temporary folder");
        let first = Folder::claim_next(parent.path(), "run").expect("free");
        let second = Folder::claim_next(parent.path(), "run").expect("free");
        assert!(first.path().ends_with("run") && second.path().ends_with("run-2"));
        first.write("a", "b").expect("writable");
        drop((first, second));
        assert!(parent.path().join("run/a").exists());
        assert!(!parent.path().join("run-2").exists());
    }

    #[test]
    fn an_occupied_folder_is_refused_and_an_empty_one_taken() {
        let parent = tempfile::tempdir().expect("temporary folder");
        drop(Folder::claim(parent.path()).expect("empty"));
        assert!(parent.path().exists(), "a folder that was there stays");
        fs::write(parent.path().join("mine"), "precious").expect("writable");
        let message = Folder::claim(parent.path())
            .expect_err("occupied")
            .to_string();
        assert!(
            message.ends_with("already holds files; name a new folder, nothing was overwritten")
        );
    }

    #[test]
    fn a_file_in_the_way_is_a_clear_error() {
        let parent = tempfile::tempdir().expect("temporary folder");
        let file = parent.path().join("file");
        fs::write(&file, "").expect("writable");
        for path in [file.clone(), file.join("below")] {
            let error = Folder::claim(&path).expect_err("a file is no folder");
            assert_eq!(error.exit_code(), 73);
            assert!(error.to_string().starts_with("cannot write "), "{error}");
        }
    }
}

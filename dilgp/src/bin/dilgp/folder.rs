//! Folder: where a command writes, claimed before any work begins and never overwritten.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// A folder of this process's own.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Whether this process made it, so that it may be removed again while it is empty.
    made: bool,
}

impl Folder {
    /// Claims `path`, which must not exist or be empty.
    pub fn claim(path: &Path) -> Result<Folder, Error> {
        let failed = |source| Error::Write {
            path: path.to_owned(),
            source,
        };
        let made = !path.exists();
        fs::create_dir_all(path).map_err(failed)?;
        if fs::read_dir(path).map_err(failed)?.next().is_some() {
            return Err(Error::Occupied {
                path: path.to_owned(),
            });
        }
        let folder = Folder {
            path: path.to_owned(),
            made,
        };
        let probe = folder.path.join(".windhover");
        fs::write(&probe, "")
            .and_then(|()| fs::remove_file(&probe))
            .map_err(failed)?;
        Ok(folder)
    }

    /// Claims `path`, or where none is given `runs/name` or the first of `runs/name-2`,
    /// `runs/name-3` ... that does not exist.
    pub fn claim_or_next(path: Option<&Path>, name: &str) -> Result<Folder, Error> {
        if let Some(path) = path {
            return Self::claim(path);
        }
        let runs = Path::new("runs");
        let taken = |path: &PathBuf| path.exists();
        let names = std::iter::once(name.to_owned()).chain((2..).map(|i| format!("{name}-{i}")));
        let mut paths = names.map(|name| runs.join(name)).skip_while(taken);
        Self::claim(&paths.next().unwrap_or_else(|| runs.join(name)))
    }

    /// The path of a file of the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes one file of the folder and returns its path.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, Error> {
        let path = self.file(name);
        match fs::write(&path, text) {
            Ok(()) => Ok(path),
            Err(source) => {
                // None is left that only looks whole.
                let _ = fs::remove_file(&path);
                Err(Error::Write { path, source })
            }
        }
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

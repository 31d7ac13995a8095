//! Folder: where a run is kept, with its pictures; claimed before any work begins and never
//! overwritten.

use crate::Error;
use crate::files::FileError;
use crate::run::disk::journal;
use crate::terminal::word;
use shell::folder::Folder;
use shell::{Failure, exit};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Folder in which a picture is drawn before its files get their names, with the picture's name behind
/// it; one process draws at a time, and each picture once.
const STAGING: &str = ".drawing";

/// What a process may leave behind that dies before its run begins.
const LEFT_BEHIND: [&str; 2] = [journal::PARTIAL, journal::PID];

/// Claims `path`, which must not exist or be empty, save for what a process leaves behind that
/// dies before its run begins.
///
/// # Errors
/// A folder that holds something, an unfinished run, or one that cannot be written.
pub fn claim(path: &Path) -> Result<Folder, Error> {
    Folder::claim(path, &LEFT_BEHIND).map_err(of_a_run)
}

/// That [`claim`] would take `path`; nothing is made.
///
/// # Errors
/// Those of [`claim`].
pub fn check_free(path: &Path) -> Result<(), Error> {
    Folder::check_free(path, &LEFT_BEHIND).map_err(of_a_run)
}

fn of_a_run(error: FileError) -> Error {
    match error {
        FileError::Occupied(path) => occupied(path),
        error => error.into(),
    }
}

/// Draws a picture whose files are `stem` with an ending each into `folder`: in a folder of its own
/// first, so that no half picture ever bears its name and none is drawn through a link.
///
/// # Errors
/// [`Error::Draw`] or [`Error::File`].
pub fn draw(
    folder: &Path,
    stem: &str,
    picture: impl FnOnce(&Path) -> Result<(), plots::Error>,
) -> Result<(), Error> {
    let staging = folder.join(format!("{STAGING}-{stem}"));
    let failed = || FileError::write(folder.join(stem));
    let made = clear(&staging).and_then(|()| fs::create_dir(&staging));
    made.map_err(failed())?;
    let drawn = picture(&staging.join(stem)).map_err(|source| Error::Draw {
        stem: folder.join(stem),
        source,
    });
    let published = drawn.and_then(|()| Ok(publish(&staging, folder).map_err(failed())?));
    // What is left of a picture that failed is of no use; the next one clears it as well.
    let _ = clear(&staging);
    published
}

/// Moves every file of `staging` into `folder`, once it is on the disk.
fn publish(staging: &Path, folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(staging)? {
        let entry = entry?;
        fs::File::open(entry.path())?.sync_all()?;
        fs::rename(entry.path(), folder.join(entry.file_name()))?;
    }
    Ok(())
}

/// Takes away what bears the staging's name: an earlier one, or a link, which is not followed.
fn clear(staging: &Path) -> std::io::Result<()> {
    let cleared = match fs::symlink_metadata(staging) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(staging),
        Ok(_) => fs::remove_file(staging),
        Err(error) => Err(error),
    };
    match cleared {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Why a folder that holds something is not taken.
pub(crate) fn occupied(path: PathBuf) -> Error {
    if !path.join(journal::NAME).is_file() || path.join("run.json").is_file() {
        return FileError::Occupied(path).into();
    }
    match journal::inspect(&path) {
        Ok(journal::Inspection {
            holder: Some(pid), ..
        }) => journal::held(&path, pid).into(),
        _ => {
            let line = format!(
                "{} holds an unfinished run; go on with `bo --resume {}`, or name a new folder; nothing was overwritten",
                path.display(),
                word(&path)
            );
            Failure::new(line, exit::CANNOT_CREATE).into()
        }
    }
}

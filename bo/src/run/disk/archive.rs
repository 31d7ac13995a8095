//! Archive: a run that came to its end, read back from its folder. Every file that is read is checked
//! against the run's manifest first: what was changed since is refused, not reported or exported.

use super::journal;
use crate::Error;
use crate::files::{self, FileError};
use crate::run::disk::record::{REMEDY, Record};
use shell::{Failure, manifest};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use trajectories::Trajectory;

/// Name of the record in a run's folder.
pub const RECORD: &str = "run.json";

/// Name of the study file in a run's folder.
pub const STUDY: &str = "config.toml";

/// A run's record, and whether it is known to be as the run wrote it.
#[derive(Debug)]
pub struct Read {
    /// The record.
    pub record: Record,
    /// Where it lies.
    pub path: PathBuf,
    /// Whether a manifest with it has its checksum; runs of older versions have none.
    pub vouched: bool,
}

/// The record of the run whose folder, or whose record itself, is at `path`.
///
/// # Errors
/// [`Error::Unended`] and [`Error::Comparison`], a damaged record, or one of another form;
/// it or the gains in its folder are not what the run wrote.
pub fn read(path: &Path) -> Result<Read, Error> {
    let named_like_one = path.extension().is_some_and(|ending| ending == "json");
    let file = if path.is_dir() || !(path.exists() || named_like_one) {
        path.join(RECORD)
    } else {
        path.to_owned()
    };
    let bytes =
        files::read(&file, files::MOST_RECORD).map_err(|source| absent(path, &file, source))?;
    let vouched = manifest::vouches(&file, &bytes)?;
    let no_text = |_| Failure::damaged(&file, "it is not UTF-8 text", REMEDY);
    let text = files::text(bytes).map_err(no_text)?;
    let read = Read {
        record: Record::from_json(&text, &file)?,
        path: file,
        vouched,
    };
    manifest::check_gains(read.folder())?;
    Ok(read)
}

/// Why there is no record at `file`, when `path` was asked for.
fn absent(path: &Path, file: &Path, source: std::io::Error) -> Error {
    if path.is_dir() && source.kind() == ErrorKind::NotFound {
        let path = path.to_owned();
        if path.join("plan.json").is_file() {
            return Error::Comparison(path);
        }
        if path.join(journal::NAME).is_file() {
            return Error::Unended(path);
        }
    }
    let failure = Failure::from(FileError::read(file)(source));
    failure.with("; name the folder of a finished run").into()
}

impl Read {
    /// The folder that the record lies in.
    pub fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    }

    /// What to say of a record that no manifest vouches for.
    pub fn remark(&self) -> Option<String> {
        (!self.vouched).then(|| {
            format!(
                "{} is taken as it is: no manifest.json beside it has its checksum",
                self.path.display()
            )
        })
    }

    /// The text of the study file that made the run and its path, if it lies with the record.
    ///
    /// # Errors
    /// A file that cannot be read, or is not what the run wrote.
    pub fn study(&self) -> Result<Option<(String, PathBuf)>, Error> {
        let path = self.folder().join(STUDY);
        if !path.is_file() {
            return Ok(None);
        }
        let bytes = files::read(&path, files::MOST_TEXT).map_err(FileError::read(&path))?;
        manifest::vouches(&path, &bytes)?;
        let text = files::text(bytes).map_err(FileError::read(&path))?;
        Ok(Some((text, path)))
    }

    /// The trajectory of that run, where it is a shipped one.
    ///
    /// # Errors
    /// A trajectory that is not shipped.
    pub fn trajectory(&self) -> Result<Box<dyn Trajectory>, Error> {
        let name = &self.record.settings.trajectory;
        let foreign = |_| {
            Failure::data(format!(
                "{}: the trajectory `{name}` is not a shipped one, and the run's config.toml does not hold it",
                self.path.display()
            ))
        };
        Ok(trajectories::by_name(name).map_err(foreign)?)
    }
}

//! Finished: a run that came to its end, read back from its folder. Every file that is read is held
//! to the run's manifest first: what was changed since is refused, not reported or exported.

use crate::Error;
use crate::files;
use crate::flights::tuning::Tuning;
use crate::report::ReportError;
use crate::run::journal;
use crate::run::manifest;
use crate::run::recorded::Recorded;
use crate::study::file::Config;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Name of the record in a run's folder.
pub const RECORD: &str = "run.json";

/// Name of the study file in a run's folder.
const STUDY: &str = "config.toml";

/// A run's record, and whether it is known to be as the run wrote it.
#[derive(Debug)]
pub struct Read {
    /// The record.
    pub recorded: Recorded,
    /// Where it lies.
    pub path: PathBuf,
    /// Whether a manifest beside it has its checksum; what an older version wrote has none.
    pub vouched: bool,
}

/// The record of the run whose folder, or whose record itself, is at `path`.
///
/// # Errors
/// [`ReportError`] where there is no finished run, a damaged one, or one of another form;
/// [`Error::Altered`] where it is not what the run wrote.
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
    let no_text = |_| ReportError::NoText { path: file.clone() };
    let text = files::text(bytes).map_err(no_text)?;
    Ok(Read {
        recorded: Recorded::from_json(&text, &file)?,
        path: file,
        vouched,
    })
}

/// Why there is no record at `file`, when `path` was asked for.
fn absent(path: &Path, file: &Path, source: std::io::Error) -> ReportError {
    if path.is_dir() && source.kind() == ErrorKind::NotFound {
        let path = path.to_owned();
        if path.join("plan.json").is_file() {
            return ReportError::Comparison { path };
        }
        if path.join(journal::NAME).is_file() {
            return ReportError::Unfinished { path };
        }
    }
    ReportError::NoRun {
        path: file.to_owned(),
        source,
    }
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

    /// The study that made the run, where it lies beside the record.
    ///
    /// # Errors
    /// Those of [`Config::read`], and [`Error::Altered`].
    pub fn study(&self) -> Result<Option<Config>, Error> {
        let path = self.folder().join(STUDY);
        if !path.is_file() {
            return Ok(None);
        }
        let failed = |source| Error::Read {
            path: path.clone(),
            source,
        };
        let bytes = files::read(&path, files::MOST_TEXT).map_err(failed)?;
        manifest::vouches(&path, &bytes)?;
        let text = files::text(bytes).map_err(failed)?;
        Config::from_toml(&text, &path).map(Some)
    }

    /// The problem in which the run's held-out flights can be flown again; `study` is its own,
    /// where there is one. It knows no training winds.
    ///
    /// # Errors
    /// [`ReportError::Trajectory`], or a study that cannot be flown.
    pub fn tuning(&self, study: Option<&Config>) -> Result<Tuning, Error> {
        let name = &self.recorded.settings.trajectory;
        let trajectory = match study {
            Some(study) => study.bench()?.tuning.trajectory,
            None => trajectories::by_name(name).map_err(|_| ReportError::Trajectory {
                path: self.path.clone(),
                name: name.clone(),
            })?,
        };
        Ok(self.recorded.tuning(trajectory))
    }
}

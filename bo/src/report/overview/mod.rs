//! Overview: runs in short, for a terminal: which there are, and what one of them resulted in.
//!
//! * [`row`]: one line of a list

pub mod row;

pub use row::{Row, list};
use shell::Failure;
use shell::files::FileError;

use crate::flights::evaluation::Evaluation;
use crate::run::disk::archive::{self, RECORD, Read};
use crate::run::disk::journal::{self, Inspection, Records};
use crate::serve::account::Account;
use crate::serve::messages::Messages;
use crate::study::Config;
use crate::{Error, files};
use serde::Deserialize;
use shell::cells::{CELLS, PLAN};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The file that shows a comparison that is whole; its plan is there from the beginning.
const COMPARED: &str = "compare.json";

/// Something in a folder.
#[derive(Debug)]
pub struct Entry {
    /// The folder.
    pub folder: PathBuf,
    /// When it was last added to [s since 1970].
    pub changed_unix_s: u64,
    /// What it is.
    pub found: Found,
}

/// What a folder holds.
#[derive(Debug)]
pub enum Found {
    /// A run that came to its end, and its study file if it has one.
    Whole(Box<Read>, Option<Box<Config>>),
    /// A run that did not, or not yet.
    Begun(Box<Begun>),
    /// A comparison.
    Comparison(Comparison),
    /// The journal of a study that is or was served.
    Served(Box<Account>),
}

/// A run that did not come to its end.
#[derive(Debug)]
pub struct Begun {
    /// What it is.
    pub config: Config,
    /// Version of the program that began it.
    pub windhover: String,
    /// The evaluations that it has.
    pub history: Vec<Evaluation>,
    /// Whether a process works on it.
    pub in_use: bool,
}

/// What is said of a comparison in a line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Cells that are finished.
    pub cells: usize,
    /// Trajectories; empty until its tables are made, as the next fields.
    pub trajectories: Vec<String>,
    /// Its methods.
    pub methods: usize,
    /// Its seeds.
    pub seeds: Vec<u64>,
}

impl Entry {
    /// What `folder` holds; `None` if this program did not make it.
    ///
    /// # Errors
    /// A record, a journal or a study that is damaged or cannot be read.
    pub fn of(folder: &Path) -> Result<Option<Entry>, Error> {
        let there = |name: &str| folder.join(name).is_file();
        if there(RECORD) {
            let read = archive::read(folder)?;
            return Entry::whole(folder.to_owned(), read).map(Some);
        }
        let (file, found) = if there(journal::NAME) {
            (journal::NAME, Found::Begun(Box::new(Begun::read(folder)?)))
        } else if there(Messages::NAME) {
            (
                Messages::NAME,
                Found::Served(Box::new(Account::read(folder)?)),
            )
        } else if there(PLAN) {
            (PLAN, Found::Comparison(Comparison::read(folder)?))
        } else {
            return Ok(None);
        };
        Ok(Some(Entry {
            folder: folder.to_owned(),
            changed_unix_s: changed(&folder.join(file)),
            found,
        }))
    }

    /// As [`Entry::of`], for a folder that must hold something, or the record of a run in it.
    ///
    /// # Errors
    /// Those of [`Entry::of`], and that there is no run.
    pub fn read(path: &Path) -> Result<Entry, Error> {
        if let Some(entry) = Entry::of(path)? {
            return Ok(entry);
        }
        let read = archive::read(path)?;
        Entry::whole(read.folder().to_owned(), read)
    }

    fn whole(folder: PathBuf, read: Read) -> Result<Entry, Error> {
        let config = Config::of_run(&read)?.map(Box::new);
        Ok(Entry {
            changed_unix_s: changed(&folder.join(RECORD)),
            folder,
            found: Found::Whole(Box::new(read), config),
        })
    }
}

impl Begun {
    fn read(folder: &Path) -> Result<Begun, Error> {
        let inspection: Inspection = journal::inspect(folder)?;
        let in_use = inspection.holder.is_some();
        let contents = inspection.contents()?;
        let header = contents.header;
        Ok(Begun {
            config: Config::kept(&header.config, &folder.join("config.toml"))?,
            windhover: header.windhover,
            history: contents.trials,
            in_use,
        })
    }
}

impl Comparison {
    fn read(folder: &Path) -> Result<Comparison, Error> {
        #[derive(Deserialize)]
        struct Tables {
            seeds: Vec<u64>,
            blocks: Vec<Block>,
        }
        #[derive(Deserialize)]
        struct Block {
            trajectory: String,
            rows: Vec<serde::de::IgnoredAny>,
        }
        let cells = fs::read_dir(folder.join(CELLS)).map_or(0, |cells| cells.count());
        let path = folder.join(COMPARED);
        let text = match files::read_text(&path, files::MOST_RECORD) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Comparison {
                    cells,
                    ..Comparison::default()
                });
            }
            text => text.map_err(FileError::read(&path))?,
        };
        let remedy = "repeat the command that made it";
        let tables: Tables =
            serde_json::from_str(&text).map_err(|error| Failure::damaged(&path, error, remedy))?;
        let mut trajectories: Vec<String> =
            tables.blocks.iter().map(|b| b.trajectory.clone()).collect();
        trajectories.dedup();
        Ok(Comparison {
            cells,
            trajectories,
            methods: tables.blocks.first().map_or(0, |block| block.rows.len()),
            seeds: tables.seeds,
        })
    }
}

/// The entries of `folders`, and of the folders in those that are none themselves, the newest first;
/// and why some cannot be read.
///
/// # Errors
/// A folder that cannot be read.
pub fn entries(folders: &[PathBuf]) -> Result<(Vec<Entry>, Vec<Error>), Error> {
    let (mut found, mut faulty) = (Vec::new(), Vec::new());
    let mut take = |folder: &Path| match Entry::of(folder) {
        Ok(Some(entry)) => {
            found.push(entry);
            true
        }
        Ok(None) => false,
        Err(error) => {
            faulty.push(error);
            true
        }
    };
    for folder in folders {
        if take(folder) {
            continue;
        }
        for inner in fs::read_dir(folder).map_err(FileError::read(folder))? {
            let inner = inner.map_err(FileError::read(folder))?.path();
            if inner.is_dir() {
                take(&inner);
            }
        }
    }
    found.sort_by(|a, b| {
        let newest = b.changed_unix_s.cmp(&a.changed_unix_s);
        newest.then_with(|| a.folder.cmp(&b.folder))
    });
    Ok((found, faulty))
}

fn changed(file: &Path) -> u64 {
    let changed = fs::metadata(file).and_then(|found| found.modified());
    let since = changed.map(|changed| changed.duration_since(UNIX_EPOCH));
    since.map_or(0, |since| since.map_or(0, |since| since.as_secs()))
}

/// The day and minute of a time [s since 1970], in UTC: "2026-11-22 13:05".
pub fn date(unix_s: u64) -> String {
    let (days, seconds) = (unix_s / 86_400, unix_s % 86_400);
    // Days of the proleptic Gregorian calendar in eras of 400 years that begin in March (H. Hinnant,
    // "chrono-compatible low-level date algorithms").
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, (month + 2) % 12 + 1);
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute) = (seconds / 3600, seconds / 60 % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use shell::exit::Coded;

    #[test]
    fn dates_are_those_of_the_calendar() {
        // What `date -u -d @N` says.
        for (unix_s, wanted) in [
            (0, "1970-01-01 00:00"),
            (951_782_399, "2000-02-28 23:59"),
            (951_782_400, "2000-02-29 00:00"),
            (1_709_251_199, "2024-02-29 23:59"),
            (1_735_689_540, "2024-12-31 23:59"),
            (4_107_542_400, "2100-03-01 00:00"),
        ] {
            assert_eq!(date(unix_s), wanted);
        }
    }

    #[test]
    fn a_folder_of_anything_else_is_no_entry() {
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        assert!(Entry::of(folder.path()).expect("readable").is_none());
        let error = Entry::read(folder.path()).expect_err("nothing there");
        assert_eq!(error.exit_code(), 66);
        let error = entries(&[folder.path().join("none")]).expect_err("not there");
        assert_eq!(error.exit_code(), 66);
    }
}

//! Shelf: the folder of a comparison, where finished cells are kept.
//!
//! `plan.json` holds the budget that all cells share, `floor-*.json` the gains that the floor's
//! search found, `cells/KEY.json` one finished cell each,
//! written under another name and renamed when complete, so that a cell on the shelf is always a
//! whole one. Each of these files carries the CRC-32 (IEEE 802.3) of its content, and is refused
//! where it is not, to the byte, what was written. One process at a time holds a shelf.

mod seal;
#[cfg(test)]
mod tests;

use super::plan::Budget;
use crate::Error;
use crate::comparison::plan::cell::{Cell, Finished, FloorGains};
use crate::comparison::shelf::seal::{sealed, unsealed};
use crate::files;
use crate::run::disk::folder::Folder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// Name of the file that says what all cells share.
const PLAN: &str = "plan.json";

/// Name of the folder of the cells.
const CELLS: &str = "cells";

/// What to do about a file that is damaged: all but the plan is made again.
const REMAKE: &str = "remove it and it will be made again";

/// What to do about a plan that is damaged: it says what the cells are.
const REPLAN: &str = "its cells cannot be used without it; put it back, or name a new folder";

/// A comparison's folder, held by this process.
#[derive(Debug)]
pub struct Shelf {
    path: PathBuf,
    /// Held as long as the shelf lives; the system lets it go when the process dies.
    _lock: File,
}

impl Shelf {
    /// Opens the shelf in `path`, which is new, empty, or holds a comparison of the same budget;
    /// without a path, the next free folder called `automatic` below `runs`.
    ///
    /// # Errors
    /// A folder that holds something else, a comparison of another budget (the difference is
    /// named), another process at work in it, or a folder that cannot be written.
    pub fn open(path: Option<&Path>, automatic: &str, budget: &Budget) -> Result<Shelf, Error> {
        let path = match path {
            Some(path) if path.join(PLAN).is_file() => path.to_owned(),
            Some(path) => begin(&Folder::claim(path)?, budget)?,
            None => begin(&Folder::claim_next(Path::new("runs"), automatic)?, budget)?,
        };
        let shelf = Shelf {
            _lock: lock(&path)?,
            path,
        };
        let kept: Budget = shelf.read(&shelf.path.join(PLAN))?;
        match budget.difference(&kept) {
            None => Ok(shelf),
            Some((setting, wanted, kept)) => Err(Error::OtherComparison {
                path: shelf.path,
                setting,
                wanted,
                kept,
            }),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The finished cell, where it is kept.
    ///
    /// # Errors
    /// [`Error::Damaged`] when the file is not what was written.
    pub fn get(&self, cell: &Cell) -> Result<Option<Finished>, Error> {
        let file = self.file(cell);
        if !file.is_file() {
            return Ok(None);
        }
        let finished: Finished = self.read(&file)?;
        if finished.key != cell.key() {
            return Err(Error::Damaged {
                path: file,
                reason: format!("it holds the cell {}", finished.key),
                remedy: REMAKE,
            });
        }
        Ok(Some(finished))
    }

    /// Whether a cell is kept.
    pub fn holds(&self, cell: &Cell) -> bool {
        self.file(cell).is_file()
    }

    /// Keeps a finished cell.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn put(&self, cell: &Cell, finished: &Finished) -> Result<(), Error> {
        publish(&self.file(cell), &sealed("cell", finished)?)
    }

    /// The floor's gains on `trajectory` in one domain, where they are kept.
    ///
    /// # Errors
    /// [`Error::Damaged`] when the file is not what was written.
    pub fn get_floor(&self, trajectory: &str, domain: usize) -> Result<Option<FloorGains>, Error> {
        let file = self.floor_file(trajectory, domain);
        if file.is_file() {
            return Ok(Some(self.read(&file)?));
        }
        Ok(None)
    }

    /// Keeps the floor's gains.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn put_floor(&self, floor: &FloorGains) -> Result<(), Error> {
        let file = self.floor_file(&floor.trajectory, floor.domain);
        publish(&file, &sealed("floor", floor)?)
    }

    fn floor_file(&self, trajectory: &str, domain: usize) -> PathBuf {
        self.path.join(format!("floor-{trajectory}-{domain}.json"))
    }

    /// Writes a file made from the cells; an earlier one of the same name is replaced.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        publish(&self.path.join(name), text)
    }

    fn file(&self, cell: &Cell) -> PathBuf {
        self.path.join(CELLS).join(format!("{}.json", cell.key()))
    }

    fn read<T: Serialize + DeserializeOwned>(&self, file: &Path) -> Result<T, Error> {
        let damaged = |reason: String| Error::Damaged {
            remedy: match file.file_name().is_some_and(|name| name == PLAN) {
                true => REPLAN,
                false => REMAKE,
            },
            path: file.to_owned(),
            reason,
        };
        let text = files::read_text(file, files::MOST_RECORD);
        let text = text.map_err(|error| damaged(error.to_string()))?;
        unsealed(&text)?.map_err(damaged)
    }
}

/// Makes a claimed folder a shelf.
fn begin(folder: &Folder, budget: &Budget) -> Result<PathBuf, Error> {
    let path = folder.path().to_owned();
    let cells = path.join(CELLS);
    fs::create_dir(&cells).map_err(|source| Error::Write {
        path: cells,
        source,
    })?;
    publish(&path.join(PLAN), &sealed("plan", budget)?)?;
    Ok(path)
}

fn lock(path: &Path) -> Result<File, Error> {
    let failed = |source| Error::Write {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path.join(PLAN)).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::InUse {
            path: path.to_owned(),
        }),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

/// Writes `path` whole or not at all.
fn publish(path: &Path, text: &str) -> Result<(), Error> {
    files::replace(path, text.as_bytes()).map_err(|source| Error::Write {
        path: path.to_owned(),
        source,
    })
}

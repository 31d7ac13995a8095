//! Store: the folder in which finished cells are kept, shared by all who work them out.

use super::claim;
use super::claim::CLAIMS;
use super::owner::{Owner, now_s};
use super::place::Place;
use super::seal::{Origin, Sealed, Stamp, sealed, unsealed};
use crate::files::{FileError, checksum};
use crate::folder::Folder;
use crate::{Failure, exit};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Name of the file that says what all cells share.
pub const PLAN: &str = "plan.json";
/// Folder of the finished cells.
pub const CELLS: &str = "cells";
/// Folder of the reasons why cells failed.
pub(super) const FAILED: &str = "failed";
/// Folder of what cells came to that others had finished with other bytes.
pub(super) const DIFFERING: &str = "differing";

/// What to do about a file that is damaged: all but the plan is made again.
pub(super) const REMAKE: &str = "remove it and it will be made again";
/// What to do about a plan that is damaged: it says what the cells are.
const REPLAN: &str = "its cells cannot be used without it; put it back, or name a new folder";

/// How a process works in a store.
#[derive(Debug, Clone)]
pub struct Rules {
    /// What this process works cells out with.
    pub stamp: Stamp,
    /// Whether cells of another build or arithmetic are taken too.
    pub mixed: bool,
    /// How long a claim holds without being renewed.
    pub lease: Duration,
}

/// A folder of cells.
#[derive(Debug, Clone)]
pub struct ResultStore {
    place: Place,
    rules: Rules,
    /// CRC-32 of the plan that was there first; empty for who works nothing out.
    plan: String,
}

impl ResultStore {
    /// Opens the store at `path`, which is new, empty, or holds cells; and the plan that was there
    /// first, which is `plan` where the folder is new.
    ///
    /// # Errors
    /// A folder that holds something else, that cannot be written, or whose plan is damaged.
    pub fn open<P>(path: &Path, plan: &P, rules: Rules) -> Result<(ResultStore, P), Failure>
    where
        P: Serialize + DeserializeOwned,
    {
        let (place, file) = (Place::at(path), path.join(PLAN));
        if !file.is_file() {
            match Folder::claim(path, &[PLAN, super::place::PARTS]) {
                // Another process may have begun it just now.
                Err(FileError::Occupied(..)) if file.is_file() => {}
                claimed => {
                    let claimed = claimed?;
                    place.publish(&claimed.file(PLAN), &sealed(plan, None))?;
                }
            }
        }
        let mut store = ResultStore {
            place,
            rules,
            plan: String::new(),
        };
        let kept = store.read::<P>(&file, REPLAN)?;
        let kept = kept.ok_or_else(|| no_store(path))?.content;
        store.plan = checksum(sealed(&kept, None).as_bytes());
        Ok((store, kept))
    }

    /// The store at `path` as one sees it who works nothing out.
    ///
    /// # Errors
    /// A folder without cells.
    pub(super) fn visit(path: &Path) -> Result<ResultStore, Failure> {
        if !path.join(PLAN).is_file() {
            return Err(no_store(path));
        }
        let nobody = || "nobody".to_owned();
        let rules = Rules {
            stamp: Stamp {
                build: nobody(),
                arithmetic: nobody(),
            },
            mixed: true,
            lease: Duration::ZERO,
        };
        Ok(ResultStore {
            place: Place::at(path),
            rules,
            plan: String::new(),
        })
    }

    /// That the plan that was there first is the one that is wanted.
    ///
    /// # Errors
    /// Another plan, with the first setting that differs.
    pub(super) fn check_plan<P: Serialize + PartialEq>(
        &self,
        kept: &P,
        wanted: &P,
    ) -> Result<(), Failure> {
        if kept == wanted {
            return Ok(());
        }
        let [kept, wanted] = [kept, wanted].map(|plan| serde_json::to_value(plan).ok());
        let (setting, kept, wanted) = difference("settings", kept, wanted);
        Err(Failure::usage(format!(
            "{} was begun with {setting} {kept}, not {wanted}; name another folder or the same settings",
            self.path().display()
        )))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whether a cell is finished.
    pub fn holds(&self, key: &str) -> bool {
        self.cell(key).is_file()
    }

    /// Whether a cell is finished, and to the bit what was written, by an equal where others are
    /// not taken.
    ///
    /// # Errors
    /// A damaged cell, one of another name or plan, or of another build or arithmetic.
    pub fn check(&self, key: &str) -> Result<bool, Failure> {
        Ok(self.found::<IgnoredAny>(key)?.is_some())
    }

    /// What a finished cell holds.
    ///
    /// # Errors
    /// Those of [`ResultStore::check`], and a cell that is not there.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Result<T, Failure> {
        let found = self.found(key)?.map(|(content, _)| content);
        found.ok_or_else(|| {
            let path = self.cell(key);
            let line = format!(
                "{} is missing: it was removed meanwhile; the same command works it out again",
                path.display()
            );
            Failure::new(line, exit::LEFT)
        })
    }

    /// What the finished cells of these names were worked out by, where it is not all the same as
    /// this process, each once.
    pub fn foreign_stamps(&self, keys: &[String]) -> Vec<Stamp> {
        let stamp = |key: &String| Some(self.found::<IgnoredAny>(key).ok()??.1);
        let stamps = keys.iter().filter_map(stamp);
        let foreign: BTreeSet<Stamp> = stamps.filter(|stamp| *stamp != self.rules.stamp).collect();
        foreign.into_iter().collect()
    }

    /// What a finished cell holds and was worked out by, where it is finished.
    fn found<T: DeserializeOwned>(&self, key: &str) -> Result<Option<(T, Stamp)>, Failure> {
        let path = self.cell(key);
        let Some(Sealed { origin, content }) = self.read::<T>(&path, REMAKE)? else {
            return Ok(None);
        };
        let refuse = |reason: &str| Err(Failure::damaged(&path, reason, REMAKE));
        match origin {
            None => refuse("it does not say which cell it is, of which plan and build"),
            Some(Origin { cell, .. }) if cell != key => refuse(&format!("it is cell {cell}")),
            Some(Origin { stamp, .. }) if stamp != self.rules.stamp && !self.rules.mixed => {
                Err(self.unequal(&path, &stamp))
            }
            Some(Origin { plan, .. }) if plan != self.plan => {
                refuse("it was worked out with other settings")
            }
            Some(Origin { stamp, .. }) => Ok(Some((content, stamp))),
        }
    }

    /// That a finished cell was made by another build or with other arithmetic.
    fn unequal(&self, path: &Path, theirs: &Stamp) -> Failure {
        Failure::usage(format!(
            "{} was made by {theirs}, this is {}: their last bits may differ; --mixed takes both, or name a new folder",
            path.display(),
            self.rules.stamp
        ))
    }

    /// Keeps a finished cell. Where it is kept already, by an equal, it must have the same bytes.
    ///
    /// # Errors
    /// A cell that has not; the second result is kept in `differing`.
    pub fn put<T: Serialize>(&self, key: &str, finished: &T) -> Result<(), Failure> {
        let path = self.cell(key);
        let origin = Origin {
            stamp: self.rules.stamp.clone(),
            plan: self.plan.clone(),
            cell: key.to_owned(),
        };
        let text = sealed(finished, Some(&origin));
        if !self.place.publish(&path, &text)? {
            self.compare(key, &path, &text)?;
        }
        let _ = std::fs::remove_file(self.place.file(FAILED, key));
        Ok(())
    }

    fn compare(&self, key: &str, path: &Path, ours: &str) -> Result<(), Failure> {
        let Some(theirs) = self.place.read(path, REMAKE)? else {
            // A link to nothing, or a cell that was removed just now.
            return self.place.replace(path, ours);
        };
        match self.found::<IgnoredAny>(key)? {
            Some((_, stamp)) if stamp == self.rules.stamp && theirs != ours => {
                let token = Owner::this_process().token();
                let other = self.place.file(DIFFERING, &format!("{key}.{token}"));
                self.place.replace(&other, ours)?;
                Err(self.differing(key, &other))
            }
            _ => Ok(()),
        }
    }

    /// That a cell was finished twice by equals, with different bytes.
    fn differing(&self, key: &str, other: &Path) -> Failure {
        let line = format!(
            "cell {key} came out in two ways of the same build and arithmetic: {} and {} differ, so one of two machines is at fault; remove both files and it is worked out again",
            self.cell(key).display(),
            other.display()
        );
        Failure::new(line, exit::MACHINE)
    }

    /// Writes a file that was made from the cells; an earlier one of its name is replaced.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, Failure> {
        let path = self.place.path().join(name);
        self.place.replace(&path, text)?;
        Ok(path)
    }

    pub(super) fn cell(&self, key: &str) -> PathBuf {
        self.place.file(CELLS, key)
    }

    pub(super) fn read<T: DeserializeOwned>(
        &self,
        path: &Path,
        remedy: &'static str,
    ) -> Result<Option<Sealed<T>>, Failure> {
        let Some(text) = self.place.read(path, remedy)? else {
            return Ok(None);
        };
        let kept = unsealed(&text).map(Some);
        kept.map_err(|reason| Failure::damaged(path, reason, remedy))
    }
}

/// The failure if the folder of cells is absent.
fn no_store(path: &Path) -> Failure {
    let line = format!("{} holds no cells: it has no plan.json", path.display());
    Failure::new(line, exit::NO_INPUT)
}

/// The first setting in which two plans differ, and both values.
fn difference(
    name: &str,
    kept: Option<serde_json::Value>,
    wanted: Option<serde_json::Value>,
) -> (String, String, String) {
    use serde_json::Value::{self, Object};
    const LONGEST: usize = 80;
    if let (Some(Object(kept)), Some(Object(wanted))) = (&kept, &wanted) {
        let own = [kept, wanted].map(|thing| thing.get("name").map(Value::to_string));
        if let [Some(kept), Some(wanted)] = own
            && kept != wanted
        {
            return (name.to_owned(), kept, wanted);
        }
        let mut names = wanted.keys().chain(kept.keys());
        if let Some(name) = names.find(|name| kept.get(*name) != wanted.get(*name)) {
            let [kept, wanted] = [kept, wanted].map(|plan| plan.get(name).cloned());
            return difference(name, kept, wanted);
        }
    }
    let [kept, wanted] = [kept, wanted].map(|value| match value {
        Some(Value::String(text)) if text.len() > LONGEST => {
            format!("(checksum {})", checksum(text.as_bytes()))
        }
        Some(value) => value.to_string(),
        None => "none".to_owned(),
    });
    (name.replace('_', "-"), kept, wanted)
}

/// Folder of the lists of cells that were asked for.
const ASKED: &str = "asked";
/// The last request to begin nothing more, without its ending.
const DRAIN: &str = "drain";

/// Why a cell failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reason {
    pub(super) error: String,
    pub(super) host: String,
    pub(super) process: u32,
    /// When [s since 1970].
    pub(super) at_s: u64,
}

impl ResultStore {
    /// Notes that these cells are asked for, so that any process can say how many are left.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn ask(&self, keys: &[String]) -> Result<(), Failure> {
        let text = sealed(&keys, None);
        let name = checksum(text.as_bytes());
        self.place()
            .publish(&self.place().file(ASKED, &name), &text)?;
        Ok(())
    }

    /// That no cell was ever finished with two results.
    ///
    /// # Errors
    /// A cell with two results.
    pub fn check_differing(&self) -> Result<(), Failure> {
        match self.place().names(DIFFERING).first() {
            None => Ok(()),
            Some(name) => {
                let key = name.rsplit_once('.').map_or(&**name, |(key, _)| key);
                Err(self.differing(key, &self.place().file(DIFFERING, name)))
            }
        }
    }

    /// Cells that differ, for a person.
    pub(super) fn differing_names(&self) -> Vec<String> {
        self.place().names(DIFFERING)
    }

    /// Notes that a cell failed.
    pub(super) fn fail(&self, key: &str, error: &str) -> Result<(), Failure> {
        let owner = Owner::this_process();
        let reason = Reason {
            error: error.to_owned(),
            host: owner.host.clone(),
            process: owner.process,
            at_s: now_s(),
        };
        let path = self.place().file(FAILED, key);
        self.place().replace(&path, &sealed(&reason, None))
    }

    pub(super) fn failures(&self) -> Vec<(String, Reason)> {
        let names = self.place().names(FAILED).into_iter();
        let failure = |key: String| {
            let found = self.read::<Reason>(&self.place().file(FAILED, &key), REMAKE);
            Some((key, found.ok()??.content))
        };
        names.filter_map(failure).collect()
    }

    /// The names that were ever asked for, in the order of the first list that has each.
    pub(super) fn asked(&self) -> Result<Vec<String>, Failure> {
        let mut keys = Vec::new();
        let mut known = BTreeSet::new();
        for name in self.place().names(ASKED) {
            let list = self.read::<Vec<String>>(&self.place().file(ASKED, &name), REMAKE)?;
            for key in list.into_iter().flat_map(|list| list.content) {
                if known.insert(key.clone()) {
                    keys.push(key);
                }
            }
        }
        Ok(keys)
    }

    /// Asks all who are at work now to finish what they have begun, and to begin nothing more.
    pub(super) fn drain(&self) -> Result<(), Failure> {
        let request = (Owner::this_process(), now_s());
        let path = self.path().join(format!("{DRAIN}.json"));
        self.place().replace(&path, &sealed(&request, None))
    }

    /// The last such request; processes that began before it obey it.
    pub(super) fn drained(&self) -> Option<String> {
        let path = self.path().join(format!("{DRAIN}.json"));
        fs::read_to_string(path).ok()
    }

    /// Removes what those left behind that were killed.
    pub fn tidy(&self) {
        for key in self.place().names(CLAIMS) {
            let found = claim::found(self.place(), &key);
            if self.holds(&key) && found.is_none_or(|record| record.is_over()) {
                let _ = fs::remove_file(self.place().file(CLAIMS, &key));
            }
        }
        self.place().tidy(&[CLAIMS, FAILED]);
    }
}

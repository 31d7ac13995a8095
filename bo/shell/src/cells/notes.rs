//! Notes: what processes leave in a folder of cells for one another and for people: which cells are
//! asked for, which failed or came out in two ways, and that nothing more is to be begun.

use super::claim::{self, CLAIMS};
use super::error::CellsError;
use super::owner::{Owner, now_s};
use super::seal::sealed;
use super::store::{DIFFERING, FAILED, REMAKE, ResultStore};
use crate::files::checksum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;

/// Folder of the lists of cells that were asked for.
const ASKED: &str = "asked";
/// The last request to begin nothing more, without its ending.
const DRAIN: &str = "drain";

/// Why a cell failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Failure {
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
    /// [`CellsError::Write`].
    pub fn ask(&self, keys: &[String]) -> Result<(), CellsError> {
        let text = sealed(&keys, None);
        let name = checksum(text.as_bytes());
        self.place()
            .publish(&self.place().file(ASKED, &name), &text)?;
        Ok(())
    }

    /// That no cell was ever finished with two results.
    ///
    /// # Errors
    /// [`CellsError::Differing`].
    pub fn check_differing(&self) -> Result<(), CellsError> {
        match self.place().names(DIFFERING).first() {
            None => Ok(()),
            Some(name) => {
                let key = name.rsplit_once('.').map_or(&**name, |(key, _)| key);
                Err(self.differing(key, self.place().file(DIFFERING, name)))
            }
        }
    }

    /// Cells that differ, for a person.
    pub(super) fn differing_names(&self) -> Vec<String> {
        self.place().names(DIFFERING)
    }

    /// Notes that a cell failed.
    pub(super) fn fail(&self, key: &str, error: &str) -> Result<(), CellsError> {
        let owner = Owner::this_process();
        let failure = Failure {
            error: error.to_owned(),
            host: owner.host.clone(),
            process: owner.process,
            at_s: now_s(),
        };
        let path = self.place().file(FAILED, key);
        self.place().replace(&path, &sealed(&failure, None))
    }

    pub(super) fn failures(&self) -> Vec<(String, Failure)> {
        let names = self.place().names(FAILED).into_iter();
        let failure = |key: String| {
            let found = self.read::<Failure>(&self.place().file(FAILED, &key), REMAKE);
            Some((key, found.ok()??.content))
        };
        names.filter_map(failure).collect()
    }

    /// The names that were ever asked for, in the order of the first list that has each.
    pub(super) fn asked(&self) -> Result<Vec<String>, CellsError> {
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
    pub(super) fn drain(&self) -> Result<(), CellsError> {
        let request = (Owner::this_process(), now_s());
        let path = self.path().join(format!("{DRAIN}.json"));
        self.place().replace(&path, &sealed(&request, None))
    }

    /// The last request of that kind: whoever began before it obeys it.
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

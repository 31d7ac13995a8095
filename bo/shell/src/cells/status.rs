//! Status: how far the cells of a folder are, from any process.

use super::claim;
use super::owner::now_s;
use super::store::ResultStore;
use crate::Failure;
use crate::progress::in_words;
use crate::table::Table;
use crate::terminal::printable;
use serde::Serialize;
use std::fs;
use std::time::{Duration, UNIX_EPOCH};

/// Name and version of its JSON form.
const SCHEMA: &str = "windhover-cells/1";

/// How far cells are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    schema: &'static str,
    folder: String,
    /// All cells.
    pub cells: usize,
    /// Finished ones.
    pub done: usize,
    /// Those that somebody is at work on.
    pub running: Vec<Running>,
    /// Those that failed and were not finished since.
    pub failed: Vec<Failed>,
    /// Files of results that differ from the one that was kept.
    pub differing: Vec<String>,
    /// About how long the rest takes at the pace of those who are at work now [s].
    pub left_s: Option<u64>,
}

/// A cell that somebody is at work on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Running {
    cell: String,
    host: String,
    process: u32,
    for_s: u64,
}

/// A cell that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failed {
    cell: String,
    host: String,
    error: String,
}

impl Failed {
    /// For a person.
    pub fn line(&self) -> String {
        format!("cell {} failed on {}: {}", self.cell, self.host, self.error)
    }
}

impl Status {
    /// The status of all cells that were asked for in `store`.
    ///
    /// # Errors
    /// A list of cells that is damaged.
    pub fn of(store: &ResultStore) -> Result<Status, Failure> {
        let keys = store.asked()?;
        let (done, open): (Vec<_>, Vec<_>) = keys.iter().partition(|key| store.holds(key));
        let claims = open.iter().filter_map(|key| {
            let record = claim::found(store.place(), key)?;
            (!record.is_over()).then_some((*key, record))
        });
        let claims: Vec<_> = claims.collect();
        let since_s = claims.iter().map(|(_, record)| record.owner.since_s).min();
        let failures = store.failures().into_iter();
        let failed = failures.filter(|(key, _)| !store.holds(key));
        let running = claims.into_iter().map(|(key, record)| Running {
            cell: key.clone(),
            host: record.owner.host.clone(),
            process: record.owner.process,
            for_s: now_s().saturating_sub(record.begun_s),
        });
        Ok(Status {
            schema: SCHEMA,
            folder: store.path().display().to_string(),
            cells: keys.len(),
            running: running.collect(),
            failed: failed
                .map(|(cell, failure)| Failed {
                    cell,
                    host: failure.host,
                    error: failure.error,
                })
                .collect(),
            differing: store.differing_names(),
            left_s: since_s.and_then(|since_s| left_s(store, &done, open.len(), since_s)),
            done: done.len(),
        })
    }

    /// As lines for a person.
    pub fn text(&self) -> String {
        let open = self.cells - self.done - self.running.len();
        let mut text = format!(
            "{}: {} of {} cells done, {} running, {open} open, {} failed",
            self.folder,
            self.done,
            self.cells,
            self.running.len(),
            self.failed.len()
        );
        if let Some(left_s) = self.left_s {
            text += &format!("; about {} left", in_words(Duration::from_secs(left_s)));
        }
        text.push('\n');
        let running = self.running.iter().map(|running| {
            let whom = format!("{}, process {}", running.host, running.process);
            let time = in_words(Duration::from_secs(running.for_s));
            vec![
                running.cell.clone(),
                format!("running for {time} on {whom}"),
            ]
        });
        let failed = self.failed.iter().map(|failed| {
            let said = format!("failed on {}: {}", failed.host, printable(&failed.error));
            vec![failed.cell.clone(), said]
        });
        let differing = self.differing.iter();
        let differing = differing.map(|name| vec![name.clone(), "differs".to_owned()]);
        let rows = running.chain(failed).chain(differing);
        text + &Table::of_words(["", ""]).with(rows).text(2)
    }
}

/// The time that `open` cells take at the pace since `since_s`.
fn left_s(store: &ResultStore, done: &[&String], open: usize, since_s: u64) -> Option<u64> {
    let finished_s = |key: &&&String| {
        let found = fs::metadata(store.cell(key)).ok()?.modified().ok()?;
        Some(found.duration_since(UNIX_EPOCH).ok()?.as_secs())
    };
    let since = done.iter().filter_map(|key| finished_s(&key));
    let finished = since.filter(|at_s| *at_s >= since_s).count() as u64;
    let elapsed_s = now_s().saturating_sub(since_s);
    (finished > 0).then(|| elapsed_s * open as u64 / finished)
}

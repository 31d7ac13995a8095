//! Claim: a file that names the process at work on a cell, so that no other begins it meanwhile.
//!
//! It is made where there was none, and renewed by a rename while the work continues. A claim that was
//! seen unchanged for a lease, or whose process is known to be dead, is taken over: replaced by the one
//! process whose turn it is. No result rests on a claim: if two processes both assume that they have it,
//! as where one comes back that was thought dead, a cell is worked out twice.

use super::owner::{Owner, now_s};
use super::place::Place;
use crate::{Failure, files};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Folder of the claims.
pub(super) const CLAIMS: &str = "claims";

/// Renewals within a lease: some may come late.
const RENEWALS: u32 = 4;

/// Largest claim [bytes].
const MOST: u64 = 1 << 16;

/// What a claim says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// Who is at work.
    pub(super) owner: Owner,
    /// When it was claimed [s since 1970].
    pub(super) begun_s: u64,
    /// When it was last renewed [s since 1970].
    renewed_s: u64,
    /// How long it holds without being renewed [s].
    lease_s: u64,
}

impl Record {
    /// As its process wrote it, whenever it was renewed.
    fn same_claim(&self, other: &Record) -> bool {
        self.owner == other.owner && self.begun_s == other.begun_s
    }

    /// Whether its process is known to be dead, or late by this machine's clock: for a person, since
    /// the clocks of two machines may disagree.
    pub(super) fn is_over(&self) -> bool {
        self.owner.is_dead() || now_s() > self.renewed_s.saturating_add(self.lease_s)
    }

    fn text(&self) -> String {
        serde_json::to_string(self).expect("names and numbers are always representable") + "\n"
    }
}

/// Another's file, and since when this process has seen it unchanged.
type Seen = (Vec<u8>, Instant);

/// The claims of this process in one folder.
#[derive(Debug)]
pub(super) struct Claims {
    inner: Arc<Inner>,
    renewer: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Inner {
    place: Place,
    lease: Duration,
    held: Mutex<BTreeMap<String, Record>>,
    /// Claims and turns of others: by this process's own clock they end.
    seen: Mutex<BTreeMap<PathBuf, Seen>>,
    /// That nothing is to be renewed any more.
    over: Mutex<bool>,
    rung: Condvar,
}

impl Claims {
    /// None yet. They are renewed until this is dropped.
    pub(super) fn of(place: Place, lease: Duration) -> Claims {
        let inner = Arc::new(Inner {
            place,
            lease,
            held: Mutex::default(),
            seen: Mutex::default(),
            over: Mutex::default(),
            rung: Condvar::new(),
        });
        let renewing = Arc::clone(&inner);
        let renewer = thread::spawn(move || renewing.renew_until_over());
        Claims {
            inner,
            renewer: Some(renewer),
        }
    }

    /// Tries to claim a cell; whether it is this process's now.
    pub(super) fn attempt(&self, key: &str) -> Result<bool, Failure> {
        self.inner.attempt(key)
    }

    /// Gives a claim back.
    pub(super) fn release(&self, key: &str) {
        self.inner.release(key);
    }

    /// A function that gives all claims back.
    pub(super) fn releaser(&self) -> impl Fn() + Send + 'static {
        let inner = Arc::clone(&self.inner);
        move || {
            let keys: Vec<String> = inner.held().keys().cloned().collect();
            keys.iter().for_each(|key| inner.release(key));
        }
    }
}

impl Drop for Claims {
    fn drop(&mut self) {
        self.releaser()();
        *locked(&self.inner.over) = true;
        self.inner.rung.notify_all();
        // A renewer that panicked has nothing left to renew.
        let _ = self.renewer.take().map(JoinHandle::join);
    }
}

impl Inner {
    fn attempt(&self, key: &str) -> Result<bool, Failure> {
        let (owner, now) = (Owner::this_process().clone(), now_s());
        let own = Record {
            owner,
            begun_s: now,
            renewed_s: now,
            lease_s: self.lease.as_secs().max(1),
        };
        let path = self.place.file(CLAIMS, key);
        let taken = self.place.make(&path, &own.text())? || {
            let (bytes, is_over) = self.look(&path);
            is_over && self.take_over(key, &bytes, &own)?
        };
        if taken {
            self.held().insert(key.to_owned(), own);
        }
        Ok(taken)
    }

    /// What another's file holds, and whether it is over: its process is dead, or this process has
    /// seen it unchanged for a lease.
    fn look(&self, path: &Path) -> (Vec<u8>, bool) {
        let bytes = files::read(path, MOST).unwrap_or_default();
        let mut seen = locked(&self.seen);
        let since = match seen.get(path) {
            Some((same, since)) if *same == bytes => *since,
            _ => {
                let now = Instant::now();
                seen.insert(path.to_owned(), (bytes.clone(), now));
                now
            }
        };
        let unchanged = since.elapsed();
        let is_over = match serde_json::from_slice::<Record>(&bytes) {
            Ok(Record { owner, lease_s, .. }) => {
                // Renewals are seen in whole seconds.
                owner.is_dead() || unchanged > Duration::from_secs(lease_s.saturating_add(1))
            }
            // One that is being written, or whose writer died.
            Err(_) => unchanged > self.lease,
        };
        (bytes, is_over)
    }

    /// Puts `own` in the place of a claim that is over; whether that was still the one that was looked at.
    /// A second file, which one process alone can make, keeps all others away meanwhile: a claim that
    /// was taken away first would leave a moment in which another process makes one.
    fn take_over(&self, key: &str, looked_at: &[u8], own: &Record) -> Result<bool, Failure> {
        let path = self.place.file(CLAIMS, key);
        let turn = self.place.turn(key);
        if !self.place.make(&turn, &own.text())? {
            if self.look(&turn).1 {
                // Its process was killed within these lines; the next process finds none.
                let _ = fs::remove_file(&turn);
            }
            return Ok(false);
        }
        let found = files::read(&path, MOST).unwrap_or_default();
        let replaced = match found == looked_at {
            true => self.place.replace(&path, &own.text()).map(|()| true),
            false => Ok(false),
        };
        let _ = fs::remove_file(&turn);
        replaced
    }

    fn release(&self, key: &str) {
        let Some(own) = self.held().remove(key) else {
            return;
        };
        let path = self.place.file(CLAIMS, key);
        if found(&self.place, key).is_some_and(|found| found.same_claim(&own)) {
            let _ = fs::remove_file(path);
        }
    }

    fn renew_until_over(&self) {
        let every = self.lease / RENEWALS;
        let mut over = locked(&self.over);
        while !*over {
            let waited = self.rung.wait_timeout(over, every);
            over = waited.unwrap_or_else(|error| error.into_inner()).0;
            if !*over {
                let keys: Vec<String> = self.held().keys().cloned().collect();
                keys.iter().for_each(|key| self.renew(key));
            }
        }
    }

    /// A claim that cannot be renewed ends; what it would have saved is work.
    fn renew(&self, key: &str) {
        // Held until it is renewed: it must not be released in between, and then made again.
        let mut held = self.held();
        let Some(own) = held.get_mut(key) else {
            return;
        };
        own.renewed_s = now_s();
        let path = self.place.file(CLAIMS, key);
        match found(&self.place, key) {
            Some(found) if found.same_claim(own) => {
                let _ = self.place.replace(&path, &own.text());
            }
            Some(_) => drop(held.remove(key)),
            None => {
                let _ = self.place.make(&path, &own.text());
            }
        }
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<String, Record>> {
        locked(&self.held)
    }
}

/// The claim on a cell, where there is one that can be read.
pub(super) fn found(place: &Place, key: &str) -> Option<Record> {
    serde_json::from_slice(&files::read(&place.file(CLAIMS, key), MOST).ok()?).ok()
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that panicked left whole records behind.
    mutex.lock().unwrap_or_else(|error| error.into_inner())
}

//! Waiting: for a cell, or for work that is not divided, on which another process is at work.

use super::claim::{Attempt, Claims, Seen};
use super::error::CellsError;
use super::store::ResultStore;
use crate::interrupt::Interrupt;
use std::thread;
use std::time::{Duration, Instant};

/// How long it is waited before another's claim is looked at again: at first, and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(2)];

/// What is known of a cell on which another process is at work.
pub(super) struct Waiting {
    pub(super) seen: Option<Seen>,
    pub(super) look_at: Instant,
    pause: Duration,
}

impl Waiting {
    pub(super) fn since(now: Instant) -> Waiting {
        Waiting {
            seen: None,
            look_at: now,
            pause: PAUSES[0],
        }
    }

    /// Looks again later, and each time after a longer pause.
    pub(super) fn again(&mut self, seen: Seen) {
        self.seen = Some(seen);
        self.look_at = Instant::now() + self.pause;
        self.pause = (self.pause * 2).min(PAUSES[1]);
    }
}

/// Does `work`, which is not divided, once no other process does the work of that name in this folder.
///
/// # Errors
/// Those of `work`, and [`CellsError::Stopped`].
pub(super) fn alone<R, E: From<CellsError>>(
    store: &ResultStore,
    name: &str,
    interrupt: &Interrupt,
    work: impl FnOnce() -> Result<R, E>,
) -> Result<R, E> {
    let claims = Claims::of(store.place().clone(), store.rules().lease);
    let mut seen = None;
    loop {
        match claims.attempt(name, seen.take())? {
            Attempt::Taken => return work(),
            Attempt::Held(other) => seen = Some(other),
        }
        if interrupt.raised() {
            let code = interrupt.exit_code();
            return Err(CellsError::Interrupted { code }.into());
        }
        thread::sleep(PAUSES[0]);
    }
}

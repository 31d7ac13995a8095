//! Workers: the worker threads of one process at work on cells that others work on too.

use super::claim::Claims;
use super::store::ResultStore;
use crate::interrupt::Interrupt;
use crate::terminal::{self, word};
use crate::{Failure, exit};
use serde::Serialize;
use std::fmt::Display;
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// How often an idle worker polls.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A piece of work.
pub trait Cell: Sync {
    /// Its name: letters, digits, hyphens and dots.
    fn key(&self) -> String;
}

/// Runs `cells` on `threads` workers, shared with every other process that works in `store`,
/// and comes back when all are finished. `elsewhere` receives each that others finish meanwhile.
/// A cell that fails is noted, and the others are worked out all the same.
///
/// # Errors
/// The error of the first cell that failed; a damaged or unequal cell; work that was stopped.
pub fn run_cells<C, T, E>(
    store: &ResultStore,
    cells: &[&C],
    threads: usize,
    interrupt: &Interrupt,
    work: impl Fn(&C) -> Result<T, E> + Sync,
    elsewhere: impl Fn(&C) + Sync,
) -> Result<usize, E>
where
    C: Cell,
    T: Serialize,
    E: From<Failure> + Display + Send,
{
    let workers = Workers::of(store, cells, interrupt)?;
    let kept = workers.done();
    let _guard = interrupt.end_on_interrupt(workers.exit_message());
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| workers.work(&work, &elsewhere));
        }
    });
    workers.ended().map(|()| kept)
}

/// How far a cell is.
enum State {
    /// No worker of this process is running it.
    Open(Waiting),
    /// A worker of this process is running it.
    Begun,
    Done,
    Failed,
}

/// What a worker does next.
enum Next {
    Begin(usize),
    Later,
    Nothing,
}

/// What the workers of a process share.
struct Workers<'a, C, E> {
    store: &'a ResultStore,
    interrupt: &'a Interrupt,
    cells: &'a [&'a C],
    keys: Vec<String>,
    claims: Claims,
    /// The drain request that was there before this process.
    drained: Option<String>,
    board: Mutex<Board<E>>,
}

struct Board<E> {
    states: Vec<State>,
    /// Why the first cell failed.
    failed: Option<E>,
    /// Why no worker can continue.
    over: Option<E>,
}

impl<'a, C: Cell, E: From<Failure> + Display> Workers<'a, C, E> {
    fn of(
        store: &'a ResultStore,
        cells: &'a [&'a C],
        interrupt: &'a Interrupt,
    ) -> Result<Self, Failure> {
        let keys: Vec<String> = cells.iter().map(|cell| cell.key()).collect();
        let now = Instant::now();
        let state = |key: &String| {
            let open = || State::Open(Waiting::since(now));
            Ok(if store.check(key)? {
                State::Done
            } else {
                open()
            })
        };
        let board = Mutex::new(Board {
            states: keys.iter().map(state).collect::<Result<_, Failure>>()?,
            failed: None,
            over: None,
        });
        Ok(Workers {
            store,
            interrupt,
            cells,
            keys,
            claims: Claims::of(store.place().clone(), store.rules().lease),
            drained: store.drained(),
            board,
        })
    }

    /// Works until nothing is left to do; returns how many cells it finished.
    fn work<T: Serialize>(&self, work: &impl Fn(&C) -> Result<T, E>, elsewhere: &impl Fn(&C)) {
        while !self.is_over() {
            match self.next(elsewhere) {
                Ok(Next::Begin(place)) => self.begun(place, work),
                Ok(Next::Later) => thread::sleep(LOOK_EVERY),
                Ok(Next::Nothing) => break,
                Err(error) => self.end(error),
            }
        }
    }

    /// Runs a claimed cell; whether it finished.
    fn begun<T: Serialize>(&self, place: usize, work: &impl Fn(&C) -> Result<T, E>) {
        let key = &self.keys[place];
        let state = match work(self.cells[place]) {
            Ok(content) => match self.store.put(key, &content) {
                Ok(()) => State::Done,
                Err(error) => {
                    self.end(error);
                    State::Failed
                }
            },
            // Dropped, for another time.
            Err(_) if self.interrupt.raised() => State::open(),
            Err(error) => {
                terminal::warn(&format!("cell {key} failed: {error}"));
                if let Err(error) = self.store.fail(key, &error.to_string()) {
                    self.end(error);
                }
                self.board().failed.get_or_insert(error);
                State::Failed
            }
        };
        self.board().states[place] = state;
        self.claims.release(key);
    }

    /// The first cell that no process works on.
    fn next(&self, elsewhere: &impl Fn(&C)) -> Result<Next, Failure> {
        let mut board = self.board();
        let mut next = Next::Nothing;
        for place in 0..self.cells.len() {
            let key = &self.keys[place];
            let State::Open(waiting) = &mut board.states[place] else {
                continue;
            };
            next = Next::Later;
            if waiting.look_at > Instant::now() {
                continue;
            }
            if self.store.holds(key) {
                elsewhere(self.cells[place]);
                board.states[place] = State::Done;
                continue;
            }
            if self.is_drained() {
                return Ok(Next::Nothing);
            }
            if !self.claims.attempt(key)? {
                waiting.postpone();
            } else if self.store.holds(key) {
                // Finished between the two looks.
                self.claims.release(key);
            } else {
                board.states[place] = State::Begun;
                return Ok(Next::Begin(place));
            }
        }
        Ok(next)
    }

    /// Whether all workers are to stop.
    fn is_over(&self) -> bool {
        self.interrupt.raised() || self.board().over.is_some()
    }

    /// Whether a drain was requested since this process began.
    fn is_drained(&self) -> bool {
        self.store.drained() != self.drained
    }

    fn end(&self, error: Failure) {
        self.board().over.get_or_insert(error.into());
    }

    fn ended(self) -> Result<(), E> {
        let (done, code) = (self.done(), self.interrupt.exit_code());
        let why = match (self.interrupt.raised(), self.is_drained()) {
            (true, _) => Some(("interrupted", code)),
            (false, true) => Some(("drained", exit::LEFT)),
            (false, false) => None,
        };
        let board = self.board.into_inner();
        let board = board.unwrap_or_else(|error| error.into_inner());
        if let Some(over) = board.over {
            return Err(over);
        }
        match (why, board.failed) {
            _ if done == self.cells.len() => Ok(()),
            (Some(why), _) => Err(stopped(why, done, self.store, self.cells.len()).into()),
            (None, Some(failed)) => Err(failed),
            (None, None) => Ok(()),
        }
    }

    fn done(&self) -> usize {
        let board = self.board();
        let done = board
            .states
            .iter()
            .filter(|state| matches!(state, State::Done));
        done.count()
    }

    /// What is done and said where the work under way does not end soon after an interrupt: claims
    /// are given back.
    fn exit_message(&self) -> impl Fn() -> String + Send + 'static {
        let (release, keys) = (self.claims.releaser(), self.keys.clone());
        let store = self.store.clone();
        move || {
            release();
            let done = keys.iter().filter(|key| store.holds(key)).count();
            // The interrupt itself ends the process with its code.
            let why = ("interrupted", exit::INTERRUPTED);
            let stopped = stopped(why, done, &store, keys.len());
            format!("error: {stopped}")
        }
    }

    fn board(&self) -> MutexGuard<'_, Board<E>> {
        // A worker that panicked ends the process when the others are done.
        self.board.lock().unwrap_or_else(|error| error.into_inner())
    }
}

/// That work was stopped: by what, and the exit code for it.
fn stopped(why: (&str, u8), done: usize, store: &ResultStore, cells: usize) -> Failure {
    let (why, code) = why;
    let out = word(store.path());
    let line = format!(
        "{why}; {done} of {cells} cells are kept, go on with the same command and --out {out}"
    );
    Failure::new(line, code)
}

impl State {
    fn open() -> State {
        State::Open(Waiting::since(Instant::now()))
    }
}

/// How long it is waited before another's claim is looked at again: at first, and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(2)];

/// What is known of a cell on which another process is at work.
struct Waiting {
    look_at: Instant,
    pause: Duration,
}

impl Waiting {
    fn since(now: Instant) -> Waiting {
        Waiting {
            look_at: now,
            pause: PAUSES[0],
        }
    }

    /// Looks again later, and each time after a longer pause.
    fn postpone(&mut self) {
        self.look_at = Instant::now() + self.pause;
        self.pause = (self.pause * 2).min(PAUSES[1]);
    }
}

/// Does `work`, which is not divided, once no other process does the work of that name in this folder.
///
/// # Errors
/// Those of `work`, and an interrupt.
pub(super) fn alone<R, E: From<Failure>>(
    store: &ResultStore,
    name: &str,
    interrupt: &Interrupt,
    work: impl FnOnce() -> Result<R, E>,
) -> Result<R, E> {
    let claims = Claims::of(store.place().clone(), store.rules().lease);
    while !claims.attempt(name)? {
        if interrupt.raised() {
            let line = "interrupted; nothing was lost, go on with the same command";
            return Err(Failure::new(line, interrupt.exit_code()).into());
        }
        thread::sleep(PAUSES[0]);
    }
    work()
}

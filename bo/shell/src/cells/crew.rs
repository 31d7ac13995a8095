//! Crew: the hands of one process at work on cells that others work on too.

use super::claim::{Attempt, Claims};
use super::error::{CellsError, Why};
use super::shelf::Shelf;
use super::waiting::Waiting;
use crate::interrupt::Interrupt;
use crate::{exit, terminal};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// How often a hand that has nothing to do looks about.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A piece of work.
pub trait Cell: Sync {
    /// Its name: letters, digits, hyphens and dots.
    fn key(&self) -> String;

    /// Names of cells that must be finished before it can begin; they stand in the same list.
    fn needs(&self) -> Vec<String> {
        Vec::new()
    }
}

/// What came of working cells off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Done {
    /// Cells that were finished before.
    pub kept: usize,
    /// Cells that this process finished.
    pub here: usize,
}

/// Works `cells` off with so many hands, together with every other process that works on `shelf`,
/// and comes back when all are finished. `elsewhere` is told of each that others finish meanwhile.
/// A cell that fails is noted, and the others are worked out all the same.
///
/// # Errors
/// The error of the first cell that failed; a damaged or unequal cell; [`CellsError::Stopped`].
pub fn work_off<C, T, E>(
    shelf: &Shelf,
    cells: &[&C],
    hands: usize,
    interrupt: &Interrupt,
    work: impl Fn(&C) -> Result<T, E> + Sync,
    elsewhere: impl Fn(&C) + Sync,
) -> Result<Done, E>
where
    C: Cell,
    T: Serialize,
    E: From<CellsError> + Display + Send,
{
    let crew = Crew::of(shelf, cells, interrupt)?;
    let kept = crew.done();
    let _guard = interrupt.see_to_it(crew.last_words());
    let here = thread::scope(|scope| {
        let hand = || crew.hand(&work, &elsewhere);
        let hands: Vec<_> = (0..hands.max(1)).map(|_| scope.spawn(hand)).collect();
        let here = hands.into_iter().map(|hand| match hand.join() {
            Ok(here) => here,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        here.sum()
    });
    crew.ended().map(|()| Done { kept, here })
}

/// How far a cell is.
enum State {
    /// Nobody of this process is at work on it.
    Open(Waiting),
    /// A hand of this process is.
    Begun,
    Done,
    Failed,
}

/// What a hand does next.
enum Next {
    Begin(usize),
    Later,
    Nothing,
}

/// What the hands of a process share.
struct Crew<'a, C, E> {
    shelf: &'a Shelf,
    interrupt: &'a Interrupt,
    cells: &'a [&'a C],
    keys: Vec<String>,
    /// Of each cell, the places of those that it needs.
    needs: Vec<Vec<usize>>,
    claims: Claims,
    /// The request to begin nothing more that was there before this process.
    drained: Option<String>,
    board: Mutex<Board<E>>,
}

struct Board<E> {
    states: Vec<State>,
    /// Why the first cell failed.
    failed: Option<E>,
    /// Why no hand can go on.
    over: Option<E>,
}

impl<'a, C: Cell, E: From<CellsError> + Display> Crew<'a, C, E> {
    fn of(
        shelf: &'a Shelf,
        cells: &'a [&'a C],
        interrupt: &'a Interrupt,
    ) -> Result<Self, CellsError> {
        let keys: Vec<String> = cells.iter().map(|cell| cell.key()).collect();
        let places = keys
            .iter()
            .enumerate()
            .map(|(place, key)| (key.as_str(), place));
        let places: BTreeMap<&str, usize> = places.collect();
        let place = |key: String| places.get(&*key).copied();
        let needs = cells
            .iter()
            .map(|cell| cell.needs().into_iter().filter_map(place).collect());
        let needs = needs.collect();
        let now = Instant::now();
        let state = |key: &String| {
            let open = || State::Open(Waiting::since(now));
            Ok(if shelf.check(key)? {
                State::Done
            } else {
                open()
            })
        };
        let board = Mutex::new(Board {
            states: keys.iter().map(state).collect::<Result<_, CellsError>>()?,
            failed: None,
            over: None,
        });
        Ok(Crew {
            shelf,
            interrupt,
            cells,
            needs,
            keys,
            claims: Claims::of(shelf.place().clone(), shelf.rules().lease),
            drained: shelf.drained(),
            board,
        })
    }

    /// Works until there is nothing more to do; how many cells it finished.
    fn hand<T: Serialize>(
        &self,
        work: &impl Fn(&C) -> Result<T, E>,
        elsewhere: &impl Fn(&C),
    ) -> usize {
        let mut finished = 0;
        while !self.is_over() {
            match self.next(elsewhere) {
                Ok(Next::Begin(place)) => finished += usize::from(self.begun(place, work)),
                Ok(Next::Later) => thread::sleep(LOOK_EVERY),
                Ok(Next::Nothing) => break,
                Err(error) => self.end(error),
            }
        }
        finished
    }

    /// Works a claimed cell out; whether it is finished.
    fn begun<T: Serialize>(&self, place: usize, work: &impl Fn(&C) -> Result<T, E>) -> bool {
        let key = &self.keys[place];
        let (state, finished) = match work(self.cells[place]) {
            Ok(content) => match self.shelf.put(key, &content) {
                Ok(()) => (State::Done, true),
                Err(error) => {
                    self.end(error);
                    (State::Failed, false)
                }
            },
            // Dropped, for another time.
            Err(_) if self.interrupt.raised() => (State::open(), false),
            Err(error) => {
                terminal::warn(&format!("cell {key} failed: {error}"));
                if let Err(error) = self.shelf.fail(key, &error.to_string()) {
                    self.end(error);
                }
                self.board().failed.get_or_insert(error);
                (State::Failed, false)
            }
        };
        self.board().states[place] = state;
        self.claims.release(key);
        finished
    }

    /// The first cell that nobody is at work on.
    fn next(&self, elsewhere: &impl Fn(&C)) -> Result<Next, CellsError> {
        let mut board = self.board();
        let mut next = Next::Nothing;
        for place in 0..self.cells.len() {
            let key = &self.keys[place];
            let needed = || self.needs[place].iter().map(|need| &board.states[*need]);
            let ready = needed().all(|state| matches!(state, State::Done));
            let hopeless = needed().any(|state| matches!(state, State::Failed));
            let State::Open(waiting) = &mut board.states[place] else {
                continue;
            };
            if hopeless {
                board.states[place] = State::Failed;
                continue;
            }
            next = Next::Later;
            if waiting.look_at > Instant::now() {
                continue;
            }
            if self.shelf.holds(key) {
                elsewhere(self.cells[place]);
                board.states[place] = State::Done;
                continue;
            }
            if !ready {
                continue;
            }
            if self.is_drained() {
                return Ok(Next::Nothing);
            }
            match self.claims.attempt(key, waiting.seen.take())? {
                Attempt::Held(seen) => waiting.again(seen),
                // Finished between the two looks.
                Attempt::Taken if self.shelf.holds(key) => self.claims.release(key),
                Attempt::Taken => {
                    board.states[place] = State::Begun;
                    return Ok(Next::Begin(place));
                }
            }
        }
        Ok(next)
    }

    /// Whether no hand is to go on.
    fn is_over(&self) -> bool {
        self.interrupt.raised() || self.board().over.is_some()
    }

    /// Whether it was asked since this process began that nothing more is begun.
    fn is_drained(&self) -> bool {
        self.shelf.drained() != self.drained
    }

    fn end(&self, error: CellsError) {
        self.board().over.get_or_insert(error.into());
    }

    fn ended(self) -> Result<(), E> {
        let (done, code) = (self.done(), self.interrupt.exit_code());
        let why = match (self.interrupt.raised(), self.is_drained()) {
            (true, _) => Some(Why::Interrupted { code }),
            (false, true) => Some(Why::Drained),
            (false, false) => None,
        };
        let board = self.board.into_inner();
        let board = board.unwrap_or_else(|error| error.into_inner());
        if let Some(over) = board.over {
            return Err(over);
        }
        match (why, board.failed) {
            _ if done == self.cells.len() => Ok(()),
            (Some(why), _) => Err(stopped(why, done, self.shelf, self.cells.len()).into()),
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
    fn last_words(&self) -> impl Fn() -> String + Send + 'static {
        let (release, keys) = (self.claims.releaser(), self.keys.clone());
        let shelf = self.shelf.another();
        move || {
            release();
            let done = keys.iter().filter(|key| shelf.holds(key)).count();
            // The interrupt itself ends the process with its code.
            let why = Why::Interrupted {
                code: exit::INTERRUPTED,
            };
            let stopped = stopped(why, done, &shelf, keys.len());
            format!("error: {stopped}")
        }
    }

    fn board(&self) -> MutexGuard<'_, Board<E>> {
        // A hand that panicked ends the process when the others are done.
        self.board.lock().unwrap_or_else(|error| error.into_inner())
    }
}

fn stopped(why: Why, done: usize, shelf: &Shelf, cells: usize) -> CellsError {
    CellsError::Stopped {
        why,
        done,
        cells,
        path: shelf.path().to_owned(),
    }
}

impl State {
    fn open() -> State {
        State::Open(Waiting::since(Instant::now()))
    }
}

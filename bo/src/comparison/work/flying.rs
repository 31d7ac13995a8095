//! Flying: working out the cells of a plan, and showing how far this process is.

use crate::Error;
use crate::comparison::plan::Plan;
use crate::comparison::plan::cell::{Cell, DOMAINS, Finished};
use crate::comparison::work::tuner::work_out;
use crate::flights::evaluation::Evaluation;
use crate::interrupt::Interrupt;
use crate::run::progress::Progress;
use crate::run::tune::Observer;
use shell::cells::ResultStore;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// The cells of a plan, which are worked out on all threads; none depends on another, so the result
/// does not depend on the order.
pub struct Flying<'a> {
    plan: &'a Plan,
    interrupt: &'a Interrupt,
    shown: OnceLock<Shown>,
    /// Cells that are finished.
    done: AtomicUsize,
}

/// What a person sees.
struct Shown {
    progress: Mutex<Progress>,
    due: usize,
}

impl<'a> Flying<'a> {
    /// Of `plan`.
    pub fn new(plan: &'a Plan, interrupt: &'a Interrupt) -> Flying<'a> {
        Flying {
            plan,
            interrupt,
            shown: OnceLock::new(),
            done: AtomicUsize::new(0),
        }
    }

    /// Shows how far this process is with the cells that are `due`.
    pub fn show(&self, due: &[&Cell]) {
        let total = due.iter().map(|cell| flights(self.plan, cell)).sum();
        // The first look at it counts; there is no other before the work begins.
        let shown = || Shown::of(total, due.len(), self.interrupt);
        self.shown.get_or_init(shown);
    }

    /// Works a cell out.
    ///
    /// # Errors
    /// [`Error::Interrupted`], or a name that does not exist.
    pub fn work(&self, store: &ResultStore, cell: &Cell) -> Result<Finished, Error> {
        let (budget, folder) = (&self.plan.budget, store.path());
        let finished = work_out(cell, budget, folder, self.interrupt, &mut Member(self))?;
        self.done.fetch_add(1, Ordering::Relaxed);
        Ok(finished)
    }

    /// Counts a cell that another process finished.
    pub fn elsewhere(&self, cell: &Cell) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.advance(flights(self.plan, cell));
    }

    /// Takes the progress off the screen.
    pub fn finish(&self) {
        if let Some(Ok(progress)) = self.shown.get().map(|shown| shown.progress.lock()) {
            progress.display.finish();
        }
    }

    fn shown(&self) -> &Shown {
        self.shown.get_or_init(|| Shown::of(0, 0, self.interrupt))
    }

    /// Counts flights of a test.
    fn advance(&self, flights: u64) {
        let shown = self.shown();
        // Only a panic elsewhere could poison the lock; the display is no reason to end then.
        if let Ok(progress) = shown.progress.lock() {
            progress.advance(flights, &self.phrase(shown));
        }
    }

    /// "3/12 cells", whichever of them was at work last.
    fn phrase(&self, shown: &Shown) -> String {
        let done = self.done.load(Ordering::Relaxed);
        format!("{done}/{} cells", shown.due)
    }
}

impl Shown {
    fn of(flights: u64, due: usize, interrupt: &Interrupt) -> Shown {
        let progress = Progress::new(flights, "flights", interrupt.clone());
        let progress = Mutex::new(progress);
        Shown { progress, due }
    }
}

/// Flights that a cell takes.
fn flights(plan: &Plan, cell: &Cell) -> u64 {
    let training = if cell.method.trains() {
        plan.budget.tuning_flights()
    } else {
        0
    };
    training + test_flights(plan, cell)
}

/// Held-out flights of one cell: of what it would deploy, and of the best observed gains where there are
/// some.
fn test_flights(plan: &Plan, cell: &Cell) -> u64 {
    let candidates = if cell.method.trains() { 2 } else { 1 };
    DOMAINS as u64 * candidates * plan.budget.held_out_winds
}

/// Whoever works out a cell: all write to one display.
struct Member<'a, 'b>(&'a Flying<'b>);

impl Observer for Member<'_, '_> {
    fn evaluated(&mut self, history: &[Evaluation]) -> ControlFlow<()> {
        let shown = self.0.shown();
        let Ok(mut progress) = shown.progress.lock() else {
            return ControlFlow::Break(());
        };
        let last = history.last();
        let phrase = self.0.phrase(shown);
        progress.flown(last.is_some_and(|last| last.lost), &phrase);
        // One flight of an evaluation is counted with it.
        let others = last.map_or(0, |last| last.flights.len().saturating_sub(1));
        progress.advance(others as u64, &phrase);
        progress.continues()
    }

    fn tested(&self, flights: u64) {
        self.0.advance(flights);
    }
}

//! Flying: working out what a plan still lacks on its shelf.

use crate::Error;
use crate::comparison::plan::Plan;
use crate::comparison::plan::cell::{Cell, Finished, FloorGains};
use crate::comparison::plan::method::Method;
use crate::comparison::shelf::Shelf;
use crate::comparison::work::floor::{GENERATION, tune_in};
use crate::comparison::work::tuner::work_out;
use crate::flights::evaluation::Evaluation;
use crate::interrupt::Interrupt;
use crate::run::progress::Progress;
use crate::run::settings::Settings;
use crate::run::tune::Watcher;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Seed of the floor's search: it belongs to no seed of a comparison.
const FLOOR_SEED: u64 = 0;

/// Domains of the held-out winds: gusty and steady.
const DOMAINS: u64 = 2;

/// All cells of a plan.
#[derive(Debug)]
pub struct Cells {
    /// By key.
    pub finished: BTreeMap<String, Finished>,
    /// How many an earlier run had finished.
    pub kept: usize,
}

/// All cells of `plan`, from the shelf or flown now. Cells are worked out on all threads; none
/// depends on another, so the result does not depend on the order.
///
/// # Errors
/// [`Error::Stopped`] after an interrupt; a damaged cell, or one that cannot be written.
pub fn fly(plan: &Plan, shelf: &Shelf, interrupt: &Interrupt) -> Result<Cells, Error> {
    let cells = plan.cells();
    let mut finished = BTreeMap::new();
    for cell in &cells {
        if let Some(kept) = shelf.get(cell)? {
            finished.insert(cell.key(), kept);
        }
    }
    let kept = finished.len();
    let missing = |cell: &&Cell| !finished.contains_key(&cell.key());
    let due: Vec<Cell> = cells.iter().filter(missing).copied().collect();
    let crew = Crew::new(plan, shelf, interrupt, &due)?;
    let flown = crew
        .floors(&due)
        .and_then(|floors| crew.cells(&due, &floors));
    crew.finish();
    finished.extend(flown.map_err(|error| match error {
        Error::Interrupted { .. } => Error::Stopped {
            finished: cells.iter().filter(|cell| shelf.holds(cell)).count(),
            cells: cells.len(),
            path: shelf.path().to_owned(),
        },
        error => error,
    })?);
    Ok(Cells { finished, kept })
}

/// The floor's gains in each domain, by trajectory.
type Floors = BTreeMap<&'static str, Vec<FloorGains>>;

/// What everybody at work on a plan shares.
struct Crew<'a> {
    plan: &'a Plan,
    shelf: &'a Shelf,
    interrupt: &'a Interrupt,
    progress: Mutex<Progress>,
    /// Cells that are worked out, and how many are due.
    done: AtomicUsize,
    due: usize,
}

impl<'a> Crew<'a> {
    fn new(
        plan: &'a Plan,
        shelf: &'a Shelf,
        interrupt: &'a Interrupt,
        due: &[Cell],
    ) -> Result<Crew<'a>, Error> {
        let mut flights: u64 = due.iter().map(|cell| cell_flights(plan, cell)).sum();
        let search = (plan.budget.floor_flights / GENERATION).max(1) * GENERATION;
        for trajectory in floors_due(plan, due) {
            for domain in 0..DOMAINS as usize {
                if shelf.get_floor(trajectory, domain)?.is_none() {
                    flights += search;
                }
            }
        }
        Ok(Crew {
            plan,
            shelf,
            interrupt,
            progress: Mutex::new(Progress::new(flights, "flights", interrupt.clone())),
            done: AtomicUsize::new(0),
            due: due.len(),
        })
    }

    /// The floors that the cells due need, from the shelf or searched now.
    fn floors(&self, due: &[Cell]) -> Result<Floors, Error> {
        let mut floors = BTreeMap::new();
        for trajectory in floors_due(self.plan, due) {
            let domains = 0..DOMAINS as usize;
            let found = domains.map(|domain| self.floor(trajectory, domain));
            floors.insert(trajectory, found.collect::<Result<_, _>>()?);
        }
        Ok(floors)
    }

    fn floor(&self, trajectory: &'static str, domain: usize) -> Result<FloorGains, Error> {
        if let Some(kept) = self.shelf.get_floor(trajectory, domain)? {
            return Ok(kept);
        }
        let settings = Settings::of_paper(trajectory, "gp", FLOOR_SEED)?;
        let problem = settings.problem_of(self.plan.budget.airframe.clone())?;
        let flights = self.plan.budget.floor_flights;
        let flown = |flights| self.tested(flights);
        let floor = tune_in(&problem, domain, flights, self.interrupt, flown)?;
        self.shelf.put_floor(&floor)?;
        Ok(floor)
    }

    fn cells(&self, due: &[Cell], floors: &Floors) -> Result<Vec<(String, Finished)>, Error> {
        let work = |cell: &Cell| {
            let floors = floors.get(cell.trajectory).map_or(&[][..], Vec::as_slice);
            let budget = &self.plan.budget;
            let finished = work_out(cell, budget, floors, self.interrupt, &mut Member(self))?;
            self.shelf.put(cell, &finished)?;
            self.done.fetch_add(1, Ordering::Relaxed);
            Ok((cell.key(), finished))
        };
        due.par_iter().map(work).collect()
    }

    /// Counts flights of a test or of a floor.
    fn tested(&self, flights: u64) {
        // Only a panic elsewhere could poison the lock; the display is no reason to end then.
        if let Ok(progress) = self.progress.lock() {
            progress.advance(flights, &self.phrase());
        }
    }

    /// "3/12 cells", whichever of them was at work last.
    fn phrase(&self) -> String {
        let done = self.done.load(Ordering::Relaxed);
        format!("{done}/{} cells", self.due)
    }

    fn finish(&self) {
        if let Ok(progress) = self.progress.lock() {
            progress.finish();
        }
    }
}

/// Trajectories of which a floor's cell is due.
fn floors_due(plan: &Plan, due: &[Cell]) -> Vec<&'static str> {
    let due_on = |trajectory: &&'static str| {
        let mut cells = due.iter();
        cells.any(|cell| cell.method == Method::Floor && cell.trajectory == *trajectory)
    };
    plan.trajectories.iter().copied().filter(due_on).collect()
}

fn cell_flights(plan: &Plan, cell: &Cell) -> u64 {
    let training = if cell.method.trains() {
        plan.budget.tuning_flights()
    } else {
        0
    };
    training + test_flights(plan, cell)
}

/// Held-out flights of one cell: of what it would deploy, of the best observed gains where there are
/// some, and by each further rule that its surrogate has an answer for.
fn test_flights(plan: &Plan, cell: &Cell) -> u64 {
    let own = if cell.method.trains() { 2 } else { 1 };
    let candidates = own + plan.further(cell.method).count() as u64;
    DOMAINS * candidates * plan.budget.held_out_winds
}

/// Whoever works out a cell: all write to one display.
struct Member<'a>(&'a Crew<'a>);

impl Watcher for Member<'_> {
    fn evaluated(&mut self, made: &[Evaluation]) -> ControlFlow<()> {
        let Ok(mut progress) = self.0.progress.lock() else {
            return ControlFlow::Break(());
        };
        let last = made.last();
        let phrase = self.0.phrase();
        progress.flown(last.is_some_and(|last| last.lost), &phrase);
        // One flight of an evaluation is counted with it.
        let others = last.map_or(0, |last| last.flights.len().saturating_sub(1));
        progress.advance(others as u64, &phrase);
        progress.continues()
    }

    fn tested(&self, flights: u64) {
        self.0.tested(flights);
    }
}

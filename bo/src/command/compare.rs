//! `bo compare`: several methods, several seeds, the same winds.

use crate::Error;
use crate::args::CompareArgs;
use crate::comparison::{
    Cell, Finished, Method, Plan, Protocol, Shelf, Summary, draw, honest_table, paper_table,
    work_out,
};
use crate::floor::{FloorGains, GENERATION, tune_in};
use crate::history::{History, Trial};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::record::to_json;
use crate::run::Bench;
use crate::settings::Settings;
use crate::study::Watcher;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Instant;

/// Seed of the floor's search: it belongs to no seed of a comparison.
const FLOOR_SEED: u64 = 0;

/// What a comparison writes down beside its cells.
#[derive(Debug, Serialize)]
struct Comparison<'a> {
    schema: &'static str,
    #[serde(flatten)]
    summary: &'a Summary,
}

/// Compares, writes and returns the closing lines.
///
/// # Errors
/// See [`Error`].
pub fn compare(args: &CompareArgs, interrupt: &Interrupt) -> Result<String, Error> {
    let plan = args.plan()?;
    let threads = args.thread_count()?.unwrap_or(0);
    let named = match plan.trajectories[..] {
        [one] => one,
        _ => "all",
    };
    let automatic = format!("compare-{named}");
    let shelf = Shelf::open(args.out.as_deref(), &automatic, &plan.budget)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|source| Error::Threads { threads, source })?;
    pool.install(|| carry_out(&plan, &shelf, interrupt))
}

fn carry_out(plan: &Plan, shelf: &Shelf, interrupt: &Interrupt) -> Result<String, Error> {
    let started = Instant::now();
    let (finished, kept) = fly(plan, shelf, interrupt)?;
    let flown_s = started.elapsed().as_secs_f64();
    let domains: Vec<String> = Bench::new(&any_settings(plan, plan.trajectories[0])?)?
        .tuning
        .domains
        .into_iter()
        .map(|domain| domain.name)
        .collect();
    let summary = Summary::of(plan, &finished, &domains);
    let winds = plan.budget.held_out_winds;
    let text = match plan.protocol {
        Protocol::Paper => paper_table(&summary, winds),
        Protocol::Honest => honest_table(&summary, winds),
    };
    shelf.write("table.md", &text)?;
    let comparison = Comparison {
        schema: "windhover-compare/2",
        summary: &summary,
    };
    shelf.write("compare.json", &to_json("comparison", &comparison)?)?;
    let pictures = draw(plan, &finished, &summary, shelf.path())?;
    let mut closing = text;
    let _ = writeln!(
        closing,
        "\n{} cells, {kept} of them from an earlier run. Time {:.1} s: flights and fits {flown_s:.1}, tables and \
         pictures {:.1}.\nWritten to {}: table.md, compare.json, cells/, {} (.png and .svg)",
        plan.cells().len(),
        started.elapsed().as_secs_f64(),
        started.elapsed().as_secs_f64() - flown_s,
        shelf.path().display(),
        pictures.join(", ")
    );
    Ok(closing)
}

/// Settings of some run on `trajectory`, for what all its runs share.
fn any_settings(plan: &Plan, trajectory: &str) -> Result<Settings, Error> {
    let settings = Settings::of_paper(trajectory, "gp", FLOOR_SEED)?;
    Ok(Settings {
        held_out_winds: plan.budget.held_out_winds,
        ..settings
    })
}

/// All cells of the plan by key, from the shelf or flown now, and how many were on the shelf. Cells
/// are worked out on all threads; none depends on another, so the result does not depend on the
/// order.
fn fly(
    plan: &Plan,
    shelf: &Shelf,
    interrupt: &Interrupt,
) -> Result<(BTreeMap<String, Finished>, usize), Error> {
    let cells = plan.cells();
    let mut finished = BTreeMap::new();
    for cell in &cells {
        if let Some(kept) = shelf.get(cell)? {
            finished.insert(cell.key(), kept);
        }
    }
    let kept = finished.len();
    let due: Vec<Cell> = cells
        .iter()
        .filter(|cell| !finished.contains_key(&cell.key()))
        .copied()
        .collect();
    let floors_due: Vec<&'static str> = plan
        .trajectories
        .iter()
        .filter(|t| {
            due.iter()
                .any(|c| c.method == Method::Floor && c.trajectory == **t)
        })
        .copied()
        .collect();
    let flights = total_flights(plan, &due, floors_due.len() as u64);
    let progress = Mutex::new(Progress::new(flights, interrupt.clone()));
    let stopped = || Error::Stopped {
        finished: cells.iter().filter(|c| shelf.holds(c)).count(),
        cells: cells.len(),
        path: shelf.path().to_owned(),
    };
    let or_stopped = |error| match error {
        Error::Interrupted { .. } => stopped(),
        error => error,
    };
    let mut floors = BTreeMap::new();
    for trajectory in floors_due {
        let found = find_floor(plan, trajectory, interrupt, &progress).map_err(or_stopped)?;
        floors.insert(trajectory, found);
    }
    let flown: Result<Vec<(String, Finished)>, Error> = due
        .par_iter()
        .map(|cell| {
            let mut watcher = Shared {
                progress: &progress,
                label: cell.key(),
            };
            let floors = floors.get(cell.trajectory).map_or(&[][..], Vec::as_slice);
            let result = work_out(cell, &plan.budget, floors, interrupt, &mut watcher)?;
            shelf.put(cell, &result)?;
            watcher.tested(test_flights(plan, cell));
            Ok((cell.key(), result))
        })
        .collect();
    if let Ok(progress) = progress.lock() {
        progress.finish();
    }
    finished.extend(flown.map_err(or_stopped)?);
    Ok((finished, kept))
}

/// The gains that are best in each domain's own winds.
fn find_floor(
    plan: &Plan,
    trajectory: &'static str,
    interrupt: &Interrupt,
    progress: &Mutex<Progress>,
) -> Result<Vec<FloorGains>, Error> {
    let bench = Bench::new(&any_settings(plan, trajectory)?)?;
    let domains = 0..bench.tuning.domains.len();
    let watcher = Shared {
        progress,
        label: format!("{trajectory} floor"),
    };
    let search = |domain| {
        let flown = |flights| watcher.tested(flights);
        tune_in(&bench, domain, plan.budget.floor_flights, interrupt, flown)
    };
    domains.map(search).collect()
}

fn total_flights(plan: &Plan, due: &[Cell], floors: u64) -> u64 {
    let cells = due.iter().map(|cell| {
        let training = if cell.method.trains() {
            plan.budget.evaluations()
        } else {
            0
        };
        training + test_flights(plan, cell)
    });
    let generations = (plan.budget.floor_flights / GENERATION).max(1);
    cells.sum::<u64>() + floors * 2 * generations * GENERATION
}

/// Held-out flights of one cell: two domains, and two recommenders where there are two.
fn test_flights(plan: &Plan, cell: &Cell) -> u64 {
    let candidates = if cell.method.trains() { 2 } else { 1 };
    2 * candidates * plan.budget.held_out_winds
}

/// One cell's share of a progress display that all cells write to.
struct Shared<'a> {
    progress: &'a Mutex<Progress>,
    label: String,
}

impl Shared<'_> {
    fn tested(&self, flights: u64) {
        // Only a panic elsewhere could poison the lock; the display is no reason to end then.
        if let Ok(mut progress) = self.progress.lock() {
            progress.advance(flights, &self.label);
        }
    }
}

impl Watcher for Shared<'_> {
    fn trial(&mut self, trial: &Trial, _: &History) -> ControlFlow<()> {
        let Ok(mut progress) = self.progress.lock() else {
            return ControlFlow::Break(());
        };
        progress.flown(trial.observation.crashed, &self.label);
        progress.continues()
    }
}

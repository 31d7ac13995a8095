//! `bo compare`: several surrogates, several seeds, the same winds.

use super::claim;
use crate::args::CompareArgs;
use crate::history::{History, Trial};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::record::{Record, to_json};
use crate::run::{Bench, perform};
use crate::settings::Settings;
use crate::study::Watcher;
use crate::{Error, pictures, table};
use rayon::prelude::*;
use serde::Serialize;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Instant;

/// What a comparison writes down.
#[derive(Debug, Serialize)]
struct Comparison<'a> {
    schema: &'static str,
    rows: &'a [table::Row],
    runs: &'a [Record],
}

/// Compares, writes and returns the closing lines.
///
/// # Errors
/// See [`Error`].
pub fn compare(args: &CompareArgs, interrupt: &Interrupt) -> Result<String, Error> {
    let grid = args.grid()?;
    let surrogates = args.surrogate_names()?;
    let trajectory = grid[0].trajectory;
    let folder = claim(args.out.as_ref(), &format!("compare-{trajectory}"))?;
    let started = Instant::now();

    let records = fly_grid(&grid, interrupt)?;
    let rows = table::rows(&surrogates, &records);
    let groups: Vec<(&str, Vec<&Record>)> = surrogates
        .iter()
        .map(|name| (*name, of_surrogate(&records, name)))
        .collect();
    let title = format!("{trajectory}: best flight so far, {} seeds", args.seeds);
    pictures::convergence(&folder, &title, &groups)?;

    let text = table::comparison(trajectory, args.seeds as usize, &grid[0], &rows);
    folder.write("table.txt", &text)?;
    let comparison = Comparison {
        schema: "windhover-compare/1",
        rows: &rows,
        runs: &records,
    };
    folder.write("compare.json", &to_json("comparison", &comparison)?)?;
    let mut closing = text;
    let _ = writeln!(
        closing,
        "\nTime {:.1} s. Written to {}: compare.json, table.txt, convergence.png and .svg",
        started.elapsed().as_secs_f64(),
        folder.path().display()
    );
    Ok(closing)
}

/// The runs of one surrogate in the order of their seeds.
fn of_surrogate<'a>(records: &'a [Record], name: &str) -> Vec<&'a Record> {
    records
        .iter()
        .filter(|record| record.settings.surrogate == name)
        .collect()
}

/// Performs every run on all cores. Results are collected in the order of the grid, so they do
/// not depend on the number of cores.
fn fly_grid(grid: &[Settings], interrupt: &Interrupt) -> Result<Vec<Record>, Error> {
    let flights = grid.iter().map(Settings::evaluations).sum();
    let progress = Mutex::new(Progress::new(flights, interrupt.clone()));
    let seeds: Vec<u64> = grid.iter().map(|settings| settings.seed).collect();
    let mut defaults = Vec::new();
    for settings in grid.iter().filter(|s| s.surrogate == grid[0].surrogate) {
        let tests = Bench::new(settings)?.test_default(settings.held_out_winds, interrupt)?;
        defaults.push((settings.seed, tests));
    }
    let records = grid
        .par_iter()
        .zip(seeds)
        .map(|(settings, seed)| {
            let known = defaults.iter().find(|(of, _)| *of == seed);
            let tests = known.map(|(_, tests)| tests.clone());
            let bench = Bench::new(settings)?;
            let mut watcher = Shared {
                progress: &progress,
                of: settings,
            };
            Ok(perform(settings, &bench, tests, interrupt, &mut watcher)?.record)
        })
        .collect();
    if let Ok(progress) = progress.lock() {
        progress.finish();
    }
    records
}

/// One run's share of a progress display that all runs write to.
struct Shared<'a> {
    progress: &'a Mutex<Progress>,
    of: &'a Settings,
}

impl Watcher for Shared<'_> {
    fn trial(&mut self, trial: &Trial, _: &History) -> ControlFlow<()> {
        // Only a panic in another run could poison the lock; the study ends then as well.
        let Ok(mut progress) = self.progress.lock() else {
            return ControlFlow::Break(());
        };
        let label = format!("{} seed {}", self.of.surrogate, self.of.seed);
        progress.flown(trial.observation.crashed, &label);
        progress.continues()
    }
}

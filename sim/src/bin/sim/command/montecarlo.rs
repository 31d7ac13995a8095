//! `windhover-sim montecarlo`: many flights, and what they allow one to state.

use super::{Mission, Printed, Weather, claim, json, write_made};
use crate::Said;
use crate::args::MontecarloArgs;
use crate::failure::Failure;
use crate::robustness::{FlightResult, Statement};
use plots::{ConfidenceBand, Distribution, draw_distribution};
use rayon::prelude::*;
use serde::Serialize;
use shell::progress::Progress;
use shell::statistics::{CONFIDENCE, clopper_pearson};
use shell::table::Table;
use shell::terminal::say;
use sim::{CONTROL_PERIOD_S, Dryden, Flight, Steady, fly_many};
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// Flights that one thread takes on at a time: a multiple of the lanes of a batch.
const SHARE: usize = 32;

/// What `--format json` prints. It holds no time and no thread count.
#[derive(Serialize)]
struct Report<'a> {
    trajectory: &'a str,
    airframe: &'a str,
    domain: &'a str,
    uncertain: bool,
    first_seed: u64,
    confidence: f64,
    #[serde(flatten)]
    statement: &'a Statement,
}

/// Flies many times on all cores and states what follows. Results are collected in the order of
/// their seeds, so they do not depend on the number of threads.
///
/// # Errors
/// Names and files that do not exist or are faulty, a folder that cannot be written.
pub fn montecarlo(args: &MontecarloArgs) -> Result<Said, Failure> {
    let (flights, threads) = (args.flights, args.threads.count());
    let mission = Mission::new(&args.flight)?;
    let folder = claim(args.out.as_ref())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::Threads(error.into()))?;
    mission.say_concerns();
    let started = Instant::now();
    let seeds: Vec<u64> = (0..flights).map(|k| args.seed.wrapping_add(k)).collect();
    let progress = Progress::new(flights, "flights");
    let results: Vec<FlightResult> = pool.install(|| {
        seeds
            .par_chunks(SHARE)
            .flat_map_iter(|seeds| {
                let flights = fly_share(&mission, seeds);
                progress.advance(seeds.len() as u64, "");
                let results = seeds.iter().zip(flights);
                results.map(|(seed, flight)| FlightResult::of(*seed, &flight))
            })
            .collect()
    });
    progress.finish();
    report_pace(&mission, flights, pool.current_num_threads(), started);
    let statement = Statement::of(&results);
    if let Some(folder) = &folder {
        progress.doing("drawing");
        folder.write("flights.csv", csv(&results))?;
        draw(&mission, &results, folder.path())?;
        progress.finish();
    }
    let result = Report {
        trajectory: mission.trajectory.name(),
        airframe: &mission.setup.airframe.name,
        domain: mission.weather.name(),
        uncertain: args.flight.uncertain,
        first_seed: args.seed,
        confidence: CONFIDENCE,
        statement: &statement,
    };
    let result = Printed {
        schema: "windhover-montecarlo/1",
        result,
    };
    if let Some(folder) = &folder {
        write_made(folder, Some(&mission.gains), &result)?;
    }
    let text = if args.output.is_json() {
        json(&result)
    } else {
        report(args, &mission, &statement)
    };
    Ok(Said { text, passed: true })
}

/// Flies once for each seed, several flights at once: each is the flight that `windhover-sim fly` flies with
/// that seed, to the last bit.
fn fly_share(mission: &Mission, seeds: &[u64]) -> Vec<Flight> {
    let Mission {
        setup,
        trajectory,
        gains,
        weather,
    } = mission;
    let trajectory = trajectory.as_ref();
    match weather {
        Weather::Still => {
            let still = |_| Steady(Default::default());
            fly_many(setup, trajectory, gains, still, seeds)
        }
        Weather::Gusts(domain) => {
            let gusts = |seed| Dryden::new(domain, seed);
            fly_many(setup, trajectory, gains, gusts, seeds)
        }
    }
}

/// Says on stderr how fast it was; lost flights are counted in full, so this is an upper bound
/// where many were lost.
fn report_pace(mission: &Mission, flights: u64, threads: usize, started: Instant) {
    let steps = flights as f64 * mission.trajectory.duration_s() / CONTROL_PERIOD_S;
    let pace = steps / started.elapsed().as_secs_f64() / threads as f64;
    let line = format!(
        "{flights} flights on {threads} threads ({} instructions): {:.2} million steps/s a core",
        mission.setup.instructions,
        pace * 1e-6
    );
    say(&line);
}

fn report(args: &MontecarloArgs, mission: &Mission, statement: &Statement) -> String {
    let flags = &args.flight;
    let metres = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{x:.4}"));
    let [low, high] = statement.loss_probability;
    let quantiles = Table::of_numbers(["p", "quantile [m]", "ACE < x with probability ≥ p, x [m]"]);
    let rows = statement.quantiles.iter().map(|quantile| {
        let values = [quantile.ace_m, quantile.bound_m].map(metres);
        std::iter::once(quantile.p.to_string())
            .chain(values)
            .collect()
    });
    let mut text = format!(
        "{} by {}, {} wind: {} flights, seeds from {}\n\n\
         probability of a loss {:.4}, 95 % interval [{low:.4}, {high:.4}] ({} lost)\n\n\
         {}",
        mission.trajectory.name(),
        mission.setup.airframe.name,
        mission.weather.name(),
        statement.flights,
        args.seed,
        statement.lost as f64 / statement.flights as f64,
        statement.lost,
        quantiles.with(rows).text(0)
    );
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "\nBounds hold with 95 % confidence, whatever the distribution; \"-\": too few flights, or too many lost.\n\
         Worst flight: windhover-sim fly {} --seed {}",
        flags.flags(),
        statement.worst_seed
    );
    text
}

fn csv(results: &[FlightResult]) -> String {
    let mut text = String::from("seed,ace_m,crashed\n");
    for result in results {
        let _ = writeln!(text, "{},{},{}", result.seed, result.ace_m, result.lost);
    }
    text
}

fn draw(mission: &Mission, results: &[FlightResult], folder: &Path) -> Result<(), Failure> {
    let mut ace: Vec<f64> = results.iter().map(FlightResult::capped_m).collect();
    ace.sort_by(f64::total_cmp);
    let count = results.len();
    // Pointwise 95 % band of the share of flights at or below each value.
    let band: Vec<[f64; 2]> = (1..=count).map(|k| clopper_pearson(k, count)).collect();
    let lower: Vec<f64> = band.iter().map(|b| b[0]).collect();
    let upper: Vec<f64> = band.iter().map(|b| b[1]).collect();
    let title = format!(
        "{} by {}, {} wind: {count} flights",
        mission.trajectory.name(),
        mission.setup.airframe.name,
        mission.weather.name()
    );
    let picture = Distribution {
        title: &title,
        ace_m: &ace,
        lost: results.iter().filter(|result| result.lost).count(),
        band: Some(ConfidenceBand {
            label: "95 % band (Clopper-Pearson)",
            lower: &lower,
            upper: &upper,
        }),
    };
    let stem = folder.join("distribution");
    draw_distribution(&picture, &stem)
        .map(|_| ())
        .map_err(|source| Failure::drawing(stem, source))
}

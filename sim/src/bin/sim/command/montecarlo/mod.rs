//! `sim montecarlo`: many flights, and what they allow one to state.

mod report;

use self::report::Report;
use super::{Mission, Printed, Weather, answer, drawn, write_made};
use crate::Said;
use crate::args::{Cli, MontecarloArgs};
use crate::robustness::{FlightResult, Statement, too_few};
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shell::Failure;
use shell::cells::args::OF_A_PROCESS;
use shell::cells::{Cell, Exact, ResultStore, Runner, Work};
use shell::files::checksum;
use shell::folder::Folder;
use shell::interrupt::Interrupt;
use shell::progress::Progress;
use shell::statistics::CONFIDENCE;
use shell::terminal::say;
use shell::usage::typed_words;
use sim::{CONTROL_PERIOD_S, Flight, Steady, flight_seed, fly_many};
use std::sync::OnceLock;
use std::time::Instant;

/// Flights that one thread takes on at a time: a multiple of the lanes of a batch.
const SHARE: usize = 32;

/// The same where there are few: the lanes of a batch.
const SMALL_SHARE: usize = 8;

/// Flights that are kept together: some seconds of one thread.
const CHUNK: u64 = 4096;

/// Chunks at once: each has flights enough for all threads.
const HANDS: usize = 2;

/// About how many steps one thread takes in a second; for the size of tasks alone.
const STEPS_PER_S: f64 = 5e6;

/// What all flights of a folder share.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Plan {
    windhover: String,
    trajectory: String,
    airframe: String,
    domain: String,
    /// CRC-32 of all that decides a flight besides its seed.
    vehicle_and_world: String,
}

/// So many flights of a batch.
#[derive(Debug, Clone, Copy)]
struct Chunk {
    /// The batch's seed.
    seed: u64,
    /// Number of the first.
    first: u64,
    flights: u64,
}

impl Chunk {
    fn seeds(&self) -> Vec<u64> {
        let Chunk {
            seed,
            first,
            flights,
        } = *self;
        let numbers = first..first + flights;
        numbers.map(|number| flight_seed(seed, number)).collect()
    }
}

impl Cell for Chunk {
    fn key(&self) -> String {
        format!("seed-{}-flights-{}-{}", self.seed, self.first, self.flights)
    }
}

/// A chunk as it is kept: of each seed, the ACE [m] and whether the vehicle was lost.
type Kept = Vec<(Exact, bool)>;

/// Flies many times on all cores and states what follows. Results are collected in the order of
/// their seeds, so they do not depend on the number of threads, nor on who flew which.
///
/// # Errors
/// Names and files that do not exist or are faulty, a folder that cannot be written.
pub fn montecarlo(args: &MontecarloArgs) -> Result<Said, Failure> {
    let threads = args.threads.count();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let mut flying = Flying {
        mission: Mission::new(&args.flight)?,
        concerns: Vec::new(),
        args,
        pool: pool.map_err(Failure::threads)?,
        progress: OnceLock::new(),
        started: Instant::now(),
    };
    let interrupt = Interrupt::default();
    let desk = Runner {
        args: &args.cells,
        out: args.out.as_deref(),
        automatic: "montecarlo",
        words: typed_words::<Cli>(&OF_A_PROCESS),
        version: env!("CARGO_PKG_VERSION"),
        json: args.output.is_json(),
        workers: flying.pool.current_num_threads().min(HANDS),
        interrupt: &interrupt,
    };
    if let Some(said) = desk.answer(&flying)? {
        return Ok(Said::so(said));
    }
    flying.concerns = flying.mission.say_concerns(too_few(args.flights))?;
    if args.out.is_none() && args.cells.engine.is_none() {
        return flying.without_a_folder().map(Said::so);
    }
    interrupt.listen();
    let shelf = desk.store_of(&flying.plan())?;
    desk.run(&shelf, &flying).map(Said::so)
}

/// Many flights at work in this process.
struct Flying<'a> {
    mission: Mission,
    concerns: Vec<String>,
    args: &'a MontecarloArgs,
    pool: ThreadPool,
    progress: OnceLock<Progress>,
    started: Instant,
}

impl Work for Flying<'_> {
    type Cell = Chunk;
    type Finished = Kept;
    type Error = Failure;

    fn cells(&self) -> Vec<Chunk> {
        let MontecarloArgs { flights, seed, .. } = *self.args;
        let starts = (0..flights).step_by(CHUNK as usize);
        let chunk = |start: u64| Chunk {
            seed,
            first: start,
            flights: CHUNK.min(flights - start),
        };
        starts.map(chunk).collect()
    }

    fn seconds(&self, chunk: &Chunk) -> f64 {
        let simulated_s = chunk.flights as f64 * self.mission.trajectory.duration_s();
        simulated_s / CONTROL_PERIOD_S / STEPS_PER_S
    }

    fn begin(&self, due: &[&Chunk]) {
        let flights = due.iter().map(|chunk| chunk.flights).sum();
        self.progress
            .get_or_init(|| Progress::new(flights, "flights"));
    }

    fn work(&self, _: &ResultStore, chunk: &Chunk) -> Result<Kept, Failure> {
        let results = self.fly(&chunk.seeds()).into_iter();
        Ok(results
            .map(|result| (Exact(result.ace_m), result.lost))
            .collect())
    }

    fn elsewhere(&self, chunk: &Chunk) {
        self.advance(chunk.flights);
    }

    fn merge(&self, shelf: &ResultStore, _: usize) -> Result<String, Failure> {
        let mut results = Vec::new();
        for chunk in self.cells() {
            let kept: Kept = shelf.get(&chunk.key())?;
            let result = |(seed, (ace_m, lost)): (u64, (Exact, bool))| FlightResult {
                seed,
                ace_m: ace_m.0,
                lost,
            };
            results.extend(chunk.seeds().into_iter().zip(kept).map(result));
        }
        self.report_speed();
        let folder = Folder::of(shelf.path());
        let progress = Progress::uncounted("drawing");
        folder.write("flights.csv", report::csv(&results))?;
        report::draw(&self.mission, &results, folder.path())?;
        progress.finish();
        self.state(&results, Some(&folder))
    }
}

impl Flying<'_> {
    fn plan(&self) -> Plan {
        let mission = &self.mission;
        Plan {
            windhover: env!("CARGO_PKG_VERSION").to_owned(),
            trajectory: mission.trajectory.name().to_owned(),
            airframe: mission.setup.airframe.name.clone(),
            domain: mission.weather.name().to_owned(),
            vehicle_and_world: checksum(mission.described().as_bytes()),
        }
    }

    fn without_a_folder(&self) -> Result<String, Failure> {
        let MontecarloArgs { flights, seed, .. } = *self.args;
        let all = Chunk {
            seed,
            first: 0,
            flights,
        };
        self.begin(&[&all]);
        let results = self.fly(&all.seeds());
        self.report_speed();
        self.state(&results, None)
    }

    fn fly(&self, seeds: &[u64]) -> Vec<FlightResult> {
        let share = |seeds: &[u64]| -> Vec<FlightResult> {
            let flights = fly_share(&self.mission, seeds);
            self.advance(seeds.len() as u64);
            let results = seeds.iter().zip(flights);
            results
                .map(|(seed, flight)| FlightResult::of(*seed, &flight))
                .collect()
        };
        let shares = || seeds.par_chunks(SHARE).flat_map_iter(share).collect();
        self.pool.install(shares)
    }

    fn advance(&self, flights: u64) {
        if let Some(progress) = self.progress.get() {
            progress.advance(flights, "");
        }
    }

    /// Says on stderr how fast it was; lost flights are counted in full, so this is an upper bound
    /// where many were lost.
    fn report_speed(&self) {
        let Some(progress) = self.progress.get().filter(|progress| progress.done() > 0) else {
            return;
        };
        progress.finish();
        let (flights, threads) = (progress.done(), self.pool.current_num_threads());
        let steps = flights as f64 * self.mission.trajectory.duration_s() / CONTROL_PERIOD_S;
        let speed = steps / self.started.elapsed().as_secs_f64() / threads as f64;
        let line = format!(
            "{flights} flights on {threads} threads ({} instructions): {:.2} million steps/s a core",
            self.mission.setup.instructions,
            speed * 1e-6
        );
        say(&line);
    }

    /// What follows from the results, as it is printed.
    fn state(&self, results: &[FlightResult], folder: Option<&Folder>) -> Result<String, Failure> {
        let (args, mission) = (self.args, &self.mission);
        let statement = Statement::of(results);
        let result = Printed {
            schema: "windhover-montecarlo/2",
            result: Report {
                trajectory: mission.trajectory.name(),
                airframe: &mission.setup.airframe.name,
                domain: mission.weather.name(),
                uncertain: args.flight.uncertain,
                seed: args.seed,
                confidence: CONFIDENCE,
                statement: &statement,
                concerns: &self.concerns,
            },
        };
        if let Some(folder) = folder {
            write_made(folder, Some(&mission.gains), &result)?;
        }
        let text = || report::text(args, mission, &statement);
        Ok(answer(&args.output, &result, text))
    }
}

/// Flies once for each seed, on all cores.
pub(super) fn fly_on_all_cores(mission: &Mission, seeds: &[u64]) -> Vec<Flight> {
    let share = |seeds: &[u64]| fly_share(mission, seeds);
    seeds.par_chunks(SMALL_SHARE).flat_map_iter(share).collect()
}

/// Flies once for each seed, several flights at once: each is the flight that `sim fly` flies with
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
            let gusts = |seed| domain.wind(seed, trajectory.duration_s());
            fly_many(setup, trajectory, gains, gusts, seeds)
        }
    }
}

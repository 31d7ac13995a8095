//! `bo tune …`, or `bo` and a flag: one run, begun or taken up again.

mod closing;
mod dry_run;
mod open;

use crate::args::TuneArgs;
use bo::Error;
use bo::flights::problem::Problem;
use bo::flights::trust;
use bo::interrupt::Interrupt;
use bo::report::card::Card;
use bo::report::pictures;
use bo::run::disk::journal::{self, Journal};
use bo::run::disk::record::{to_json, to_toml, trials_csv};
use bo::run::perform::{Run, perform, shown_flight, shown_weather};
use bo::run::perform::{concerns_after, concerns_before};
use bo::run::progress::Progress;
use bo::terminal::{self, word};
use closing::{closing_lines, printed};
use dilgp::threads::on_all_cores;
use open::{Opened, open};
use serde::Serialize;
use shell::files::FileError;
use shell::folder::Folder;
use shell::manifest::{self, Manifest};
use shell::{Failure, exit};
use sim::log::{About, Format};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Control periods between two samples of the flight that is drawn; its logs have every one.
const DRAWN_EVERY: u32 = 10;

/// Files of every run that depend on its settings alone, besides its run.json.
const WRITTEN: [&str; 10] = [
    "before-after.png",
    "before-after.svg",
    "config.toml",
    "convergence.png",
    "convergence.svg",
    "flight.png",
    "flight.svg",
    "gains.toml",
    "trials.csv",
    journal::NAME,
];

/// What differs between two runs of the same settings: kept separate from the record.
#[derive(Debug, Serialize)]
struct Environment {
    command: Vec<String>,
    started_unix_s: u64,
    operating_system: &'static str,
    architecture: &'static str,
    threads: usize,
    seconds: Seconds,
}

/// Where the time of a run went since this process took it up [s].
#[derive(Debug, Clone, Copy, Serialize)]
struct Seconds {
    flights: f64,
    fits: f64,
    acquisition: f64,
    held_out_test: f64,
    drawing: f64,
    total: f64,
}

/// Tunes, tests, writes and returns what is printed.
///
/// # Errors
/// See [`Error`]. Evaluations that were made are kept, whatever happens.
pub fn tune(args: &TuneArgs, interrupt: &Interrupt) -> Result<String, Error> {
    if args.dry_run {
        return dry_run::dry_run(args);
    }
    let started = (SystemTime::now(), Instant::now());
    let opened = open(args)?;
    on_all_cores(|| carry_out(args, opened, started, interrupt))
}

fn carry_out(
    args: &TuneArgs,
    opened: Opened,
    started: (SystemTime, Instant),
    interrupt: &Interrupt,
) -> Result<String, Error> {
    let Opened {
        folder,
        mut journal,
        config,
        problem,
    } = opened;
    config
        .remarks()
        .iter()
        .for_each(|said| terminal::note(said));
    trust::warn(&concerns_before(&config.settings, &problem));
    folder.write("config.toml", &journal.contents().header.config)?;
    let _guard = interrupt.end_on_interrupt({
        let (path, kept) = (folder.path().to_owned(), journal.kept());
        move || {
            let trials = kept.load(Ordering::SeqCst);
            format!("error: {}", paused(trials, &path))
        }
    });

    let settings = &config.settings;
    let mut progress = Progress::new(settings.evaluations(), "evaluations", interrupt.clone());
    take_up(&mut progress, &journal);
    let performed = perform(settings, &problem, &mut journal, interrupt, &mut progress);
    if performed.is_err() {
        progress.display.finish();
    }
    let run = performed.map_err(|error| match error {
        Error::Interrupted(..) => {
            paused(journal.contents().trials.len() as u64, folder.path()).into()
        }
        other => other,
    })?;

    trust::warn(&concerns_after(&run.record));
    let drawing = Instant::now();
    progress.display.doing("drawing");
    let unwritten = |cause| unwritten(&folder, cause);
    draw(&folder, &problem, &run).map_err(unwritten)?;
    log(&folder, &problem, &run, &config.logs).map_err(unwritten)?;
    progress.display.finish();
    let seconds = Seconds {
        flights: run.flying.as_secs_f64(),
        fits: run.time.fitting.as_secs_f64(),
        acquisition: run.time.climbing.as_secs_f64(),
        held_out_test: run.testing.as_secs_f64(),
        drawing: drawing.elapsed().as_secs_f64(),
        total: started.1.elapsed().as_secs_f64(),
    };
    write(&folder, &run, &config.logs, started.0, seconds).map_err(unwritten)?;
    if run.record.lost() == run.record.trials.len() {
        let line = format!(
            "no valid trial: each of {} evaluations is lost; the run is in {}; try other bounds, a calmer domain or better start gains",
            settings.evaluations(),
            folder.path().display()
        );
        return Err(Failure::new(line, exit::ALL_LOST).into());
    }
    let name = folder.path().display().to_string();
    let card = Card::of_run(&name, folder.path(), &run.record, &problem.tuning);
    if args.output.is_json() {
        return printed(&folder, &run.record, &card, seconds);
    }
    let logs = &config.logs;
    Ok(closing_lines(&folder, &run.record, &card, logs, seconds))
}

/// The flights are on the disk; only a file made from them could not be written.
fn unwritten(folder: &Folder, cause: Error) -> Error {
    match cause {
        Error::File(FileError::Write { .. }) | Error::Draw { .. } => {
            let path = word(folder.path());
            let advice =
                format!("; every flight is kept: make room and go on with `bo --resume {path}`");
            Failure::from(cause).with(advice).into()
        }
        other => other,
    }
}

/// That the user stopped the run in `path`; what it had is kept.
fn paused(trials: u64, path: &Path) -> Failure {
    let path = word(path);
    let line = format!(
        "interrupted after {trials} evaluations, all of them kept; go on with `bo --resume {path}`"
    );
    Failure::new(line, exit::INTERRUPTED)
}

/// Says what is there already.
fn take_up(progress: &mut Progress, journal: &Journal) {
    if let Some(bytes) = journal.dropped() {
        progress.display.note(&format!(
            "dropped an unfinished record of {bytes} bytes; its evaluation is made again"
        ));
    }
    let kept = &journal.contents().trials;
    if !kept.is_empty() {
        progress
            .display
            .note(&format!("going on after {} evaluations", kept.len()));
        progress.kept(kept);
    }
}

fn draw(folder: &Folder, problem: &Problem, run: &Run) -> Result<(), Error> {
    let settings = &run.record.settings;
    let flight = shown_flight(problem, &run.record, DRAWN_EVERY);
    let verdict = if flight.completed() {
        format!("ACE {:.3} m", flight.score.ace_m)
    } else {
        "lost".to_owned()
    };
    let (traj, surrogate) = (&settings.trajectory, settings.surrogate);
    let tests = &run.record.recommended.tests;
    let domain = &tests[1.min(tests.len() - 1)].domain;
    let title = format!(
        "{traj} with the gains that {surrogate} recommends, in a held-out {domain} wind: {verdict}"
    );
    let tuning = format!("{traj}: tuning with {surrogate}, seed {}", settings.seed);
    let (flown, (compared, converged)) = rayon::join(
        || pictures::flight(folder, &title, &flight),
        || {
            rayon::join(
                || pictures::before_after(folder, problem, &run.record),
                || pictures::convergence(folder, &tuning, &run.record),
            )
        },
    );
    flown.and(compared).and(converged)
}

/// Logs the flight that is drawn, in each of `formats`.
fn log(folder: &Folder, problem: &Problem, run: &Run, formats: &[Format]) -> Result<(), Error> {
    if formats.is_empty() {
        return Ok(());
    }
    let weather = shown_weather(problem);
    let flight = shown_flight(problem, &run.record, 1);
    let about = About {
        airframe: &problem.tuning.setup.airframe,
        gains: &run.record.recommended.gains,
        trajectory: problem.tuning.trajectory.name(),
        domain: &weather.domain,
        seed: weather.seed,
        outcome: flight.outcome,
    };
    for format in formats {
        let bytes = format.encode(&about, &flight.samples);
        let bytes = bytes.map_err(Failure::encoding("log"))?;
        folder.write(format.file_name(), &bytes)?;
    }
    Ok(())
}

fn write(
    folder: &Folder,
    run: &Run,
    logs: &[Format],
    started: SystemTime,
    seconds: Seconds,
) -> Result<(), Error> {
    let record = &run.record;
    let settings = &record.settings;
    let heading = [
        format!(
            "Gains that {} recommends for {}, found in simulation only.",
            settings.surrogate, settings.trajectory
        ),
        format!(
            "Airframe {}, seed {}, Windhover {}.",
            record.problem.airframe.name, settings.seed, record.versions.windhover
        ),
    ];
    folder.write("gains.toml", &to_toml(&heading, &record.recommended.gains)?)?;
    folder.write("trials.csv", trials_csv(record))?;
    let environment = Environment {
        // A path need not be text; what is not is shown as well as it can be.
        command: std::env::args_os()
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        started_unix_s: started
            .duration_since(UNIX_EPOCH)
            .map_or(0, |d| d.as_secs()),
        operating_system: std::env::consts::OS,
        architecture: std::env::consts::ARCH,
        threads: rayon::current_num_threads(),
        seconds,
    };
    folder.write("env.json", &to_json("environment", &environment)?)?;
    let run_json = to_json("run", record)?;
    let logs = logs.iter().map(|format| format.file_name());
    let names: Vec<&str> = WRITTEN.into_iter().chain(logs).collect();
    let manifest = Manifest::of(folder.path(), &names, &[("run.json", &run_json)])?;
    folder.write(manifest::NAME, &manifest.to_json()?)?;
    // Last, so that a folder with a run.json is a whole run.
    folder.write("run.json", &run_json)?;
    Ok(())
}

//! `bo --traj …`: one run.

use super::claim;
use crate::args::TuneArgs;
use crate::folder::Folder;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::record::{to_json, to_toml};
use crate::run::{Bench, Run, drawn_flight, perform};
use crate::{Error, pictures, table};
use serde::Serialize;
use std::fmt::Write;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// What differs between two runs of the same settings: kept apart from the record.
#[derive(Debug, Serialize)]
struct Environment {
    command: Vec<String>,
    started_unix_s: u64,
    operating_system: &'static str,
    architecture: &'static str,
    threads: usize,
    seconds: Seconds,
}

/// Where the time of a run went [s].
#[derive(Debug, Clone, Copy, Serialize)]
struct Seconds {
    flights: f64,
    fits: f64,
    acquisition: f64,
    held_out_test: f64,
    drawing: f64,
    total: f64,
}

/// Tunes, tests, writes and returns the closing lines.
///
/// # Errors
/// See [`Error`]; nothing is written then, unless writing itself failed half way.
pub fn tune(args: &TuneArgs, interrupt: &Interrupt) -> Result<String, Error> {
    let settings = args.settings()?;
    let automatic = format!(
        "{}-{}-{}",
        settings.trajectory, settings.surrogate, settings.seed
    );
    let folder = claim(args.out.as_ref(), &automatic)?;
    let started = (SystemTime::now(), Instant::now());

    let bench = Bench::new(&settings)?;
    let mut progress = Progress::new(settings.evaluations(), interrupt.clone());
    let performed = perform(&settings, &bench, None, interrupt, &mut progress);
    progress.finish();
    let run = performed?;

    let drawing = Instant::now();
    draw(&folder, &bench, &run)?;
    let seconds = Seconds {
        flights: run.time.evaluating.as_secs_f64(),
        fits: run.time.fitting.as_secs_f64(),
        acquisition: run.time.acquiring.as_secs_f64(),
        held_out_test: run.testing.as_secs_f64(),
        drawing: drawing.elapsed().as_secs_f64(),
        total: started.1.elapsed().as_secs_f64(),
    };
    write(&folder, &run, started.0, seconds)?;
    Ok(closing_lines(&folder, &run, seconds))
}

fn draw(folder: &Folder, bench: &Bench, run: &Run) -> Result<(), Error> {
    let settings = &run.record.settings;
    let flight = drawn_flight(bench, &run.record);
    let verdict = if flight.completed() {
        format!("ACE {:.3} m", flight.score.ace_m)
    } else {
        "lost".to_owned()
    };
    let (traj, surrogate) = (settings.trajectory, settings.surrogate);
    let title = format!(
        "{traj} with the gains that {surrogate} recommends, in a held-out steady wind: {verdict}"
    );
    pictures::flight(folder, &title, &flight)?;
    let title = format!("{traj}: tuning with {surrogate}, seed {}", settings.seed);
    pictures::convergence(folder, &title, &[(surrogate, vec![&run.record])])
}

fn write(folder: &Folder, run: &Run, started: SystemTime, seconds: Seconds) -> Result<(), Error> {
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
    let environment = Environment {
        command: std::env::args().collect(),
        started_unix_s: started
            .duration_since(UNIX_EPOCH)
            .map_or(0, |d| d.as_secs()),
        operating_system: std::env::consts::OS,
        architecture: std::env::consts::ARCH,
        threads: rayon::current_num_threads(),
        seconds,
    };
    folder.write("env.json", &to_json("environment", &environment)?)?;
    // Last, so that a folder with a run.json is a whole run.
    folder.write("run.json", &to_json("run", record)?)
}

fn closing_lines(folder: &Folder, run: &Run, seconds: Seconds) -> String {
    let record = &run.record;
    let settings = &record.settings;
    let crashes = record.trials.iter().filter(|trial| trial.crashed()).count();
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{} tuned with {}, seed {}: {} flights, {crashes} of them lost\n",
        settings.trajectory,
        settings.surrogate,
        settings.seed,
        settings.evaluations()
    );
    text += &table::verdict(record);
    text += &table::gains(record);
    let _ = writeln!(
        text,
        "\nTime {:.1} s: flights {:.1}, fits {:.1}, acquisition {:.1}, held-out test {:.1}, drawing {:.1}",
        seconds.total,
        seconds.flights,
        seconds.fits,
        seconds.acquisition,
        seconds.held_out_test,
        seconds.drawing
    );
    let _ = writeln!(
        text,
        "Written to {}: run.json, gains.toml, flight.png, convergence.png (and .svg), env.json",
        folder.path().display()
    );
    text
}

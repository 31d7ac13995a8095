//! Defects: how many seeded defects `bo check` finds, and how many sound tunes it refuses, against
//! brute force.
//!
//! `cargo run -p bo --example defects [FLIGHTS [NEIGHBOURS [EVERY]]]`: every EVERY-th (1) of the defects
//! of three airframes in PX4's and ArduPilot's terms, and NEIGHBOURS (40) tunes near each airframe's
//! own, are checked and flown FLIGHTS (10000) times in other winds than the check's. Nothing is
//! random but by fixed seeds: the table repeats.

use bo::check::defects::{Defect, defects, neighbours};
use bo::check::{Task, Verdict, check};
use bo::export::{self, reading};
use bo::interrupt::Interrupt;
use rayon::prelude::*;
use sim::{AIRFRAME_NAMES, Airframe, Domain, Setup};
use std::time::Instant;

/// Seed of the first flight of brute force, beyond every check's.
const BRUTE: u64 = 1_000_000;

/// What came of one tune.
struct Row {
    name: String,
    lost: u64,
    flights: u64,
    verdict: Verdict,
    sound: bool,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = [10_000, 40, 1];
    for (number, given) in numbers.iter_mut().zip(std::env::args().skip(1)) {
        *number = given.parse()?;
    }
    let [flights, near, every] = numbers;
    let vehicles = AIRFRAME_NAMES.map(|name| Airframe::by_name(name).expect("shipped"));
    let (mut seeded, mut good) = (Vec::new(), Vec::new());
    for airframe in &vehicles {
        for target in ["px4", "ardupilot"] {
            let autopilot = export::by_name(target, None)?;
            let all = defects(autopilot.as_ref(), airframe, &vehicles)?;
            for defect in all.iter().step_by(every as usize) {
                seeded.push(row(airframe, target, defect, flights)?);
            }
            for defect in &neighbours(autopilot.as_ref(), airframe, near)? {
                good.push(row(airframe, target, defect, flights)?);
            }
        }
    }
    let often = |row: &&Row| row.lost * 100 >= row.flights;
    let refused = |row: &&Row| row.verdict == Verdict::DoNotFly;
    let bad: Vec<&Row> = seeded.iter().filter(often).collect();
    let found = bad.iter().filter(|row| refused(row)).count();
    let sound: Vec<&Row> = good
        .iter()
        .chain(&seeded)
        .filter(|r| r.lost == 0 && r.sound)
        .collect();
    let alarms = sound.iter().filter(|row| refused(row)).count();
    println!(
        "{} defects, {} neighbours, {flights} flights of each",
        seeded.len(),
        good.len()
    );
    println!(
        "lost in 1 % of flights or more: {}, found {found}",
        bad.len()
    );
    println!(
        "never lost and margins sound: {}, refused {alarms}",
        sound.len()
    );
    let seconds: f64 = seeded
        .iter()
        .chain(&good)
        .map(|row| row.seconds)
        .fold(0.0, f64::max);
    println!("longest check: {seconds:.1} s");
    for row in bad.iter().filter(|row| !refused(row)) {
        println!(
            "missed: {} ({} lost): {}",
            row.name,
            row.lost,
            row.verdict.words()
        );
    }
    for row in sound.iter().filter(|row| refused(row)) {
        println!("false alarm: {}", row.name);
    }
    Ok(())
}

fn row(
    airframe: &Airframe,
    target: &str,
    defect: &Defect,
    flights: u64,
) -> Result<Row, Box<dyn std::error::Error>> {
    let mut task = Task {
        setup: Setup::new(airframe.clone()),
        trajectory: trajectories::by_name("hover")?,
        domain: Domain::gusty(),
        seed: 1,
    };
    defect.vehicle.apply(&mut task);
    let tune = reading::read(target, &defect.text, airframe, &airframe.gains)?;
    let started = Instant::now();
    let checked = check(&task, &tune, &airframe.gains, 4_000, &Interrupt::default())?;
    let seconds = started.elapsed().as_secs_f64();
    let margins = [
        "gain-margin",
        "phase-margin",
        "disk-margin",
        "stability",
        "gain",
    ];
    let seeds: Vec<u64> = (0..flights).map(|k| BRUTE + k).collect();
    // What is no gain is lost before it flies.
    let lost: u64 = match tune.impossible.is_empty() {
        false => flights,
        true => seeds
            .par_chunks(32)
            .map(|seeds| {
                let flown = task.fly(&tune.gains, seeds);
                flown.iter().filter(|flight| !flight.completed()).count() as u64
            })
            .sum(),
    };
    Ok(Row {
        name: format!("{} {target}: {}", airframe.name, defect.name),
        lost,
        flights,
        verdict: checked.verdict,
        sound: !checked
            .reasons
            .iter()
            .any(|reason| margins.contains(&reason.about)),
        seconds,
    })
}

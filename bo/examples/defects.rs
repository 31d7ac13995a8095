//! Defects: how many seeded defects `bo check` finds, and how many sound tunes it refuses, against
//! brute force.
//!
//! `cargo run -p bo --example defects [FLIGHTS [NEIGHBOURS [EVERY [FILE]]]]`: every EVERY-th (1) of the
//! defects of three airframes in PX4's and ArduPilot's terms, and NEIGHBOURS (40) tunes near each
//! airframe's own, are checked and flown FLIGHTS (10000) times in other winds than the check's, or until
//! so many are lost that no more can change what the tune is: 1 % of FLIGHTS.
//! Nothing is random but by fixed seeds: the table repeats. What is flown is written to FILE, a line
//! each; what stands in it is not flown again, so a FILE belongs to one build.

use bo::check::defects::{Defect, defects, neighbours};
use bo::check::{Baseline, Pilot, Task, Verdict, check};
use bo::interrupt::Interrupt;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sim::autopilot::{self, reading};
use sim::{AIRFRAME_NAMES, Airframe, Domain, Setup};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::time::Instant;

/// Seed of the first flight of brute force, beyond every check's.
const BRUTE: u64 = 1_000_000;

/// Flights of brute force between two looks at how many were lost.
const BLOCK: usize = 480;

type Failure = Box<dyn std::error::Error>;

/// What came of one tune.
#[derive(Clone, Serialize, Deserialize)]
struct Row {
    name: String,
    lost: u64,
    /// Of so many that were asked for.
    flights: u64,
    refused: bool,
    verdict: String,
    sound: bool,
    seconds: f64,
}

impl Row {
    /// Whether brute force loses it in 1 % of flights or more.
    fn is_dangerous(&self) -> bool {
        self.lost * 100 >= self.flights
    }

    /// Whether brute force loses it in fewer than 0.05 % of flights, and its margins are sound.
    fn is_good(&self) -> bool {
        self.lost * 2_000 < self.flights && self.sound
    }
}

/// What was flown before, and where what is flown now is written to.
struct Book {
    before: HashMap<String, Row>,
    file: Option<File>,
}

impl Book {
    fn open(path: Option<String>) -> Result<Book, Failure> {
        let Some(path) = path else {
            let before = HashMap::new();
            return Ok(Book { before, file: None });
        };
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let rows = text.lines().map(serde_json::from_str);
        let rows: Result<Vec<Row>, _> = rows.collect();
        let before = rows?.into_iter().map(|row| (row.name.clone(), row));
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Book {
            before: before.collect(),
            file: Some(file),
        })
    }

    /// The row of `defect`, from before or flown now.
    fn row(
        &mut self,
        airframe: &Airframe,
        target: &str,
        defect: &Defect,
        flights: u64,
    ) -> Result<Row, Failure> {
        let name = format!("{} {target}: {}", airframe.name, defect.name);
        let known = self.before.get(&name);
        if let Some(row) = known.filter(|row| row.flights == flights) {
            return Ok(row.clone());
        }
        let row = row(name, airframe, target, defect, flights)?;
        if let Some(file) = &mut self.file {
            writeln!(file, "{}", serde_json::to_string(&row)?)?;
        }
        Ok(row)
    }
}

fn main() -> Result<(), Failure> {
    let mut given = std::env::args().skip(1);
    let mut numbers = [10_000, 40, 1];
    for (number, given) in numbers.iter_mut().zip(given.by_ref().take(3)) {
        *number = given.parse()?;
    }
    let [flights, near, every] = numbers;
    let mut book = Book::open(given.next())?;
    let vehicles = AIRFRAME_NAMES.map(|name| Airframe::by_name(name).expect("shipped"));
    let (mut seeded, mut good) = (Vec::new(), Vec::new());
    for airframe in &vehicles {
        for target in ["px4", "ardupilot"] {
            let autopilot = autopilot::by_name(target, None)?;
            let all = defects(autopilot.as_ref(), airframe, &vehicles)?;
            for defect in all.iter().step_by(every as usize) {
                seeded.push(book.row(airframe, target, defect, flights)?);
            }
            for defect in &neighbours(autopilot.as_ref(), airframe, near)? {
                good.push(book.row(airframe, target, defect, flights)?);
            }
        }
    }
    tell(&seeded, &good, flights);
    Ok(())
}

fn tell(seeded: &[Row], neighbours: &[Row], flights: u64) {
    let all = || seeded.iter().chain(neighbours);
    let dangerous: Vec<&Row> = seeded.iter().filter(|row| row.is_dangerous()).collect();
    let good: Vec<&Row> = all().filter(|row| row.is_good()).collect();
    println!(
        "{} defects, {} neighbours, up to {flights} flights of each",
        seeded.len(),
        neighbours.len()
    );
    println!(
        "lost in 1 % of flights or more: {}, found {}",
        dangerous.len(),
        dangerous.iter().filter(|row| row.refused).count()
    );
    println!(
        "lost in fewer than 0.05 % and margins sound: {}, refused {}",
        good.len(),
        good.iter().filter(|row| row.refused).count()
    );
    println!(
        "longest check: {:.1} s",
        all().map(|row| row.seconds).fold(0.0, f64::max)
    );
    for row in dangerous.iter().filter(|row| !row.refused) {
        println!(
            "missed: {} ({} lost or more): {}",
            row.name, row.lost, row.verdict
        );
    }
    for row in good.iter().filter(|row| row.refused) {
        println!("false alarm: {}", row.name);
    }
}

fn row(
    name: String,
    airframe: &Airframe,
    target: &str,
    defect: &Defect,
    flights: u64,
) -> Result<Row, Failure> {
    let mut task = Task {
        setup: Setup::new(airframe.clone()),
        trajectory: trajectories::by_name("hover")?,
        domain: Domain::gusty(),
        seed: 1,
        delay_ms: None,
        rotor_out: None,
        taken: Vec::new(),
    };
    let mut tune = reading::read(target, &defect.text, airframe, &airframe.gains)?;
    task.take_rotor_inertia(&tune);
    defect.vehicle.apply(&mut task, &mut tune);
    let started = Instant::now();
    let baseline = Baseline::own(airframe, &tune);
    let checked = check(&task, &tune, &baseline, 4_000, &Interrupt::default())?;
    let seconds = started.elapsed().as_secs_f64();
    let margins = [
        "gain-margin",
        "phase-margin",
        "disk-margin",
        "stability",
        "gain",
    ];
    // What is no gain is lost before it flies.
    let lost = match tune.impossible.is_empty() {
        false => flights,
        true => brute_force(&task, &task.pilot(&tune), flights),
    };
    Ok(Row {
        name,
        lost,
        flights,
        refused: checked.verdict == Verdict::DoNotFly,
        verdict: checked.verdict.words().to_owned(),
        sound: !checked
            .reasons
            .iter()
            .any(|reason| margins.contains(&reason.about)),
        seconds,
    })
}

/// How many of `flights` are lost, counted to the end of the block in which 1 % of them is reached.
fn brute_force(task: &Task, pilot: &Pilot, flights: u64) -> u64 {
    let seeds: Vec<u64> = (0..flights).map(|k| BRUTE + k).collect();
    let mut lost = 0;
    for block in seeds.chunks(BLOCK) {
        let of_block = block.par_chunks(32).map(|seeds| {
            let flown = task.fly(pilot, seeds);
            flown.iter().filter(|flight| !flight.completed()).count() as u64
        });
        lost += of_block.sum::<u64>();
        if lost * 100 >= flights {
            break;
        }
    }
    lost
}

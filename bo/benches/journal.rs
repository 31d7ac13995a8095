//! What durability costs: `cargo bench -p bo --bench journal`.
//!
//! A record is one evaluation of one flight over six gains, about 600 bytes. `append` makes it
//! text, checks that it reads back, writes it and waits for the disk; on a file system in memory
//! there is no disk to wait for, so the difference between the two is the fdatasync. `take_up` is
//! what a restart pays before it can go on.

use bo::run::disk::journal::{Entry, Header, Journal, SCHEMA};
use divan::Bencher;
use serde_json::json;
use std::path::Path;

fn main() {
    divan::main();
}

/// A folder on the disk that holds the build.
const DISK: &str = env!("CARGO_TARGET_TMPDIR");

/// A folder in memory, where the system has one.
const MEMORY: &str = "/dev/shm";

/// As a journal has it, so that what it looks like is said in one place.
fn entry(number: u64) -> Entry {
    let digits = |k: u64| (number + k) as f64 / 7.0;
    let x: Vec<f64> = (0..6).map(|k| digits(k).fract()).collect();
    let score = json!({
        "ace_m": digits(2),
        "mean_distance_m": digits(3),
        "mean_square_m2": digits(4),
        "max_error_m": digits(5),
        "mean_state_error": digits(6),
        "effort": digits(7),
        "rotor_saturation": digits(8),
        "force_limitation": digits(9),
    });
    let record = json!({
        "record": "trial",
        "number": number,
        "x": x,
        "origin": "acquisition",
        "value": digits(1),
        "jitter": 0.0,
        "cost_m": digits(2),
        "gains": {"position_xy.kp": digits(3)},
        "lost": false,
        "flights": [{
            "weather": {"domain": "gusty", "seed": u64::MAX - number},
            "outcome": {"end": "completed"},
            "score": score,
        }],
    });
    serde_json::from_value(record).expect("a record")
}

fn begun(folder: &Path) -> Journal {
    let header = Header {
        schema: SCHEMA.to_owned(),
        windhover: env!("CARGO_PKG_VERSION").to_owned(),
        config: bo::study::Config::default().to_toml(),
    };
    Journal::create(folder, Entry::Header(header)).expect("a new folder")
}

#[divan::bench(args = [DISK, MEMORY], sample_count = 200, sample_size = 1)]
fn append(bencher: Bencher, parent: &str) {
    let Ok(folder) = temp_dir::TempDir::with_prefix(format!("{parent}/t")) else {
        eprintln!("skipped: nothing can be written below {parent}");
        return;
    };
    let mut journal = begun(folder.path());
    let mut number = 0;
    let next = || {
        number += 1;
        entry(number - 1)
    };
    let bencher = bencher.with_inputs(next);
    bencher.bench_local_values(|entry| journal.append(entry).expect("room"));
}

#[divan::bench(args = [110, 2000], sample_count = 20, sample_size = 1)]
fn take_up(bencher: Bencher, records: u64) {
    // In memory where possible: here the disk is not what is measured.
    let parent = if Path::new(MEMORY).is_dir() {
        MEMORY
    } else {
        DISK
    };
    let folder = temp_dir::TempDir::with_prefix(format!("{parent}/t")).expect("writable");
    let mut journal = begun(folder.path());
    for number in 0..records {
        journal.append(entry(number)).expect("room");
    }
    drop(journal);
    bencher.bench_local(|| {
        let journal = Journal::open(folder.path()).expect("whole");
        assert_eq!(journal.contents().trials.len() as u64, records);
    });
}

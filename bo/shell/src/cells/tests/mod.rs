//! What many processes do to one folder, here played by several stores of one process and by
//! claims that are forged.

use super::claim::{CLAIMS, Claims};
use super::owner::{Owner, now_s};
use super::place::Place;
use super::seal::{Stamp, sealed};
use super::status::Status;
use super::store::{CELLS, ResultStore, Rules};
use super::workers::{Cell, run_cells};
use crate::Failure;
use crate::interrupt::Interrupt;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread::{scope, sleep};
use std::time::Duration;

mod claims;
mod store;

struct Number(u32);

impl Cell for Number {
    fn key(&self) -> String {
        format!("n-{}", self.0)
    }
}

fn rules(build: &str, lease_s: u64) -> Rules {
    Rules {
        stamp: Stamp {
            build: build.to_owned(),
            arithmetic: "portable".to_owned(),
        },
        mixed: false,
        lease: Duration::from_secs(lease_s),
    }
}

fn store(path: &Path) -> ResultStore {
    store_of(path, rules("1", 60))
}

fn store_of(path: &Path, rules: Rules) -> ResultStore {
    ResultStore::open(path, &"plan".to_owned(), rules)
        .expect("ours")
        .0
}

fn temporary() -> temp_dir::TempDir {
    temp_dir::TempDir::new().expect("temporary folder")
}

/// A claim on `key` of another process, `ago_s` seconds old.
fn forge(folder: &Path, key: &str, owner: &serde_json::Value, ago_s: u64, lease_s: u64) {
    let at_s = now_s() - ago_s;
    let record = json!({"owner": owner, "begun_s": at_s, "renewed_s": at_s, "lease_s": lease_s});
    fs::create_dir_all(folder.join(CLAIMS)).expect("writable");
    let path = folder.join(CLAIMS).join(format!("{key}.json"));
    fs::write(path, record.to_string()).expect("writable");
}

fn elsewhere() -> serde_json::Value {
    json!({"host": "far", "process": 1, "space": "another", "born": "2", "since_s": 3})
}

#[test]
fn many_work_together_and_each_cell_is_worked_out_once() {
    let folder = temporary();
    let numbers: Vec<Number> = (0..60).map(Number).collect();
    let cells: Vec<&Number> = numbers.iter().collect();
    let log = Mutex::new(Vec::new());
    scope(|scope| {
        let one = || {
            let work = |cell: &Number| -> Result<u32, Failure> {
                sleep(Duration::from_millis(2));
                log.lock().expect("no panic").push(cell.0);
                Ok(cell.0)
            };
            let store = store(folder.path());
            run_cells(&store, &cells, 2, &Interrupt::default(), work, |_| ())
        };
        let processes: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
        for process in processes {
            process.join().expect("no panic").expect("done");
        }
    });
    let mut log = log.into_inner().expect("no panic");
    log.sort();
    assert_eq!(log, (0..60).collect::<Vec<_>>());
    let store = store(folder.path());
    store.tidy();
    let mut left: Vec<String> = fs::read_dir(folder.path())
        .expect("there")
        .map(|entry| {
            entry
                .expect("readable")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect();
    left.sort();
    assert_eq!(left, ["cells", "plan.json"]);
}

#[test]
fn a_cell_that_fails_is_known_and_the_others_are_done() {
    let folder = temporary();
    let numbers: Vec<Number> = (0..12).map(Number).collect();
    let cells: Vec<&Number> = numbers.iter().collect();
    let store = store(folder.path());
    let keys: Vec<String> = numbers.iter().map(Cell::key).collect();
    store.ask(&keys).expect("writable");
    let try_it = |bad: u32| {
        let work = |cell: &Number| match cell.0 == bad {
            true => Err(Failure::threads("no such luck")),
            false => Ok(cell.0),
        };
        run_cells(&store, &cells, 2, &Interrupt::default(), work, |_| ())
    };
    let error = try_it(0).expect_err("one failed");
    assert!(error.to_string().ends_with("no such luck"), "{error}");
    let status = Status::of(&store).expect("whole");
    assert_eq!(
        (status.cells, status.done, status.failed.len()),
        (12, 11, 1)
    );
    assert!(
        status.text().contains("n-0  failed on "),
        "{}",
        status.text()
    );
    assert_eq!(try_it(99).expect("none fails"), 11);
    assert_eq!(Status::of(&store).expect("whole").failed, []);
}

#[test]
fn an_interrupt_drops_what_runs_and_a_drain_finishes_it() {
    let folder = temporary();
    let numbers: Vec<Number> = (1..9).map(Number).collect();
    let cells: Vec<&Number> = numbers.iter().collect();
    let store = store(folder.path());
    let interrupt = Interrupt::default();
    let work = |cell: &Number| match cell.0 {
        4 => {
            interrupt.raise();
            Err(Failure::new("interrupted", 130))
        }
        done => Ok(done),
    };
    let stopped = run_cells(&store, &cells, 1, &interrupt, work, |_| ()).expect_err("stopped");
    assert_eq!(stopped.exit_code(), 130);
    let line = stopped.to_string();
    assert!(
        line.starts_with("interrupted; 3 of 8 cells are kept"),
        "{line}"
    );
    let work = |cell: &Number| -> Result<u32, Failure> {
        if cell.0 == 5 {
            store.drain()?;
        }
        Ok(cell.0)
    };
    let drained = run_cells(&store, &cells, 1, &Interrupt::default(), work, |_| ());
    let drained = drained.expect_err("drained");
    assert_eq!(drained.exit_code(), 75);
    assert!(
        drained
            .to_string()
            .starts_with("drained; 5 of 8 cells are kept"),
        "{drained}"
    );
    // Who begins later was not asked.
    let work = |cell: &Number| -> Result<u32, Failure> { Ok(cell.0) };
    let done = run_cells(&store, &cells, 1, &Interrupt::default(), work, |_| ());
    assert_eq!(done.expect("done"), 5);
    let claims = fs::read_dir(folder.path().join(CLAIMS)).map_or(0, Iterator::count);
    assert_eq!(claims, 0, "no claim is left");
}

#[test]
fn who_runs_is_seen_by_all_and_the_dead_are_not() {
    let folder = temporary();
    let store = store(folder.path());
    let keys: Vec<String> = ["a", "b", "c"].map(str::to_owned).into();
    store.ask(&keys).expect("writable");
    store.put("a", &1).expect("new");
    forge(folder.path(), "b", &elsewhere(), 2, 5);
    forge(folder.path(), "c", &elsewhere(), 20, 5);
    let status = Status::of(&store).expect("whole");
    assert_eq!((status.cells, status.done, status.running.len()), (3, 1, 1));
    assert!(status.left_s.is_some(), "one was finished since they began");
    let text = status.text();
    assert!(
        text.contains("1 of 3 cells done, 1 running, 1 open, 0 failed"),
        "{text}"
    );
    assert!(
        text.contains("b  running for 2 s on far, process 1"),
        "{text}"
    );
}

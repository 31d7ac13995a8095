//! What many processes do to one folder, here played by several stores of one process and by
//! claims that are forged.

use super::claim::{Attempt, CLAIMS, Claims};
use super::owner::{Owner, now_s};
use super::place::Place;
use super::seal::Stamp;
use super::status::Status;
use super::store::{ResultStore, Rules};
use super::workers::{Cell, run_cells};
use crate::Failure;
use crate::interrupt::Interrupt;
use serde_json::json;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread::{scope, sleep};
use std::time::Duration;

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
fn forge(folder: &Path, key: &str, owner: &serde_json::Value, ago_s: u64) {
    let at_s = now_s() - ago_s;
    let record = json!({"owner": owner, "begun_s": at_s, "renewed_s": at_s, "lease_s": 5});
    fs::create_dir_all(folder.join(CLAIMS)).expect("writable");
    let path = folder.join(CLAIMS).join(format!("{key}.json"));
    fs::write(path, record.to_string()).expect("writable");
}

fn elsewhere() -> serde_json::Value {
    json!({"host": "far", "process": 1, "space": "another", "born": "2", "since_s": 3})
}

fn taken(claims: &Claims, key: &str) -> bool {
    let attempt = claims.attempt(key, None).expect("writable");
    matches!(attempt, Attempt::Taken)
}

#[test]
fn a_claim_is_one_process_s_until_it_is_given_back() {
    let folder = temporary();
    let claims = || Claims::of(Place::at(folder.path()), Duration::from_secs(60));
    let (ours, theirs) = (claims(), claims());
    assert!(taken(&ours, "a") && taken(&theirs, "b"));
    assert!(!taken(&theirs, "a") && !taken(&ours, "b"));
    ours.release("a");
    assert!(taken(&theirs, "a"));
    drop(theirs);
    assert!(taken(&ours, "b"), "who goes gives all back");
}

#[test]
fn a_claim_lasts_as_long_as_it_is_renewed() {
    let folder = temporary();
    let claims = || Claims::of(Place::at(folder.path()), Duration::from_secs(1));
    let (ours, theirs) = (claims(), claims());
    assert!(taken(&ours, "a"));
    for _ in 0..30 {
        assert!(!taken(&theirs, "a"));
        sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_claim_that_is_over_is_taken_over_and_no_other() {
    let folder = temporary();
    let claims = Claims::of(Place::at(folder.path()), Duration::from_secs(60));
    forge(folder.path(), "fresh", &elsewhere(), 1);
    forge(folder.path(), "late", &elsewhere(), 7);
    assert!(!taken(&claims, "fresh"));
    assert!(taken(&claims, "late"));
    let mut child = std::process::Command::new("sleep")
        .arg("60")
        .spawn()
        .expect("sleep exists");
    let mut own = serde_json::to_value(Owner::this_process()).expect("representable");
    own["process"] = child.id().into();
    own["born"] = "0".into();
    forge(folder.path(), "dead", &own, 1);
    assert!(taken(&claims, "dead"), "another process bears its number");
    child.kill().and_then(|()| child.wait()).expect("ours");
    // Half a claim: of somebody who is just writing it, or was killed meanwhile.
    let half = folder.path().join(CLAIMS).join("half.json");
    fs::write(half, "{\"owner\"").expect("writable");
    assert!(!taken(&claims, "half"));
}

#[test]
fn of_many_that_take_a_claim_over_one_has_it() {
    let folder = temporary();
    for round in 0..200 {
        let key = format!("k{round}");
        forge(folder.path(), &key, &elsewhere(), 60);
        let claims: Vec<Claims> = (0..4)
            .map(|_| Claims::of(Place::at(folder.path()), Duration::from_secs(60)))
            .collect();
        let winners = scope(|scope| {
            let hands: Vec<_> = claims
                .iter()
                .map(|claims| scope.spawn(|| taken(claims, &key)))
                .collect();
            let won = hands.into_iter().map(|hand| hand.join().expect("no panic"));
            won.filter(|won| *won).count()
        });
        assert_eq!(winners, 1, "round {round}");
    }
}

#[test]
fn a_turn_that_a_killed_process_left_holds_nobody_up_for_ever() {
    let folder = temporary();
    let claims = Claims::of(Place::at(folder.path()), Duration::from_secs(60));
    forge(folder.path(), "late", &elsewhere(), 7);
    let turn = Place::at(folder.path()).turn("late");
    fs::create_dir_all(turn.parent().expect("a folder")).expect("writable");
    fs::copy(folder.path().join(CLAIMS).join("late.json"), &turn).expect("writable");
    assert!(!taken(&claims, "late") && !turn.exists());
    assert!(taken(&claims, "late") && !turn.exists());
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
fn the_same_twice_is_one_and_a_difference_is_a_fault() {
    let folder = temporary();
    let store = store(folder.path());
    store.put("a", &[1.5]).expect("new");
    store.put("a", &[1.5]).expect("the same");
    store.check_differing().expect("nothing differs");
    let fault = store
        .put("a", &[1.500_000_000_000_000_2])
        .expect_err("the last bit");
    assert_eq!(fault.exit_code(), 71);
    let line = fault.to_string();
    assert!(line.starts_with("cell a came out in two ways"), "{line}");
    assert_eq!(store.get::<[f64; 1]>("a").expect("whole"), Some([1.5]));
    let again = store.check_differing().expect_err("it stays known");
    assert_eq!(again.to_string(), line);
}

#[test]
fn cells_of_another_build_are_refused_unless_they_are_asked_for() {
    let folder = temporary();
    store(folder.path()).put("a", &1).expect("new");
    let other = store_of(folder.path(), rules("2", 60));
    for refused in [
        other.check("a").expect_err("unequal"),
        other.put("a", &2).expect_err("unequal"),
    ] {
        assert_eq!(refused.exit_code(), 2);
        assert!(
            refused
                .to_string()
                .contains("made by 1 with portable, this is 2"),
            "{refused}"
        );
    }
    let mixed = Rules {
        mixed: true,
        ..rules("2", 60)
    };
    let mixed = store_of(folder.path(), mixed);
    assert_eq!(mixed.get("a").expect("taken"), Some(1));
    mixed.put("a", &2).expect("the first one stays");
    assert_eq!(mixed.get("a").expect("taken"), Some(1));
    assert_eq!(mixed.foreign_stamps(&["a".to_owned()]).len(), 1);
}

#[test]
fn a_changed_bit_and_another_plan_are_refused() {
    let folder = temporary();
    let store = store(folder.path());
    store.put("a", &[0.25, 3.0]).expect("new");
    let file = folder.path().join("cells/a.json");
    let whole = fs::read(&file).expect("written");
    for bit in 0..8 * whole.len() {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&file, flipped).expect("writable");
        let refused = store.check("a").expect_err("not what was written");
        assert_eq!(refused.exit_code(), 65, "bit {bit}: {refused}");
    }
    let plan = |seeds: u32| json!({"budget": {"first_seed": seeds}});
    let folder = temporary();
    ResultStore::open(folder.path(), &plan(3), rules("1", 60)).expect("new");
    let (store, kept) = ResultStore::open(folder.path(), &plan(4), rules("1", 60)).expect("ours");
    let refused = store.check_plan(&kept, &plan(4)).expect_err("other");
    assert!(
        refused
            .to_string()
            .contains("begun with first-seed 3, not 4"),
        "{refused}"
    );
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
    forge(folder.path(), "b", &elsewhere(), 2);
    forge(folder.path(), "c", &elsewhere(), 20);
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

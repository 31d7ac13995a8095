//! Workers of `bo serve --listen`: `bo worker` through kills, and programs in Python.

use crate::program::{Dice, kills};
use crate::server::{Server, bo, replays};
use bo::serve::messages::{Entry, Messages};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const LEASE_S: u64 = 2;

fn worker(folder: &Path, number: usize, study: &[&str]) -> Child {
    let said = fs::File::options()
        .create(true)
        .append(true)
        .open(folder.join(format!("worker-{number}")))
        .expect("writable");
    bo().current_dir(folder)
        .args(["worker", "--connect", "unix:s", "--token-file", "j/token"])
        .args(study)
        .stdout(Stdio::null())
        .stderr(said)
        .spawn()
        .expect("starts")
}

/// Kills a server and its four workers until `kills` are spent or the study is done; returns how many
/// were.
fn killed_study(seed: u64, kills: u32) -> u32 {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let study = format!("--traj=hover --surrogate=gp --initial=6 --iterations=34 --seed={seed}");
    let study: Vec<&str> = study.split(' ').collect();
    let lease = LEASE_S.to_string();
    let mut server = Server::start(folder.path(), &["--lease", &lease]).listening();
    let mut workers: Vec<Child> = (0..4).map(|n| worker(folder.path(), n, &study)).collect();
    let (mut dice, mut spent) = (Dice(seed), 0);
    let done = |workers: &mut [Child]| {
        let ended = |worker: &mut Child| {
            let status = worker.try_wait().expect("a child");
            status.is_some_and(|status| status.success())
        };
        workers.iter_mut().any(ended)
    };
    while !done(&mut workers) && spent < kills {
        std::thread::sleep(Duration::from_millis(20 + dice.below(180)));
        spent += 1;
        if dice.below(2) == 0 {
            server.kill();
            server = Server::start(folder.path(), &["--lease", &lease]);
        } else {
            let number = dice.below(4) as usize;
            let _ = workers[number].kill();
            workers[number].wait().expect("it ends");
            workers[number] = worker(folder.path(), number, &study);
        }
    }
    for worker in &mut workers {
        let status = worker.wait().expect("it ends");
        assert!(status.success(), "seed {seed}: {status}");
    }
    held(&server.messages(), folder.path(), 40);
    drop(server);
    replays(folder.path());
    spent
}

/// What a worker said that each evaluation cost, in the order in which it flew them; nothing where one was
/// lost.
fn costs_said(folder: &Path, number: usize) -> Vec<(u64, Option<f64>)> {
    let said = fs::read_to_string(folder.join(format!("worker-{number}"))).unwrap_or_default();
    let lines = said
        .lines()
        .filter_map(|line| line.strip_prefix("evaluation ")?.split_once(": "));
    let costs = lines.map(|(id, cost)| {
        let cost = cost.strip_suffix(" m");
        let cost = cost.map(|m| m.parse().expect("a cost"));
        (id.parse().expect("a number"), cost)
    });
    costs.collect()
}

/// That nothing that was acknowledged is lost or doubled, and nothing was out for long.
fn held(messages: &Messages, folder: &Path, budget: u64) {
    let mut told: BTreeMap<u64, f64> = BTreeMap::new();
    let mut open: BTreeMap<u64, u64> = BTreeMap::new();
    for entry in &messages.entries {
        let Entry::Request {
            at_ms,
            line,
            answer,
            ..
        } = entry
        else {
            continue;
        };
        let line: Value = serde_json::from_str(line).expect("JSON");
        let answer: Value = serde_json::from_str(answer.as_deref().unwrap_or("{}")).expect("JSON");
        let Some(id) = answer["id"].as_u64() else {
            continue;
        };
        // From one lease to the next, or to the answer.
        if let Some(since) = open.insert(id, *at_ms) {
            assert!(
                at_ms - since <= 2 * 1000 * LEASE_S,
                "{id} was out {} ms",
                at_ms - since
            );
        }
        if line["type"] == "tell" {
            let y = line["y"].as_f64().unwrap_or(f64::NAN);
            assert!(told.insert(id, y).is_none(), "{id} was told twice");
            open.remove(&id);
        }
    }
    assert!(told.keys().copied().eq(0..budget), "{:?}", told.keys());
    for (id, cost) in (0..4).flat_map(|number| costs_said(folder, number)) {
        if let Some(cost) = cost {
            assert_eq!(cost, told[&id], "{id}");
        }
    }
}

#[test]
fn kills_of_the_server_and_of_workers_lose_and_double_nothing() {
    let kills = kills(12);
    let (mut spent, mut seed) = (0, 0);
    while spent < kills {
        spent += killed_study(seed, kills - spent);
        seed += 1;
    }
    eprintln!("{spent} kills over {seed} studies");
}

#[test]
fn one_worker_flies_the_study_of_one_process_winds_told_included() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let study = "--traj=hover --surrogate=auto --iterations=25 --seed=5";
    let study: Vec<&str> = study.split(' ').collect();
    let server = Server::start(folder.path(), &[]).listening();
    let status = worker(folder.path(), 0, &study).wait().expect("a child");
    assert!(status.success(), "{status}");
    let told = fs::read_to_string(folder.path().join("j/messages.log")).expect("kept");
    assert!(told.contains("wind_rms") && told.contains("wind_spread"));
    drop(server);
    let tuned = bo()
        .current_dir(folder.path())
        .args(["tune", "--held-out=10", "--out=run"])
        .args(&study)
        .output()
        .expect("starts");
    assert!(tuned.status.success());
    let run = fs::read_to_string(folder.path().join("run/run.json")).expect("written");
    let run: Value = serde_json::from_str(&run).expect("JSON");
    let said = costs_said(folder.path(), 0);
    let trials = run["trials"].as_array().expect("a list");
    assert_eq!((trials.len(), said.len()), (35, 35));
    // Points are said in the gains' own units, and read back to the last digits but one or two.
    for ((number, trial), (id, cost)) in (0..).zip(trials).zip(said) {
        assert_eq!((id, cost.is_none()), (number, trial["lost"] == true));
        let alone = trial["cost_m"].as_f64().expect("a number");
        let gap = cost.map_or(0.0, |cost| (cost - alone).abs());
        assert!(gap < 1e-6 * alone, "{id}: {gap} of {alone}");
    }
}

/// Where the clients in Python are.
const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/python");

#[test]
fn a_study_that_workers_cannot_share_is_refused_on_one_line() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let server = Server::start(folder.path(), &[]).listening();
    let said = folder.path().join("worker-0");
    let study = ["--surrogate=dil-gp", "--lambda=3"];
    let status = worker(folder.path(), 0, &study).wait().expect("a child");
    let expected = "error: a study with a lambda of its own is tuned by one process: leave it out, or use bo tune\n";
    assert_eq!(status.code(), Some(2), "{study:?}");
    assert_eq!(fs::read_to_string(&said).expect("written"), expected);
    fs::remove_file(&said).expect("there");
    drop(server);
}

/// An interpreter that has `module`: the one of `WINDHOVER_PYTHON`, or python3.
pub fn python_with(module: &str) -> Option<String> {
    let name = std::env::var("WINDHOVER_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let tried = Command::new(&name)
        .args(["-c", &format!("import {module}")])
        .stderr(Stdio::null())
        .status();
    if tried.is_ok_and(|status| status.success()) {
        return Some(name);
    }
    eprintln!("skipped: {name} has no {module}");
    None
}

pub fn ran(python: &str, folder: &Path, args: &[&str]) -> String {
    let output = Command::new(python)
        .current_dir(folder)
        .env("PYTHONPATH", PYTHON)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(args)
        .output()
        .expect("starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_program_in_python_tunes_through_a_kill_and_its_secret_is_guarded() {
    let Some(python) = python_with("json") else {
        return;
    };
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    // What is lent while the server is killed comes back soon.
    let lease = ["--lease", "1"];
    let mut server = Server::start(folder.path(), &lease).listening();
    let script = r#"
import math, os, sys
from windhover_client import Client, Refused
os.chmod("j/token", 0o644)
try:
    Client("unix:s", "j/token")
    sys.exit("a token that others read")
except Refused as refused:
    assert "chmod 600" in str(refused)
os.chmod("j/token", 0o600)
server = Client("unix:s", "j/token")
server.init(space=[{"name": "kp", "low": 0.1, "high": 30, "log": True}], budget=25, seed=3, noise=False)
for lease in server.leases():
    (kp,) = lease["x"]
    server.tell(lease, (math.log(kp) - 1) ** 2 if kp < 20 else math.nan)
    print(lease["id"], flush=True)
assert server.tell(lease, 0.0)["told"], "once, however often it is told"
print(server.status()["told"], abs(math.log(server.recommend()[0]) - 1) < 0.01)
"#;
    let (path, python) = (folder.path().to_owned(), python.clone());
    let tuning = std::thread::spawn(move || ran(&python, &path, &["-c", script]));
    for _ in 0..3 {
        std::thread::sleep(Duration::from_millis(150));
        server.kill();
        server = Server::start(folder.path(), &lease);
    }
    let said = tuning.join().expect("no panic");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!((lines.len(), lines[25]), (26, "25 True"), "{said}");
    drop(server);
    replays(folder.path());
}

#[test]
fn a_program_in_python_tells_the_wind_of_each_evaluation() {
    let Some(python) = python_with("json") else {
        return;
    };
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let server = Server::start(folder.path(), &[]).listening();
    let script = r#"
import sys
from windhover_client import Client, Refused
server = Client("unix:s", "j/token")
server.init(space=[{"name": "kp", "low": 0, "high": 1}], budget=40, seed=3, surrogate="auto",
            covariates=[{"name": "wind_rms", "mean": 4.0, "deviation": 1.5}])
for number, lease in enumerate(server.leases()):
    (kp,), wind = lease["x"], 2 + 5 * number % 9 / 2
    try:
        server.tell(lease, 0.0)
        sys.exit("told without its wind")
    except Refused as refused:
        assert "expected 1, as `init` declares, given 0" in str(refused), refused
    if number == 7:
        server.tell(lease, None)
    else:
        server.tell(lease, (kp - 0.4) ** 2 + wind, [wind])
status = server.status()
print(status["told"], status["lost"], 0 <= server.recommend()[0] <= 1)
"#;
    let said = ran(&python, folder.path(), &["-c", script]);
    assert_eq!(said, "40 1 True\n");
    drop(server);
    replays(folder.path());
}

#[test]
fn an_optuna_study_asks_the_server_and_its_lost_trials_are_crashes() {
    let Some(python) = python_with("optuna") else {
        return;
    };
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let server = Server::start(folder.path(), &[]).listening();
    let script = r#"
import optuna
from optuna.distributions import FloatDistribution, IntDistribution
from optuna_sampler import WindhoverSampler
optuna.logging.set_verbosity(optuna.logging.ERROR)
space = {"kp": FloatDistribution(0.1, 30, log=True), "n": IntDistribution(1, 9)}
def objective(trial):
    kp, n = trial.suggest_float("kp", 0.1, 30, log=True), trial.suggest_int("n", 1, 9)
    if kp * n > 60:
        raise optuna.TrialPruned
    return (kp - 2.7) ** 2 + 0.1 * (n - 6) ** 2
sampler = WindhoverSampler("unix:s", "j/token", space, seed=3, noise=False)
study = optuna.create_study(sampler=sampler)
study.optimize(objective, n_trials=30, n_jobs=2)
best = sampler.recommend(study)
print(len(study.trials), study.best_value < 0.1, abs(best["kp"] - 2.7) < 0.4, abs(best["n"] - 6) < 1.5)
"#;
    let said = ran(&python, folder.path(), &["-c", script]);
    assert_eq!(said, "30 True True True\n");
    let messages = server.messages();
    let told = messages.entries.iter().filter(|entry| match entry {
        Entry::Request { line, .. } => {
            let line: Value = serde_json::from_str(line).expect("JSON");
            line["type"] == json!("tell")
        }
        _ => false,
    });
    assert_eq!(told.count(), 30);
    drop(server);
    replays(folder.path());
}

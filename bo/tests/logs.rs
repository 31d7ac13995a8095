//! `bo --log`: the flight that a run draws, in forms that other tools open.

use serde_json::Value;
use sim::flight_log::{LogReading, read_flight_log};
use sim::log::{About, Format};
use sim::{Airframe, Domain, Dryden, Gains, Setup};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::program::{SMALL, bo, stderr, stdout, temporary, tune};

const FILES: [&str; 3] = ["samples.csv", "flight.mcap", "flight.ulg"];

/// A flight of 2 s, so that its logs are small.
const WAYPOINTS: &str = "t,x,y,z\n0,0,0,0\n1,0.6,0.3,0.1\n2,1,0,0\n";

fn logged(folder: &Path, out: &str, more: &[&str]) {
    fs::write(folder.join("way.csv"), WAYPOINTS).expect("writable");
    let args = ["--traj", "way.csv", "--surrogate", "gp", "--out", out];
    let output = tune(folder, &[&args[..], more].concat());
    assert!(output.status.success(), "{}", stderr(&output));
}

fn bytes(folder: &Path, file: &str) -> Vec<u8> {
    fs::read(folder.join(file)).expect("written")
}

/// The columns of the CSV by name.
fn columns(folder: &Path) -> HashMap<String, Vec<f64>> {
    let text = fs::read_to_string(folder.join("samples.csv")).expect("written");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let mut columns: HashMap<String, Vec<f64>> = HashMap::new();
    for line in lines {
        for (name, value) in names.iter().zip(line.split(',')) {
            let value = value.parse().expect("a number");
            columns.entry((*name).to_owned()).or_default().push(value);
        }
    }
    columns
}

/// The seed of the weather, as the log of form MCAP says it in its metadata.
fn seed_in(mcap: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(mcap);
    let (_, rest) = text.split_once("seed").expect("metadata");
    // A string stands behind its length.
    let digits = rest.chars().skip_while(|c| !c.is_ascii_digit());
    let digits: String = digits.take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a seed")
}

#[test]
fn the_logs_are_those_of_the_recommended_gains_in_the_first_held_out_steady_wind() {
    let folder = temporary();
    logged(folder.path(), "run", &["--log", "csv,mcap,ulog"]);
    let run = folder.path().join("run");
    let record: Value = serde_json::from_slice(&bytes(&run, "run.json")).expect("JSON");
    let gains = fs::read_to_string(run.join("gains.toml")).expect("written");
    let gains = Gains::from_toml(&gains).expect("gains");

    // The same flight, flown without the program.
    let seed = seed_in(&bytes(&run, "flight.mcap"));
    let airframe = Airframe::omac();
    let setup = Setup {
        record_every: 1,
        ..Setup::new(airframe.clone())
    };
    let path = trajectories::Waypoints::from_csv("way", WAYPOINTS).expect("legal");
    let mut wind = Dryden::new(&Domain::steady(), seed);
    let flight = sim::fly(&setup, &path, &gains, &mut wind, seed);
    assert_eq!(
        record["recommended"]["tests"][1]["ace_m"][0].as_f64(),
        Some(flight.cost_m()),
        "the wind is the first held-out one of the record"
    );
    let about = About {
        airframe: &airframe,
        gains: &gains,
        trajectory: "way",
        domain: "steady",
        seed,
        outcome: flight.outcome,
    };
    for format in [Format::Csv, Format::Mcap, Format::Ulog] {
        let wanted = format.encode(&about, &flight.samples).expect("encoded");
        let name = format.file_name();
        assert!(bytes(&run, name) == wanted, "{name} differs");
    }
}

#[test]
fn the_ulog_of_a_run_holds_the_samples_of_its_csv() {
    let folder = temporary();
    logged(folder.path(), "run", &["--log", "all"]);
    let run = folder.path().join("run");
    let columns = columns(&run);
    assert_eq!(columns["t_s"].len(), 2000, "every control period of 2 s");
    let mut velocities = Vec::new();
    let about = read_flight_log(&bytes(&run, "flight.ulg")[..], &mut |sample| {
        if let LogReading::Velocity(velocity) = sample.reading {
            velocities.push(velocity);
        }
    });
    assert_eq!(about.expect("a log").cut_at, None);
    assert_eq!(velocities.len(), 2000);
    // 32-bit floats.
    for (axis, column) in ["vx_m_s", "vy_m_s", "vz_m_s"].into_iter().enumerate() {
        for (velocity, sample) in velocities.iter().zip(&columns[column]) {
            assert_eq!(velocity[axis], f64::from(*sample as f32), "{column}");
        }
    }
}

#[test]
fn a_study_file_asks_for_logs_and_a_run_without_them_has_none() {
    let folder = temporary();
    let here = folder.path();
    logged(here, "plain", &[]);
    assert!(
        FILES
            .iter()
            .all(|file| !here.join("plain").join(file).exists())
    );
    fs::write(
        here.join("s.toml"),
        "trajectory = \"way.csv\"\nlog = [\"ulog\"]\n[flight]\nstart = \"rest\"\n[budget]\ntogether = 1\n[limits]\nmargins = \"stated\"\n",
    )
    .expect("writable");
    let args = ["--config", "s.toml", "--surrogate", "gp", "--out", "run"];
    let output = bo(here, &[&args[..], &SMALL].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("flight.ulg, config.toml"));
    assert!(here.join("run/flight.ulg").is_file() && !here.join("run/flight.mcap").exists());
    // The gains do not depend on it, and the study that is kept has it.
    assert_eq!(bytes(here, "plain/run.json"), bytes(here, "run/run.json"));
    let again = ["--config", "run/config.toml", "--out", "again"];
    assert!(bo(here, &again).status.success());
    for file in ["flight.ulg", "manifest.json", "trials.log"] {
        let [one, two] = ["run", "again"].map(|run| bytes(&here.join(run), file));
        assert!(one == two, "{file} differs");
    }
}

#[test]
fn a_resumed_run_has_the_logs_of_an_undisturbed_one_and_takes_no_others() {
    let folder = temporary();
    let here = folder.path();
    logged(here, "whole", &["--log", "mcap,ulog"]);
    logged(here, "cut", &["--log", "mcap,ulog"]);
    // As a kill during the fourth evaluation would have left it.
    let journal = fs::read_to_string(here.join("cut/trials.log")).expect("written");
    let kept: String = journal.split_inclusive('\n').take(4).collect();
    for file in ["run.json", "manifest.json", "flight.mcap", "flight.ulg"] {
        fs::remove_file(here.join("cut").join(file)).expect("there");
    }
    fs::write(here.join("cut/trials.log"), kept).expect("writable");
    let other = [
        "--resume",
        "cut",
        "--config",
        "cut/config.toml",
        "--log",
        "csv",
    ];
    let refused = bo(here, &other);
    assert_eq!(refused.status.code(), Some(2));
    let text = stderr(&refused);
    assert!(
        text.contains(
            "config.toml is `log = [\"mcap\", \"ulog\"]`, now it would be `log = [\"csv\"]`"
        ),
        "{text}"
    );
    assert!(bo(here, &["--resume", "cut"]).status.success());
    for file in ["flight.mcap", "flight.ulg", "manifest.json", "run.json"] {
        let [one, two] = ["whole", "cut"].map(|run| bytes(&here.join(run), file));
        assert!(one == two, "{file} differs");
    }
}

#[test]
fn an_unknown_log_is_refused_before_any_flight() {
    let folder = temporary();
    let refused = |args: &[&str], code| {
        let output = bo(folder.path(), args);
        assert_eq!(output.status.code(), Some(code));
        assert!(!folder.path().join("runs").exists());
        stderr(&output)
    };
    assert_eq!(
        refused(&["--traj", "hover", "--log", "csv,bag"], 2),
        "error: --log does not know `bag`; it may be csv, mcap, ulog, all\n"
    );
    assert_eq!(
        refused(&["--traj", "hover", "--log", "csv,csv"], 2),
        "error: --log names `csv` twice\n"
    );
    for (text, said) in [
        (
            "log = [\"bag\"]",
            "1:8: log does not know `bag`; it may be csv, mcap, ulog",
        ),
        (
            "log = [\"csv\", \"csv\"]",
            "1:15: the log `csv` stands twice",
        ),
        (
            "log = \"csv\"",
            "1:7: invalid type: string \"csv\", expected a sequence",
        ),
    ] {
        fs::write(folder.path().join("s.toml"), text).expect("writable");
        assert_eq!(
            refused(&["--config", "s.toml"], 65),
            format!("error: s.toml:{said}\n")
        );
    }
}

#[test]
fn other_people_s_readers_find_the_samples_of_the_csv_in_a_run_s_logs() {
    let others = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sim/tests/others");
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("log-readers");
    let Some(python) = checks::python::with(&made, &others.join("readers.txt")) else {
        return;
    };
    let folder = temporary();
    logged(folder.path(), "run", &["--log", "all"]);
    let gains = fs::read_to_string(folder.path().join("run/gains.toml")).expect("written");
    let kp = Gains::from_toml(&gains).expect("gains").position_xy.kp;
    let output = std::process::Command::new(python)
        .arg(others.join("read_logs.py"))
        .arg(folder.path().join("run"))
        .arg(kp.to_string())
        .output()
        .expect("python starts");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(
        stdout(&output).trim_end(),
        "2000 samples agree in 14 mcap and 13 ulog columns"
    );
}

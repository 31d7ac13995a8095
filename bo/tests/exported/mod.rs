//! Runs to be exported, and the program that exports them.

use crate::program::{bo, stderr};
use serde_json::{Value, json};
use sim::autopilot::ParameterFile;
use sim::{Airframe, Domain, Gains};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

pub const POSITION: [&str; 6] = [
    "position_xy.kp",
    "position_xy.ki",
    "position_xy.kd",
    "position_z.kp",
    "position_z.ki",
    "position_z.kd",
];
pub const RATE: [&str; 3] = ["rate_kp.xyz", "rate_ki.xyz", "rate_kd.xyz"];

/// The values in a file that was written for `target`.
pub fn values_of(target: &str, text: &str) -> BTreeMap<String, f64> {
    let file = ParameterFile::of(text, "ours", None, None).expect("reads back");
    assert_eq!(file.autopilot, target);
    file.values()
}

/// A folder with the record of a run that tuned `tuned` and recommends `gains`. Its flights are made
/// up: one evaluation, six held-out winds, the recommended gains better than the default ones.
pub fn folder_of(airframe: &Airframe, gains: &Gains, tuned: &[&str]) -> temp_dir::TempDir {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    fs::create_dir(folder.path().join("run")).expect("writable");
    put(folder.path(), &record(airframe, gains, tuned));
    folder
}

/// Puts `record` into the folder `run` below `folder`.
pub fn put(folder: &Path, record: &Value) {
    fs::write(folder.join("run/run.json"), record.to_string()).expect("writable");
}

/// The record of such a run.
pub fn record(airframe: &Airframe, gains: &Gains, tuned: &[&str]) -> Value {
    let knobs: Vec<_> = tuned
        .iter()
        .map(|name| json!({"name": name, "low": 1.0, "high": 2.0}))
        .collect();
    let score = json!({
        "ace_m": 0.75, "mean_distance_m": 0.7, "mean_square_m2": 0.5625, "max_error_m": 1.0,
        "mean_state_error": 1.0, "effort": 0.1, "rotor_saturation": 0.0, "force_limitation": 0.0,
    });
    let trial = json!({
        "number": 0, "origin": "baseline", "gains": {}, "cost_m": 0.75, "score": score,
        "weather": {"domain": "steady", "seed": 3}, "outcome": {"end": "completed"},
    });
    let tested = |gains: &Gains, ace_m: [f64; 2]| json!({"gains": gains, "tests": [{"domain": "steady", "ace_m": six(ace_m), "crashes": 0}]});
    // Stated to be little, so that the vehicle is stable and has margins.
    let mut sensors = sim::Setup::new(airframe.clone()).sensors;
    sensors.delay_periods = 1;
    json!({
        "schema": "windhover-run/1",
        "versions": {"windhover": "0.1.0"},
        "settings": {
            "trajectory": "fig8", "surrogate": "gp", "seed": 7, "kappa": 2.0,
            "initial": 1, "iterations": 0, "held_out_winds": 6,
        },
        "problem": {
            "airframe": airframe,
            "sensors": sensors,
            "domains": [Domain::steady()],
            "tuned": knobs,
        },
        "trials": [trial],
        "default": tested(&airframe.gains, [1.75, 1.76]),
        "recommended": tested(gains, [0.25, 0.27]),
        "observed": tested(gains, [0.25, 0.27]),
    })
}

/// Six flights that are alternately like one and like the other.
pub fn six([one, other]: [f64; 2]) -> [f64; 6] {
    [one, other, one, other, one, other]
}

/// Gains that PX4 and ArduPilot can hold, none of them round.
pub fn modest(airframe: &Airframe) -> Gains {
    let mut gains = airframe.gains;
    gains.position_xy = sim::Pid {
        kp: 5.4321,
        ki: 0.3333,
        kd: 3.9876,
    };
    gains.position_z = sim::Pid {
        kp: 8.642,
        ki: 1.5308,
        kd: 6.912,
    };
    gains
}

pub fn omac_run() -> temp_dir::TempDir {
    let airframe = Airframe::omac();
    folder_of(&airframe, &modest(&airframe), &POSITION)
}

/// A vehicle whose rate gains every autopilot can hold, with all loops tuned.
pub fn rates_run() -> (Airframe, temp_dir::TempDir) {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    let mut gains = modest(&airframe);
    gains.rate_kp = [0.3123, 0.2987, 0.0512];
    gains.rate_ki = [0.4321, 0.3456, 0.0456];
    gains.rate_kd = [0.00512, 0.00487, 0.0];
    let tuned = [&POSITION[..], &["attitude_kp.xyz"], &RATE].concat();
    let folder = folder_of(&airframe, &gains, &tuned);
    (airframe, folder)
}

pub fn text(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).expect(file)
}

/// Exit code and the one line on stderr of an export that writes nothing.
pub fn refused(folder: &Path, args: &[&str]) -> (i32, String) {
    let args = [&["export"], args, &["--out", "new"]].concat();
    let output = bo(folder, &args);
    let message = stderr(&output);
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(!folder.join("new").exists(), "{args:?}");
    (output.status.code().expect("an exit code"), message)
}

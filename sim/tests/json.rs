//! `--format json` on every command: standard output is one JSON object that names its form.

use crate::program;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

fn sim(folder: &Path, line: &str) -> Output {
    program::sim(folder, &line.split(' ').collect::<Vec<_>>())
}

/// The one object on standard output, with the form that it names.
fn object(output: &Output, schema: &str) -> Value {
    let value: Value = serde_json::from_slice(&output.stdout).expect("one JSON value");
    assert_eq!(value["schema"], schema);
    value
}

/// A fall from rest, as a recorded case.
const FALL: &str = include_str!("fall.json");

#[test]
fn every_command_prints_one_object_in_either_spelling_of_the_flag() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    fs::write(folder.path().join("fall.json"), FALL).expect("writable");
    let cases = [
        (
            "fly --traj hover --domain still",
            "windhover-flight/1",
            "score",
        ),
        (
            "montecarlo --traj hover --domain steady --flights 4",
            "windhover-montecarlo/2",
            "quantiles",
        ),
        (
            "wind --domain steady --samples 10",
            "windhover-wind/1",
            "statistics",
        ),
        ("replay fall.json", "windhover-replay/1", "position"),
    ];
    for (line, schema, key) in cases {
        let long = sim(folder.path(), &format!("{line} --format json"));
        let value = object(&long, schema);
        assert!(!value[key].is_null(), "{line}: {key}");
        let short = sim(folder.path(), &format!("{line} --json"));
        assert_eq!(short.stdout, long.stdout, "{line}");
        assert_eq!(short.status.code(), long.status.code(), "{line}");
        let text = sim(folder.path(), &format!("{line} --format text"));
        assert!(serde_json::from_slice::<Value>(&text.stdout).is_err());
        assert_eq!(text.status.code(), long.status.code(), "{line}");
    }
}

#[test]
fn a_wind_test_in_json_says_which_statistics_are_out() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let output = sim(
        folder.path(),
        "wind --domain gusty --samples 40 --format json",
    );
    let value = object(&output, "windhover-wind/1");
    let statistics = value["statistics"].as_array().expect("a list");
    assert!(statistics.len() > 10);
    let number = |value: &Value| value.as_f64().expect("a number");
    let gate = number(&value["gate"]);
    for one in statistics {
        let away = (number(&one["measured"]) - number(&one["analytic"])).abs();
        let out = away > gate * number(&one["standard_error"]);
        assert_eq!(one["out"], out, "{one}");
    }
    let out = statistics.iter().filter(|one| one["out"] == true).count();
    assert_eq!(value["out"], out);
    assert_eq!(value["passed"], out == 0);
    assert_eq!(output.status.code(), Some(i32::from(out > 0)));
}

#[test]
fn an_error_stays_one_line_on_standard_error() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    for (line, code) in [
        ("fly --traj fig9 --format json", 2),
        ("replay gone.json --format json", 66),
        ("wind --domain gusty --samples 1 --json", 2),
        ("fly --format jsn", 2),
        ("fly --json --format text", 2),
    ] {
        let output = sim(folder.path(), line);
        assert_eq!(output.status.code(), Some(code), "{line}");
        assert!(output.stdout.is_empty(), "{line}");
        let text = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(text.lines().count(), 1, "{line}: {text}");
    }
}

#[test]
fn the_help_of_every_command_has_the_flag_and_an_example_and_fits_a_screen() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    for command in ["fly", "montecarlo", "wind", "replay"] {
        let output = sim(folder.path(), &format!("{command} --help"));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(
            text.contains("--format <FORM>") && text.contains("--json"),
            "{command}"
        );
        assert!(text.contains("\nExample"), "{command}");
        let short = String::from_utf8(sim(folder.path(), &format!("{command} -h")).stdout);
        let lines = short.expect("UTF-8").lines().count();
        assert!(lines <= 36, "{command}: {lines}");
    }
}

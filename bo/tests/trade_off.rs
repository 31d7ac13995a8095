//! Limits on what flights measure, the front of error and motor activity, and gains taken from it.

use crate::program::{bo, json, record, refusal, refused, stderr, stdout, succeeded, temporary};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn study(folder: &Path, name: &str, more: &str) {
    study_of(folder, name, more, 14);
}

fn study_of(folder: &Path, name: &str, more: &str, iterations: u32) {
    let text = format!(
        "trajectory = \"hover\"\nsurrogate = \"gp\"\n{more}\n[budget]\ninitial = 6\niterations = {iterations}\ntogether = 1\nheld_out = 4\n"
    );
    fs::write(folder.join(format!("{name}.toml")), text).expect("written");
}

fn activity(trial: &Value) -> f64 {
    let flights = trial["flights"].as_array().expect("flights");
    let of = |flight: &Value| {
        flight["score"]["motor_activity_per_s"]
            .as_f64()
            .expect("measured")
    };
    flights.iter().map(of).sum::<f64>() / flights.len() as f64
}

fn run(folder: &Path, name: &str) -> Vec<Value> {
    let file = format!("{name}.toml");
    succeeded(folder, &["--config", &file, "--out", name]);
    let trials = record(folder, name)["trials"].clone();
    trials.as_array().expect("trials").clone()
}

#[test]
fn a_limit_on_motor_activity_turns_the_search_to_gains_that_keep_it() {
    let folder = temporary();
    let folder = folder.path();
    study(folder, "free", "");
    let free = run(folder, "free");
    let searched = |trials: &[Value]| -> Vec<f64> { trials[6..].iter().map(activity).collect() };
    let mut without = searched(&free);
    without.sort_by(f64::total_cmp);
    // A limit that most of what was searched without it breaks.
    let limit = without[2];
    study(
        folder,
        "kept",
        &format!("[limits]\nmotor_activity_per_s = {limit}\n"),
    );
    let kept = run(folder, "kept");
    let broken = |found: &[f64]| found.iter().filter(|found| **found > limit).count();
    let (before, after) = (broken(&without), broken(&searched(&kept)));
    assert!(before >= 10 && after < before, "{before} and {after} of 14");
    let gains = json(&folder.join("kept/run.json"))["recommended"]["gains"].clone();
    assert!(gains.is_object());
    // The front is of gains that keep it.
    let front = stdout(&succeeded(
        folder,
        &["show", "kept", "--front", "--format", "json"],
    ));
    let front: Value = serde_json::from_str(&front).expect("JSON");
    let front = front["error_and_motor_activity"]
        .as_array()
        .expect("a front");
    let least = |of: &Value| of["motor_activity_per_s"].as_f64() <= Some(limit);
    assert!(!front.is_empty() && front.iter().all(least), "{front:?}");
    // What no gains keep is said of those that come nearest.
    study(folder, "never", "[limits]\nmotor_activity_per_s = 0.01\n");
    let said = stdout(&succeeded(
        folder,
        &["--config", "never.toml", "--out", "never"],
    ));
    assert!(
        said.contains("in test flights, above the limit of 0.01: tune with more"),
        "{said}"
    );
    let shown = stdout(&succeeded(folder, &["show", "never", "--front"]));
    assert!(
        shown.contains("No gains that this run flew keep the study's limits."),
        "{shown}"
    );
    let choice = &json(&folder.join("never/run.json"))["recommended"]["choice"]["by"];
    assert_eq!(choice, "outside_limits");
    // The same study, the same bytes.
    succeeded(folder, &["--config", "kept.toml", "--out", "again"]);
    let read = |run: &str| fs::read(folder.join(run).join("run.json")).expect("written");
    assert_eq!(read("kept"), read("again"));
}

const OLD: &str = "\
attitude_kp = [15.0, 15.0, 1.0]
rate_kp = [0.3, 0.3, 0.1]
rate_ki = [0.07, 0.07, 0.0005]
rate_kd = [0.0016, 0.0016, 0.01]
position_xy = { kp = 6.0, ki = 0.5, kd = 4.0 }
position_z = { kp = 3.0, ki = 0.5, kd = 3.0 }
";

/// The gains of the vehicle that a run tuned, before it did.
fn vehicle(folder: &Path) -> Value {
    record(folder, "run")["problem"]["airframe"]["gains"].clone()
}

/// What is exported at `demand`, which are the gains of `trial`.
fn exports(folder: &Path, demand: &str, trial: &Value) -> Value {
    let args = ["export", "run", "--to", "json", "--at", demand, "--anyway"];
    succeeded(folder, &args);
    let exported = fs::read_to_string(folder.join("run/json.json")).expect("written");
    for file in ["run/json.json", "run/json-rollback.json"] {
        fs::remove_file(folder.join(file)).expect("there");
    }
    let exported: Value = serde_json::from_str(&exported).expect("JSON");
    for gain in exported["gains"].as_array().expect("gains") {
        let name = gain["name"].as_str().expect("a name");
        let flown = match &trial["gains"][name] {
            Value::Null => {
                let (of, axis) = name.split_once('.').expect("a gain about an axis");
                vehicle(folder)[of]["xyz".find(axis).expect("an axis")].clone()
            }
            tuned => tuned.clone(),
        };
        assert_eq!(gain["value"], flown, "{name}");
    }
    exported
}

#[test]
fn the_front_is_printed_and_gains_are_exported_from_it() {
    let folder = temporary();
    let folder = folder.path();
    // With sensors that are stated to be 2 ms late the vehicle is stable, and has margins.
    // What it is compared with has other gains of the rates, which are not tuned.
    fs::write(folder.join("old.toml"), OLD).expect("written");
    let more = "objective = [\"ace\", \"motor-activity\"]\n[gains]\nbaseline = \"old.toml\"\n[sensors]\ndelay_periods = 2";
    study_of(folder, "run", more, 6);
    let trials = run(folder, "run");
    let text = stdout(&succeeded(folder, &["show", "run", "--front"]));
    for said in [
        "error against motor activity",
        "error against phase margin",
        "recommended",
        "in the test winds the default gains have a median error of ",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let printed = stdout(&succeeded(
        folder,
        &["show", "run", "--front", "--format", "json"],
    ));
    let printed: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(printed["schema"], "windhover-front/1");
    // The default gains are none of the evaluations: their activity is that of test flights.
    assert!(printed["default"]["motor_activity_per_s"].as_f64() > Some(0.0));
    let front = printed["error_and_motor_activity"]
        .as_array()
        .expect("a front");
    let both: Vec<[f64; 2]> = front
        .iter()
        .map(|of| ["error_m", "motor_activity_per_s"].map(|key| of[key].as_f64().expect("known")))
        .collect();
    assert!(both.len() >= 2, "{both:?}");
    assert!(
        both.is_sorted_by(|a, b| a[0] < b[0] && a[1] > b[1]),
        "{both:?}"
    );
    let vehicle = vehicle(folder);
    for of in front {
        let number = of["evaluation"].as_u64().expect("flown") as usize;
        assert_eq!(of["gains"]["rate_kp"], vehicle["rate_kp"]);
        let measured = activity(&trials[number]);
        assert_eq!(of["motor_activity_per_s"].as_f64(), Some(measured));
    }
    // The last of the front has the least activity of all that finished.
    let last = front.last().expect("two")["evaluation"]
        .as_u64()
        .expect("flown");
    let limit = format!("motor-activity={}", both.last().expect("two")[1]);
    let exported = exports(folder, &limit, &trials[last as usize]);
    let about = exported["about"].to_string();
    assert!(
        about.contains("Not the recommended gains: of those that the run flew")
            && about.matches("recommended").count() == 1,
        "{about}"
    );

    // Each point of the slider says how it is exported.
    succeeded(folder, &["report", "run"]);
    let page = fs::read_to_string(folder.join("run/report.html")).expect("written");
    let points: Vec<&str> = page.split("<div class=\"point\">").skip(1).collect();
    assert!((2..=9).contains(&points.len()), "{}", points.len());
    let between = |text: &str, from: &str, to: &str| {
        let (_, rest) = text.split_once(from).expect(from);
        rest.split_once(to).expect(to).0.to_owned()
    };
    for point in [points[0], points[points.len() - 1]] {
        let number = between(point, "Evaluation ", "<").parse::<usize>();
        let demand = between(point, "bo export run --to AUTOPILOT --at ", "<");
        exports(folder, &demand, &trials[number.expect("a number")]);
        assert!(point.contains("<svg") && point.contains("these gains"));
    }

    let (code, line) = refused(
        folder,
        &["export", "run", "--to", "px4", "--at", "phase=179"],
    );
    assert_eq!(code, 65);
    let start = "error: none of the gains that this run flew has a phase margin of at least 179 degrees; the nearest are those of evaluation ";
    assert!(line.starts_with(start), "{line}");
    let (code, line) = refused(
        folder,
        &["export", "run/gains.toml", "--to", "px4", "--at", "phase=3"],
    );
    assert_eq!(code, 2);
    assert!(line.contains("--at is for a run"), "{line}");
    let output = bo(folder, &["export", "run", "--to", "px4", "--at", "speed=3"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("names: motor-activity, phase, gain, disk"),
        "{said}"
    );
}

#[test]
fn objectives_limits_and_times_to_settle_that_cannot_be_are_one_line() {
    for (key, line) in [
        ("objective = [\"ace\", \"ace\"]", "the objective"),
        (
            "objective = [\"motor-activity\"]",
            "a list of objectives with ace in it",
        ),
        ("objective = [\"ace\", \"speed\"]", "ace, motor-activity"),
        ("[limits]\nmotor_activity_per_s = -1", "from 0.001 to 10000"),
        ("[limits]\nloss_probability = 2", "from 0 to 1"),
        (
            "[flight]\nsettle_s = 60",
            "leaves nothing to score of a flight of",
        ),
        ("[flight]\nstart = \"standing\"", "equilibrium, rest"),
    ] {
        let folder = temporary();
        fs::write(
            folder.path().join("s.toml"),
            format!("trajectory = \"hover\"\n{key}\n"),
        )
        .expect("written");
        let (code, said) = refused(folder.path(), &["--config", "s.toml"]);
        assert_eq!(code, 65, "{said}");
        assert!(said.contains(line), "{key}: {said}");
    }
    let (code, said) = refusal(&["--traj", "hover", "--objective", "motor-activity"]);
    assert_eq!(code, 2, "{said}");
    let line = "--objective must be a list of objectives with ace in it";
    assert!(said.contains(line), "{said}");
}

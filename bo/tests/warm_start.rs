//! `--warm-start` as a user meets it.

use serde_json::Value;
use std::fs;
use std::path::Path;

use crate::program::{bo, json, stderr, temporary, tune};

/// A run of seven evaluations on hover.
fn earlier(folder: &Path, more: &[&str]) {
    let flags = ["--traj", "hover", "--surrogate", "gp", "--out", "earlier"];
    let output = tune(folder, &[&flags[..], more].concat());
    assert!(output.status.success(), "{}", stderr(&output));
}

const LATER: [&str; 8] = [
    "--traj",
    "hover",
    "--surrogate",
    "gp",
    "--seed",
    "2",
    "--warm-start",
    "earlier",
];

#[test]
fn earlier_evaluations_are_data_beside_the_budget_and_stay_with_the_run() {
    let folder = temporary();
    earlier(folder.path(), &[]);
    let later = |out: &str, more: &[&str]| {
        let args = [&LATER[..], &["--out", out], more].concat();
        let output = tune(folder.path(), &args);
        assert!(output.status.success(), "{}", stderr(&output));
        json(&folder.path().join(out).join("run.json"))
    };
    let run = later("later", &[]);
    assert_eq!(run["trials"].as_array().expect("a list").len(), 7);
    let known = run["warm_start"]["trials"].as_array().expect("a list");
    let first = json(&folder.path().join("earlier/run.json"));
    assert_eq!(known.len(), 7);
    for (known, trial) in known
        .iter()
        .zip(first["trials"].as_array().expect("a list"))
    {
        assert_eq!(known["cost_m"], trial["cost_m"]);
        assert_eq!(known["gains"], trial["gains"]);
    }
    // Without them the same seed chooses other gains after its design.
    let args = [
        "--traj",
        "hover",
        "--surrogate",
        "gp",
        "--seed",
        "2",
        "--out",
        "cold",
    ];
    assert!(tune(folder.path(), &args).status.success());
    let cold = json(&folder.path().join("cold/run.json"));
    assert_eq!(run["trials"][0]["gains"], cold["trials"][0]["gains"]);
    assert_ne!(run["trials"][4]["gains"], cold["trials"][4]["gains"]);

    // The effective study needs the earlier run no more, nor does a resume.
    fs::rename(folder.path().join("earlier"), folder.path().join("gone")).expect("ours");
    let output = bo(
        folder.path(),
        &["--config", "later/config.toml", "--out", "again"],
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let journal = fs::read_to_string(folder.path().join("later/trials.log")).expect("written");
    let kept: String = journal.split_inclusive('\n').take(6).collect();
    fs::create_dir(folder.path().join("cut")).expect("new");
    fs::write(folder.path().join("cut/trials.log"), kept).expect("writable");
    let output = bo(folder.path(), &["--resume", "cut"]);
    assert!(output.status.success(), "{}", stderr(&output));
    for file in ["run.json", "trials.log", "config.toml"] {
        let read = |run: &str| fs::read(folder.path().join(run).join(file)).expect("written");
        assert!(read("later") == read("again"), "{file}");
        assert!(read("later") == read("cut"), "{file}");
    }
    let output = bo(folder.path(), &["report", "later"]);
    assert!(output.status.success(), "{}", stderr(&output));
}

/// An earlier run of the same seed shares neither a wind nor a point of the design with the later
/// one, which would count one flight twice.
#[test]
fn an_equal_seed_meets_no_wind_of_the_earlier_run_again() {
    let folder = temporary();
    let same = ["--seed", "2"];
    earlier(folder.path(), &same);
    let args = [&LATER[..], &["--out", "later"]].concat();
    assert!(tune(folder.path(), &args).status.success());
    let [first, later] = ["earlier", "later"].map(|run| {
        let run = json(&folder.path().join(run).join("run.json"));
        run["trials"].as_array().expect("a list").clone()
    });
    assert_eq!(first.len(), later.len());
    for trial in &first {
        let seed = &trial["flights"][0]["weather"]["seed"];
        assert!(seed.is_u64() || seed.is_string());
        assert!(
            later
                .iter()
                .all(|later| later["flights"][0]["weather"]["seed"] != *seed)
        );
    }
    // The first evaluation is of the default gains in both; no other point of the designs is shared.
    for trial in &first[1..] {
        assert!(
            later[1..]
                .iter()
                .all(|later| later["gains"] != trial["gains"])
        );
    }
}

/// Narrower and wider bounds than the earlier run's: its evaluations stay data, those outside too, and
/// nothing outside is flown.
#[test]
fn a_run_with_other_bounds_takes_them() {
    let folder = temporary();
    earlier(folder.path(), &[]);
    let study = "trajectory = \"hover\"\nsurrogate = \"gp\"\n[gains.bounds]\n\"position_xy.kp\" = { low = 2.0, high = 9.0 }\n";
    fs::write(folder.path().join("space.toml"), study).expect("writable");
    let args = [
        "--config",
        "space.toml",
        "--warm-start",
        "earlier",
        "--out",
        "later",
    ];
    let output = tune(folder.path(), &args);
    assert!(output.status.success(), "{}", stderr(&output));
    let run = json(&folder.path().join("later/run.json"));
    let gains = |list: &Value| -> Vec<f64> {
        let trials = list.as_array().expect("a list").iter();
        trials
            .map(|trial| trial["gains"]["position_xy.kp"].as_f64().expect("tuned"))
            .collect()
    };
    let known = gains(&run["warm_start"]["trials"]);
    assert!(known.iter().any(|kp| *kp < 2.0 || *kp > 9.0), "{known:?}");
    let flown = gains(&run["trials"]);
    assert!(flown.iter().all(|kp| (2.0..=9.0).contains(kp)), "{flown:?}");
}

/// The last line on stderr: a record that no manifest vouches for is remarked on before.
fn last(output: &std::process::Output) -> String {
    let text = stderr(output);
    text.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn the_best_flight_of_both_runs_is_the_observed_one() {
    let folder = temporary();
    earlier(folder.path(), &[]);
    let record = folder.path().join("earlier/run.json");
    let mut first = json(&record);
    // The best flight of all, by its own score as well.
    first["trials"][2]["flights"][0]["score"]["ace_m"] = 1e-3.into();
    first["trials"][2]["cost_m"] = 1e-3.into();
    fs::write(&record, first.to_string()).expect("ours");
    fs::remove_file(folder.path().join("earlier/manifest.json")).expect("there");
    let args = [&LATER[..], &["--out", "later"]].concat();
    assert!(tune(folder.path(), &args).status.success());
    let run = json(&folder.path().join("later/run.json"));
    assert_eq!(run["observed"]["choice"]["by"], "observed_before");
    assert_eq!(run["observed"]["choice"]["trial"], 2);
    let gains = |name: &str| first["trials"][2]["gains"][name].as_f64().expect("tuned");
    let kept = run["observed"]["gains"]["position_xy"]["kp"].as_f64();
    let gap = kept.expect("a number") - gains("position_xy.kp");
    assert!(gap.abs() < 1e-9, "{gap}");
}

#[test]
fn a_run_of_another_problem_or_a_newer_form_is_refused_with_the_difference() {
    let folder = temporary();
    earlier(folder.path(), &[]);
    fs::write(
        folder.path().join("cost.toml"),
        "trajectory = \"hover\"\n[cost]\neffort_m = 0.5\n",
    )
    .expect("writable");
    fs::write(
        folder.path().join("vehicle.toml"),
        "trajectory = \"hover\"\nairframe = \"crazyflie\"\n",
    )
    .expect("writable");
    let cases = [
        (
            &["--traj", "fig8"][..],
            "trajectory is hover, this one's fig8",
        ),
        (
            &["--config", "cost.toml"],
            "cost is ACE + 0 m effort + 0 m saturation, this one's ACE + 0.5 m effort + 0 m saturation",
        ),
        (&["--config", "vehicle.toml"], "vehicle is omac "),
    ];
    for (flags, said) in cases {
        let args = [flags, &["--warm-start", "earlier", "--out", "none"]].concat();
        let output = bo(folder.path(), &args);
        let line = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(
            line.starts_with(&format!("error: --warm-start: the earlier run's {said}")),
            "{line}"
        );
        assert_eq!(line.lines().count(), 1);
    }
    let record = folder.path().join("earlier/run.json");
    let whole = fs::read_to_string(&record).expect("written");
    fs::remove_file(folder.path().join("earlier/manifest.json")).expect("there");
    let mut outside: Value = serde_json::from_str(&whole).expect("JSON");
    outside["trials"][3]["gains"]["position_z.kp"] = 99.0.into();
    fs::write(&record, outside.to_string()).expect("ours");
    let output = bo(folder.path(), &[&LATER[..], &["--out", "none"]].concat());
    assert_eq!(output.status.code(), Some(65));
    assert_eq!(
        last(&output),
        "error: --warm-start: evaluation 3 of the earlier run is damaged: its position_z.kp is 99, outside 1 to 30"
    );
    fs::write(&record, whole).expect("ours");
    let many = [
        "--traj",
        "hover",
        "--iterations",
        "1990",
        "--warm-start",
        "earlier",
    ];
    assert_eq!(
        last(&bo(folder.path(), &many)),
        "error: --warm-start gives 7 evaluations and the budget 2000; together at most 2000"
    );
    let text = fs::read_to_string(&record).expect("written");
    fs::write(&record, text.replace("windhover-run/4", "windhover-run/9")).expect("ours");
    let output = bo(folder.path(), &[&LATER[..], &["--out", "none"]].concat());
    assert_eq!(output.status.code(), Some(65));
    let line = stderr(&output);
    assert!(line.contains("has the form `windhover-run/9`"), "{line}");
    let output = bo(folder.path(), &["--warm-start", "nowhere"]);
    assert_eq!(output.status.code(), Some(66), "{}", stderr(&output));
    assert!(!folder.path().join("none").exists());
}

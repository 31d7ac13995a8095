//! `--airframe`: runs and comparisons with another vehicle than the default one.

use serde_json::Value;
use sim::Airframe;
use std::fs;

use crate::program::{SMALL, bo, record, refusal, stderr, stdout, temporary, tune};

#[test]
fn a_shipped_vehicle_is_tuned_from_its_own_gains() {
    let folder = temporary();
    for name in ["crazyflie", "hummingbird"] {
        let args = ["--traj", "hover", "--surrogate", "gp", "--airframe", name];
        let output = tune(folder.path(), &[&args[..], &["--out", name]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let run = record(folder.path(), name);
        let airframe = Airframe::by_name(name).expect("shipped");
        let gains = serde_json::to_value(airframe.gains).expect("JSON");
        assert_eq!(run["default"]["gains"], gains);
        assert_eq!(run["problem"]["airframe"]["name"], name);
        let kp = airframe.gains.position_xy.kp;
        assert_eq!(run["trials"][0]["gains"]["position_xy.kp"], kp);
        let config = fs::read_to_string(folder.path().join(name).join("config.toml"));
        let line = format!("airframe = \"{name}\"\n");
        assert!(config.expect("written").contains(&line));
    }
}

#[test]
fn the_flag_overrides_the_study_whose_own_starts_stay() {
    let folder = temporary();
    let here = folder.path();
    let study = "airframe = \"hummingbird\"\nsurrogate = \"gp\"\n[gains.bounds]\n\
                 \"position_xy.kp\" = { start = 5.5 }\n";
    fs::write(here.join("s.toml"), study).expect("writable");
    let mut airframe = Airframe::by_name("crazyflie").expect("shipped");
    airframe.name = "mine".to_owned();
    let text = toml::to_string(&airframe).expect("TOML");
    fs::write(here.join("mine.toml"), text).expect("writable");
    let args = [
        "--config",
        "s.toml",
        "--airframe",
        "mine.toml",
        "--out",
        "one",
    ];
    let output = bo(here, &[&args[..], &SMALL].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let run = record(here, "one");
    assert_eq!(run["problem"]["airframe"]["name"], "mine");
    let start = &run["trials"][0]["gains"];
    assert_eq!(start["position_xy.kp"], 5.5, "the study says so");
    assert_eq!(start["position_xy.ki"], airframe.gains.position_xy.ki);
    // The saved study holds the whole vehicle.
    fs::remove_file(here.join("mine.toml")).expect("there");
    let again = bo(here, &["--config", "one/config.toml", "--out", "two"]);
    assert!(again.status.success(), "{}", stderr(&again));
    let [one, two] = ["one", "two"].map(|run| fs::read(here.join(run).join("manifest.json")));
    assert_eq!(one.expect("written"), two.expect("written"));
}

/// Without drag or side force wind does not act, and a study "tuned for wind" means nothing.
#[test]
fn a_vehicle_that_feels_no_wind_is_warned_of_before_the_flights_and_in_the_report() {
    let folder = temporary();
    let here = folder.path();
    let mut airframe = Airframe::by_name("hummingbird").expect("shipped");
    airframe.name = "smooth".to_owned();
    (airframe.rotor_drag, airframe.body_drag) = (None, None);
    let text = toml::to_string(&airframe).expect("TOML");
    fs::write(here.join("smooth.toml"), text).expect("writable");
    let args = [
        "--traj",
        "hover",
        "--surrogate",
        "gp",
        "--airframe",
        "smooth.toml",
    ];
    let output = tune(here, &[&args[..], &["--out", "run"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let warning = "wind does not act on the airframe `smooth`";
    assert!(stderr(&output).contains(&format!("warning: {warning}")));
    let said = record(here, "run")["concerns"][0]
        .as_str()
        .expect("a sentence")
        .to_owned();
    assert!(said.starts_with(warning), "{said}");
    assert!(bo(here, &["report", "run"]).status.success());
    let page = fs::read_to_string(here.join("run/report.html")).expect("written");
    assert!(page.contains("<li>Before you trust it: wind does not act"));
}

#[test]
fn what_is_no_vehicle_is_refused_before_any_flight() {
    assert_eq!(
        refusal(&["--traj", "hover", "--airframe", "omak"]),
        (
            2,
            "error: unknown airframe `omak`: did you mean `omac`? Known: omac, crazyflie, hummingbird"
                .to_owned()
        )
    );
    let (code, text) = refusal(&["--airframe", "gone.toml"]);
    assert_eq!(code, 66);
    assert!(text.starts_with("error: cannot read gone.toml: "), "{text}");

    let folder = temporary();
    let here = folder.path();
    let mut stiff = Airframe::omac();
    stiff.gains.position_z.kp = 40.0;
    fs::write(
        here.join("stiff.toml"),
        toml::to_string(&stiff).expect("TOML"),
    )
    .expect("writable");
    fs::write(here.join("half.toml"), "name = \"half\"\n").expect("writable");
    for (command, file, said) in [
        (
            "",
            "half.toml",
            "error: half.toml: the airframe cannot be read: missing field `mass_kg` above the first table\n",
        ),
        (
            "",
            "stiff.toml",
            "error: stiff.toml: position_z.kp starts at 40, outside its bounds 1 to 30; give it a start or wider bounds under [gains.bounds], as in \"position_z.kp\" = { start = 30 }\n",
        ),
        (
            "compare",
            "half.toml",
            "error: half.toml: the airframe cannot be read: missing field `mass_kg` above the first table\n",
        ),
    ] {
        let args = [command, "--airframe", file];
        let args: Vec<&str> = args.into_iter().filter(|arg| !arg.is_empty()).collect();
        let output = bo(here, &args);
        assert_eq!(
            (output.status.code(), stderr(&output).as_str()),
            (Some(65), said)
        );
        assert!(!here.join("runs").exists());
    }
}

#[test]
fn a_comparison_flies_the_vehicle_and_its_folder_takes_no_other() {
    let folder = temporary();
    let here = folder.path();
    let compare = |more: &[&str]| {
        let line = "compare --traj hover --surrogates gp --baselines default --seeds 2 --initial 4 \
                    --iterations 3 --held-out 3 --out table";
        let args: Vec<&str> = line
            .split_whitespace()
            .chain(more.iter().copied())
            .collect();
        bo(here, &args)
    };
    let output = compare(&["--airframe", "crazyflie"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("ACE of crazyflie in metres"));
    let text = fs::read_to_string(here.join("table/cells/hover-default-1.json")).expect("kept");
    let cell: Value = serde_json::from_str(&text).expect("JSON");
    let crazyflie = Airframe::by_name("crazyflie").expect("shipped");
    let gains: sim::Gains =
        serde_json::from_value(cell["content"]["candidates"][0]["gains"].clone()).expect("gains");
    assert_eq!(gains, crazyflie.gains);
    // What the cell says of its gains is what a run of that seed says of them.
    let args = [
        "--traj",
        "hover",
        "--surrogate",
        "gp",
        "--airframe",
        "crazyflie",
        "--out",
        "run",
    ];
    assert!(tune(here, &args).status.success());
    let run = record(here, "run");
    assert_eq!(
        cell["content"]["candidates"][0]["tests"][0]["ace_m"],
        run["default"]["tests"][0]["ace_m"]
    );

    let again = compare(&["--airframe", "crazyflie"]);
    assert!(stdout(&again).contains("4 cells, 4 of them from an earlier run"));
    let other = compare(&[]);
    assert_eq!(other.status.code(), Some(2));
    assert_eq!(
        stderr(&other),
        "error: table was begun with airframe \"crazyflie\", not \"omac\"; name another folder or the same settings\n"
    );
}

//! Answers that mean nothing are announced, and no others.

mod program;

use program::{sim, stderr, stdout, temporary};
use serde_json::Value;
use sim::{AIRFRAME_NAMES, Airframe, Concern, Domain, Setup, World, concerns};
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use trajectories::Waypoints;

/// The shipped vehicle with nothing that moving air acts on.
fn without_drag() -> String {
    let text = include_str!("../airframes/hummingbird.toml");
    let (before, after) = text.split_once("[rotor_drag]").expect("shipped");
    let (_, after) = after.split_once("[controller]").expect("shipped");
    format!("{before}[controller]{after}").replace("\"hummingbird\"", "\"bare\"")
}

fn said(setup: &Setup, csv: &str, domains: &[&Domain]) -> Vec<String> {
    let trajectory = Waypoints::from_csv("own", csv).expect("waypoints");
    let found = concerns(setup, &trajectory, domains);
    found.iter().map(Concern::to_string).collect()
}

const GENTLE: &str = "0,0,0,0\n10,1,0,0\n";

#[test]
fn what_is_shipped_gives_no_cause_for_concern() {
    let (gusty, steady) = (Domain::gusty(), Domain::steady());
    for airframe in AIRFRAME_NAMES {
        let setup = Setup::new(Airframe::by_name(airframe).expect("shipped"));
        for name in trajectories::NAMES {
            let trajectory = trajectories::by_name(name).expect("shipped");
            let found = concerns(&setup, trajectory.as_ref(), &[&gusty, &steady]);
            assert_eq!(found, [], "{airframe} {name}");
        }
    }
}

#[test]
fn a_vehicle_that_feels_no_wind_is_named_on_one_line_by_fly_and_montecarlo() {
    let folder = temporary();
    fs::write(folder.path().join("bare.toml"), without_drag()).expect("writable");
    let line = "warning: wind does not act on the airframe `bare`: it has no side_force, \
                rotor_drag or body_drag; flights in any wind are flights in still air\n";
    let fly = |domain: &str| {
        let args = [
            "fly",
            "--traj",
            "hover",
            "--airframe",
            "bare.toml",
            "--domain",
            domain,
        ];
        sim(folder.path(), &args)
    };
    let (gusty, still) = (fly("gusty"), fly("still"));
    assert_eq!(
        (stderr(&gusty).as_str(), stderr(&still).as_str()),
        (line, "")
    );
    // The reason to warn: the same numbers.
    let numbers = |text: String| text.split_once('\n').expect("lines").1.to_owned();
    assert_eq!(numbers(stdout(&gusty)), numbers(stdout(&still)));
    let args = [
        "montecarlo",
        "--traj",
        "hover",
        "--airframe",
        "bare.toml",
        "--flights",
        "2",
    ];
    assert!(stderr(&sim(folder.path(), &args)).starts_with(line));
}

#[test]
fn serve_warns_in_its_answer_to_init() {
    let folder = temporary();
    fs::write(folder.path().join("bare.toml"), without_drag()).expect("writable");
    let answer = |init: &str| -> Value {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("windhover-sim"))
            .current_dir(folder.path())
            .args(["serve", "--jsonl"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("piped");
        writeln!(input, "{init}").expect("the program reads");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        serde_json::from_slice(&output.stdout).expect("one JSON object")
    };
    for wind in ["\"gusty\"", "[3,0,0]"] {
        let init = format!("{{\"type\":\"init\",\"airframe\":\"bare.toml\",\"wind\":{wind}}}");
        let warnings = answer(&init)["warnings"].clone();
        assert!(
            warnings[0]
                .as_str()
                .expect("a sentence")
                .starts_with("wind does not act")
        );
    }
    for wind in ["\"still\"", "[0,0,0]"] {
        let init = format!("{{\"type\":\"init\",\"airframe\":\"bare.toml\",\"wind\":{wind}}}");
        assert_eq!(answer(&init)["warnings"], Value::Null);
    }
}

#[test]
fn wind_and_uncertainty_that_are_none_are_named() {
    let mut setup = Setup::new(Airframe::omac());
    setup.uncertain = true;
    let calm = Domain {
        name: "calm".to_owned(),
        mean_m_s: [0.0; 3],
        sigma_m_s: [0.0; 3],
        ..Domain::gusty()
    };
    let found = said(&setup, GENTLE, &[&calm, &Domain::gusty()]);
    assert_eq!(
        found,
        [
            "the wind domain `calm` has no wind: its mean and its gusts are zero",
            "the airframe `omac` declares no [uncertainty]: every vehicle is the nominal one",
        ]
    );
    setup.airframe.uncertainty.mass_rel = 0.1;
    assert_eq!(said(&setup, GENTLE, &[&Domain::gusty()]), [""; 0]);
}

#[test]
fn a_reference_that_nothing_can_follow_is_named() {
    let setup = Setup::new(Airframe::omac());
    let found = said(&setup, "0,0,0,0\n1,0,0,40\n", &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("the reference asks for "), "{found:?}");
    assert!(found[0].contains(" N after ") && found[0].contains("more than the 125.000 N"));
    // At rest in the middle, the acceleration is greatest on both sides of it.
    let found = said(&setup, "0,0,0,0\n2,50,0,0\n", &[]);
    let sideways = found
        .iter()
        .any(|line| line.contains("horizontal acceleration of "));
    assert!(sideways, "{found:?}");
    let found = said(&setup, "0,0,0,-5\n2,0,0,-6\n4,0,0,-5\n", &[]);
    assert_eq!(
        found,
        [
            "the reference leads through the ground or an obstacle after 0.00 s: no gains can follow it"
        ]
    );
    let mut open = Setup::new(Airframe::omac());
    open.world = World::empty();
    assert_eq!(said(&open, "0,0,0,-5\n2,0,0,-6\n4,0,0,-5\n", &[]), [""; 0]);
}

#[test]
fn a_reference_that_begins_late_is_said_to_be_waited_for() {
    let setup = Setup::new(Airframe::omac());
    let found = said(&setup, "5,0,0,0\n8,1,0,0\n", &[]);
    let line = "the reference begins to move after 5.02 s only: the vehicle holds its first point until \
                then, and that time counts";
    assert_eq!(found, [line]);
    assert_eq!(
        said(&setup, "0,0,0,0\n9,0,0,0\n", &[]),
        [""; 0],
        "it hovers"
    );
}

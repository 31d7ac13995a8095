//! Recorded cases, replayed by the program.

use crate::program::{json, refusal, sim, stdout, temporary};
use std::fs;

#[test]
fn a_replay_prints_the_errors_and_writes_the_states() {
    let folder = temporary();
    let case = include_str!("fall.json");
    fs::write(folder.path().join("fall.json"), case).expect("writable");
    let report = json(&sim(
        folder.path(),
        &["replay", "fall.json", "--json", "--out", "states.json"],
    ));
    assert_eq!(report["case"], "fall");
    for quantity in [
        "position",
        "velocity",
        "attitude_rad",
        "body_rates",
        "rotor_speeds",
    ] {
        assert!(
            report[quantity].as_f64().expect("a number") < 1e-14,
            "{report}"
        );
    }
    let again = ["replay", "fall.json", "--out", "states.json"];
    let (code, said) = refusal(folder.path(), &again);
    assert!(
        code == 73 && said.contains("nothing was overwritten"),
        "{code} {said}"
    );
    let states = fs::read_to_string(folder.path().join("states.json")).expect("written");
    let states: serde_json::Value = serde_json::from_str(&states).expect("JSON");
    let fallen = states["position"][1][2].as_f64().expect("a number");
    assert!((fallen + 0.04905).abs() < 1e-14);
    assert!(
        stdout(&sim(folder.path(), &["replay", "fall.json"]))
            .contains("largest error over 1 intervals")
    );
}

#[test]
fn a_replay_that_diverges_says_so_and_prints_no_numbers() {
    let folder = temporary();
    let case = include_str!("fall.json");
    let spun = case.replacen(
        "\"body_rates\": [0, 0, 0]",
        "\"body_rates\": [1e200, 3e200, 2e200]",
        1,
    );
    assert_ne!(spun, case);
    fs::write(folder.path().join("spun.json"), spun).expect("writable");
    for more in [&[][..], &["--json"], &["--out", "states.json"]] {
        let (code, text) = refusal(folder.path(), &[&["replay", "spun.json"], more].concat());
        assert_eq!(code, 65);
        assert_eq!(
            text,
            "error: spun.json: the replay diverges: a number of the state is no longer finite after interval 1 of 1"
        );
    }
    assert!(!folder.path().join("states.json").exists());
}

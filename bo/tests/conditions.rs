//! The conditions of a study: world, take-off from the ground, uncertain vehicles, sensors.

use std::fs;
use std::path::Path;

use crate::program::{bo, record, stderr, temporary, tune};

/// A study of a small budget with these lines, carried out; its record.
fn record_of(folder: &Path, name: &str, lines: &str) -> serde_json::Value {
    fs::write(folder.join(format!("{name}.toml")), lines).expect("writable");
    let output = tune(
        folder,
        &["--config", &format!("{name}.toml"), "--out", name],
    );
    assert!(output.status.success(), "{}", stderr(&output));
    record(folder, name)
}

#[test]
fn the_conditions_of_a_study_act_on_its_flights_and_are_on_record() {
    let folder = temporary();
    let here = folder.path();
    let head = "trajectory = \"hover\"\nsurrogate = \"gp\"\n";
    let default = record_of(here, "plain", head);
    let ace = |record: &serde_json::Value| {
        record["default"]["tests"][0]["mean_m"]
            .as_f64()
            .expect("a number")
    };
    let noisy = record_of(
        here,
        "noisy",
        &format!("{head}[sensors]\nposition_m = 0.5\n"),
    );
    assert!(ace(&noisy) > ace(&default));
    assert_eq!(noisy["problem"]["sensors"]["position_m"], 0.5);
    assert_eq!(default["problem"].get("world"), None);

    let sure = "mass_rel = 0.2\nthrust_rel = 0.2\n";
    let airframe = include_str!("../../sim/airframes/omac.toml").replace("omac", "unsure");
    fs::write(
        here.join("unsure.toml"),
        format!("{airframe}\n[uncertainty]\n{sure}"),
    )
    .expect("writable");
    let unsure = format!("airframe = \"unsure.toml\"\n{head}");
    let nominal = record_of(here, "nominal", &unsure);
    let drawn = record_of(
        here,
        "drawn",
        &format!("{unsure}[flight]\nuncertain = true\n"),
    );
    assert_ne!(ace(&nominal), ace(&drawn));
    assert_eq!(drawn["problem"]["uncertain"], true);

    // A wall where the vehicle starts ends every flight.
    let wall = "[flight]\nworld = { boxes = [{ name = \"wall\", centre_m = [0.0, 0.0, 0.6], size_m = [9.0, 9.0, 0.2] }] }\n";
    fs::write(
        here.join("walled.toml"),
        format!("trajectory = \"spiral-up\"\n{wall}"),
    )
    .expect("writable");
    let output = tune(
        here,
        &[
            "--config",
            "walled.toml",
            "--surrogate",
            "gp",
            "--out",
            "walled",
        ],
    );
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
}

#[test]
fn a_study_may_take_off_from_the_ground() {
    let folder = temporary();
    let here = folder.path();
    // A flight in contact takes long, and the report turns each gain that is tuned: one gain, few flights.
    let lines = "trajectory = \"hover\"\nsurrogate = \"gp\"\n[gains]\ntune = [\"position_xy.kp\"]\n\
                 [budget]\ninitial = 1\niterations = 1\nheld_out = 2\n\
                 [[test]]\ndomain = \"steady\"\n[flight]\nfrom_ground = true\n";
    fs::write(here.join("risen.toml"), lines).expect("writable");
    let output = bo(here, &["--config", "risen.toml", "--out", "risen"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let record = record(here, "risen");
    assert_eq!(record["settings"]["trajectory"], "hover-from-ground");
    // The report and an export fly it again from its study.
    let output = bo(here, &["report", "risen"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let empty = format!("{lines}world = {{ ground = false }}\n");
    fs::write(here.join("empty.toml"), empty).expect("writable");
    let output = bo(here, &["config", "empty.toml"]);
    assert_eq!(output.status.code(), Some(65));
    assert!(
        stderr(&output).contains("flight.from_ground needs a ground"),
        "{}",
        stderr(&output)
    );
}

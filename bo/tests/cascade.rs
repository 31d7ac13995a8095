//! Studies that tune every gain of the cascade from the airframe's own.

use std::fs;

use crate::config::read;
use crate::program::{bo, stderr, temporary};

#[test]
fn the_cascade_is_tuned_from_the_airframe_s_own_gains() {
    let config = read("[gains]\ntune = \"cascade\"").expect("legal");
    let problem = config.problem().expect("legal");
    assert_eq!(problem.space.dimensions(), 14);
    let omac = sim::Airframe::omac().gains;
    assert_eq!(
        problem.space.gains_at(&problem.baseline()),
        omac,
        "to the last bit"
    );
    let high = problem.space.gains_at(&[1.0; 14]);
    assert!((high.rate_kp[0] / omac.rate_kp[0] - 4.0).abs() < 1e-12);
}

/// A gain of 0, as an autopilot's file may have it, is no gain to search around.
#[test]
fn a_position_gain_of_0_is_left_alone_and_said_and_the_study_that_is_kept_makes_the_same_run() {
    let folder = temporary();
    let here = folder.path();
    let mut vehicle = sim::Airframe::by_name("hummingbird").expect("shipped");
    vehicle.gains.position_z.ki = 0.0;
    let text = toml::to_string(&vehicle).expect("numbers");
    fs::write(here.join("zero.toml"), text).expect("writable");
    let run = "--traj hover --surrogate gp --initial 4 --iterations 2 --held-out 6 --out run";
    let typed: Vec<&str> = run.split(' ').chain(["--airframe", "zero.toml"]).collect();
    let output = bo(here, &typed);
    assert!(output.status.success(), "{}", stderr(&output));
    let remark =
        "note: position_z.ki is 0 in the airframe hummingbird and is not tuned; bounds and a start";
    assert!(stderr(&output).contains(remark), "{}", stderr(&output));
    let record = |of: &str| fs::read_to_string(here.join(of).join("run.json")).expect("written");
    let text = record("run");
    let whole: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(whole["problem"]["tuned"].as_array().map(Vec::len), Some(5));
    assert_eq!(
        whole["problem"]["left_out"],
        serde_json::json!(["position_z.ki"])
    );
    let output = bo(here, &["--config", "run/config.toml", "--out", "again"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(record("again"), text);
    let study =
        "airframe = \"zero.toml\"\n[gains]\ntune = [\"position_z.kp\", \"position_z.ki\"]\n";
    fs::write(here.join("named.toml"), study).expect("writable");
    let output = bo(here, &["config", "named.toml"]);
    let said = "position_z.ki starts at 0, outside its bounds 0.02 to 10; give it a start or wider bounds under \
                [gains.bounds], as in \"position_z.ki\" = { start = 0.02 }";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
}

/// One of the vehicles has a gain of 0.
#[test]
fn the_cascade_of_a_shipped_vehicle_can_be_tuned() {
    for airframe in ["omac", "hummingbird"] {
        let folder = temporary();
        let here = folder.path();
        let study = format!(
            "trajectory = \"hover\"\nairframe = \"{airframe}\"\nsurrogate = \"gp\"\n\
             [budget]\ninitial = 4\niterations = 2\nheld_out = 2\n[gains]\ntune = \"cascade\"\n"
        );
        fs::write(here.join("study.toml"), study).expect("writable");
        let output = bo(here, &["--config", "study.toml", "--out", "run"]);
        assert!(output.status.success(), "{airframe}: {}", stderr(&output));
        let text = fs::read_to_string(here.join("run/run.json")).expect("written");
        let run: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let gains = sim::Airframe::by_name(airframe).expect("shipped").gains;
        let zero = gains.rate_kd[2] == 0.0;
        let tuned = run["problem"]["tuned"].as_array().expect("a list").len();
        assert_eq!(tuned, if zero { 13 } else { 14 }, "{airframe}");
        let remark = "note: rate_kd.z is 0 in the airframe ";
        assert_eq!(stderr(&output).contains(remark), zero, "{airframe}");
        let left_out = match zero {
            true => serde_json::json!(["rate_kd.z"]),
            false => serde_json::Value::Null,
        };
        assert_eq!(run["problem"]["left_out"], left_out);
        // The study that is kept makes the same run again, remark and record.
        let output = bo(here, &["--config", "run/config.toml", "--out", "again"]);
        assert!(output.status.success(), "{airframe}: {}", stderr(&output));
        let again = fs::read_to_string(here.join("again/run.json")).expect("written");
        assert_eq!(again, text, "{airframe}");
        let kept = fs::read_to_string(here.join("run/config.toml")).expect("written");
        assert!(kept.contains("tune = \"cascade\"\n"));
    }
}

#[test]
fn a_gain_that_is_0_or_does_not_exist_is_refused_with_what_to_do() {
    let folder = temporary();
    let refused = |gains: &str| {
        let study = format!(
            "airframe = \"hummingbird\"\n[limits]\nmargins = \"stated\"\n[gains]\n{gains}\n"
        );
        fs::write(folder.path().join("study.toml"), study).expect("writable");
        let output = bo(folder.path(), &["config", "study.toml"]);
        (output.status.code(), stderr(&output))
    };
    let (code, said) = refused("tune = [\"rate_kp.z\", \"rate_kd.z\"]");
    assert_eq!(code, Some(65));
    assert!(
        said.contains("rate_kd.z is 0 in this airframe, so it has no usual bounds; give it low"),
        "{said}"
    );
    let bounds = "bounds = { \"rate_kd.z\" = { low = 0.0, high = 0.01, scale = \"linear\" } }";
    let (code, said) = refused(&format!("tune = \"cascade\"\n{bounds}"));
    assert_eq!((code, said.as_str()), (Some(0), ""));
    let (code, said) = refused("bounds = { \"position_xy.kq\" = { low = 1.0 } }");
    assert_eq!(code, Some(65));
    assert!(
        said.contains("there is no gain `position_xy.kq`; there are position_xy.kp, "),
        "{said}"
    );
    let huge = "bounds = { \"position_xy.kp\" = { low = 1e308, high = 1.0 } }";
    let (_, said) = refused(huge);
    assert!(
        said.contains("has the bounds 1e308 and 1;") && said.len() < 300,
        "{said}"
    );
}

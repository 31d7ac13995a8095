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

#[test]
fn the_cascade_of_every_shipped_vehicle_can_be_tuned() {
    for airframe in sim::AIRFRAME_NAMES {
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

//! What tuned gains are compared with: the airframe's gains, or those of `--baseline`, in `bo tune`, `check` and
//! `export` alike.

use crate::exported::values_of;
use crate::program::{SMALL, bo, record, refused, stderr, stdout, succeeded, temporary};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Parameters of PX4 that fly on `omac`, with this hover throttle.
fn px4(throttle: f64) -> String {
    let values = [
        ("MPC_XY_P", 1.2),
        ("MPC_XY_VEL_P_ACC", 3.0),
        ("MPC_XY_VEL_I_ACC", 0.4),
        ("MPC_Z_P", 1.0),
        ("MPC_Z_VEL_P_ACC", 4.0),
        ("MPC_Z_VEL_I_ACC", 2.0),
        ("MPC_THR_HOVER", throttle),
    ];
    values
        .iter()
        .map(|(name, value)| format!("1\t1\t{name}\t{value}\t9\n"))
        .collect()
}

fn tuned(folder: &Path, out: &str, more: &[&str]) -> String {
    let run = ["--traj", "hover", "--surrogate", "gp", "--out", out];
    let output = succeeded(folder, &[&run[..], &SMALL[..], more].concat());
    stderr(&output)
}

fn default_of(folder: &Path, run: &str) -> Value {
    record(folder, run)["default"]["gains"].clone()
}

#[test]
fn a_run_is_compared_with_the_gains_of_any_file_that_a_check_reads() {
    let folder = temporary();
    let here = folder.path();
    fs::write(here.join("mine.params"), px4(0.5)).expect("writable");
    let said = tuned(here, "run", &["--baseline", "mine.params"]);
    assert!(
        said.contains("note: the baseline is mine.params; gains that are not tuned fly as in the airframe omac, not as in mine.params"),
        "{said}"
    );
    assert!(
        said.contains("Of the baseline the gains alone are flown"),
        "{said}"
    );
    let gains = default_of(here, "run");
    let kp = gains["position_xy"]["kp"].as_f64().expect("a number");
    assert!((kp - (1.2 * 3.0 + 0.4)).abs() < 1e-9, "{kp}");
    // The first evaluation is the airframe's still.
    assert_eq!(
        record(here, "run")["trials"][0]["gains"]["position_xy.kp"],
        6.0
    );
    // The study that is kept needs the file no more.
    fs::remove_file(here.join("mine.params")).expect("there");
    succeeded(here, &["--config", "run/config.toml", "--out", "again"]);
    assert_eq!(record(here, "again"), record(here, "run"));
    // A rollback restores it; a check compares with it.
    let export = ["export", "run", "--to", "json", "--anyway"];
    succeeded(here, &export);
    let rollback = fs::read_to_string(here.join("run/json-rollback.json")).expect("written");
    assert_eq!(values_of("json", &rollback)["position_xy.kp"], kp);
    let check = ["check", "run", "--flights", "10", "--format", "json"];
    let checked = |more: &[&str]| -> Value {
        let output = bo(here, &[&check[..], more].concat());
        serde_json::from_str(&stdout(&output)).expect("JSON")
    };
    let own = checked(&[])["figures"]["baseline"]["ace_m"].clone();
    fs::write(
        here.join("old.toml"),
        toml::to_string(&gains).expect("TOML"),
    )
    .expect("writable");
    assert_eq!(
        checked(&["--baseline", "old.toml"])["figures"]["baseline"]["ace_m"],
        own
    );
    // So do gains and runs.
    tuned(here, "by-gains", &["--baseline", "old.toml"]);
    tuned(here, "by-run", &["--baseline", "again"]);
    assert_eq!(default_of(here, "by-gains"), gains);
    assert_eq!(
        default_of(here, "by-run"),
        record(here, "again")["recommended"]["gains"]
    );
    assert_ne!(default_of(here, "by-run"), gains);
}

#[test]
fn an_export_takes_old_values_from_gains_and_runs_too() {
    let folder = temporary();
    let here = folder.path();
    tuned(here, "run", &[]);
    let text = fs::read_to_string(here.join("run/gains.toml")).expect("written");
    fs::write(here.join("old.toml"), text).expect("writable");
    for (out, baseline) in [("by-gains", "old.toml"), ("by-run", "run")] {
        let args = ["export", "run", "--to", "json", "--anyway", "--out", out];
        let output = succeeded(here, &[&args[..], &["--baseline", baseline]].concat());
        let said = format!("not of {baseline}: bo check run --baseline compares with that.");
        assert!(stdout(&output).contains(&said), "{}", stdout(&output));
        let rollback =
            fs::read_to_string(here.join(out).join("json-rollback.json")).expect("written");
        assert!(
            rollback.contains(&format!("the gains of {baseline}")),
            "{rollback}"
        );
        let new = record(here, "run")["recommended"]["gains"]["position_xy"]["kp"].clone();
        assert_eq!(values_of("json", &rollback)["position_xy.kp"], new);
    }
}

#[test]
fn a_baseline_of_another_vehicle_is_refused_and_forbids_a_flight() {
    let folder = temporary();
    let here = folder.path();
    tuned(here, "run", &[]);
    fs::write(here.join("heavy.params"), px4(0.9)).expect("writable");
    fs::write(here.join("mine.params"), px4(0.5)).expect("writable");
    let said = "heavy.params cannot be a baseline for omac: MPC_THR_HOVER 0.9 is not the hover throttle of omac, ";
    let command = [
        "--traj",
        "hover",
        "--baseline",
        "heavy.params",
        "--out",
        "other",
    ];
    let (code, line) = refused(here, &command);
    assert_eq!(code, 65);
    assert!(line.starts_with(&format!("error: {said}")), "{line}");
    assert!(!here.join("other").exists());
    fs::write(
        here.join("study.toml"),
        "[gains]\nbaseline = \"heavy.params\"\n",
    )
    .expect("writable");
    let (code, line) = refused(here, &["--config", "study.toml"]);
    assert_eq!(code, 65);
    assert!(
        line.starts_with(&format!("error: study.toml:2:12: gains.baseline: {said}")),
        "{line}"
    );
    let gains = [
        "export",
        "run/gains.toml",
        "--to",
        "px4",
        "--baseline",
        "heavy.params",
    ];
    let (code, line) = refused(here, &gains);
    assert_eq!(code, 65);
    assert!(line.starts_with(&format!("error: {said}")), "{line}");
    let check = [
        "check",
        "mine.params",
        "--airframe",
        "omac",
        "--flights",
        "10",
        "--baseline",
    ];
    for (baseline, strange) in [("heavy.params", true), ("mine.params", false)] {
        let output = bo(here, &[&check[..], &[baseline]].concat());
        assert_ne!(output.status.code(), Some(0));
        let reason = "fly with care: of the baseline: MPC_THR_HOVER 0.9";
        assert_eq!(
            stdout(&output).contains(reason),
            strange,
            "{}",
            stdout(&output)
        );
    }
}

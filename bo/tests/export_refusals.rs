//! What `bo export` refuses, and how it says so.

use bo::export::{Autopilot, Px4};
use sim::Airframe;
use std::fs;

mod exported;

use exported::{POSITION, bo, modest, omac_run, run, said, text};

#[test]
fn out_of_range_names_each_parameter_and_clamping_lists_what_it_changed() {
    let airframe = Airframe::omac();
    let mut gains = modest(&airframe);
    gains.position_xy.kd = 8.0;
    gains.position_z.kp = 20.0;
    gains.position_z.ki = 0.1;
    let folder = run(&airframe, &gains, &POSITION);
    let output = bo(folder.path(), &["export", "run", "--to", "px4"]);
    assert_eq!(output.status.code(), Some(65));
    let message = said(&output.stderr);
    for part in [
        "MPC_XY_VEL_P_ACC is 8 (range 1.2 to 5)",
        "MPC_Z_P is 5.7",
        "MPC_Z_VEL_I_ACC is 0.01",
        "--clamp",
    ] {
        assert!(message.contains(part), "{part} in {message}");
    }
    assert_eq!(message.lines().count(), 1);
    assert!(!folder.path().join("run/px4.params").exists());

    let output = bo(folder.path(), &["export", "run", "--to", "px4", "--clamp"]);
    assert!(output.status.success());
    assert!(said(&output.stdout).contains("MPC_XY_VEL_P_ACC is 8 (range 1.2 to 5): clamped to 5"));
    let values = Px4
        .read(&text(folder.path(), "run/px4.params"))
        .expect("reads back");
    assert_eq!((values["MPC_XY_VEL_P_ACC"], values["MPC_Z_P"]), (5.0, 1.5));
}

#[test]
fn gains_without_an_equivalent_are_refused_with_the_numbers() {
    let airframe = Airframe::omac();
    let mut gains = modest(&airframe);
    gains.position_xy.ki = 3.0;
    let folder = run(&airframe, &gains, &POSITION);
    let output = bo(folder.path(), &["export", "run", "--to", "px4", "--clamp"]);
    assert_eq!(output.status.code(), Some(65));
    let message = said(&output.stderr);
    assert!(
        message.starts_with("error: position_xy has no equivalent in a cascade: Kp² = 29.5077")
    );
}

#[test]
fn a_target_without_the_tuned_loops_says_what_to_do() {
    let folder = omac_run();
    let output = bo(folder.path(), &["export", "run", "--to", "betaflight"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        said(&output.stderr),
        "error: betaflight has a rate loop only, and the tuned gains are those of the position loop; export to \
         px4, ardupilot, crazyflie or json instead, or tune that loop\n"
    );
}

#[test]
fn a_run_that_tuned_nothing_exports_nothing() {
    let airframe = Airframe::omac();
    let folder = run(&airframe, &airframe.gains, &[]);
    let output = bo(folder.path(), &["export", "run", "--to", "px4"]);
    assert_eq!(output.status.code(), Some(65));
    let message = "error: the run tuned no gains that could be exported\n";
    assert_eq!(said(&output.stderr), message);
}

#[test]
fn a_baseline_of_another_firmware_or_in_another_form_is_refused() {
    let folder = omac_run();
    let old_names = [
        "export",
        "run",
        "--to",
        "ardupilot",
        "--firmware",
        "4.6",
        "--out",
        "old",
    ];
    assert!(bo(folder.path(), &old_names).status.success());
    let refused = |args: &[&str]| {
        let output = bo(folder.path(), &[&["export", "run", "--to"], args].concat());
        assert_eq!(output.status.code(), Some(65));
        assert!(!folder.path().join("new").exists());
        said(&output.stderr)
    };
    let old = "old/ardupilot.param";
    let message = refused(&[
        "ardupilot",
        "--firmware",
        "4.8",
        "--baseline",
        old,
        "--out",
        "new",
    ]);
    assert!(
        message.contains("the baseline has no PSC_NE_POS_P, "),
        "{message}"
    );
    let message = refused(&["px4", "--baseline", old, "--out", "new"]);
    assert!(message.contains("is no px4 parameter: `PSC_"), "{message}");
}

#[test]
fn nothing_is_overwritten_and_missing_or_faulty_input_has_its_exit_code() {
    let folder = omac_run();
    let code = |args: &[&str]| {
        let output = bo(folder.path(), &[&["export"], args].concat());
        let message = said(&output.stderr);
        assert_eq!(message.lines().count(), 1, "{message}");
        (output.status.code().expect("an exit code"), message)
    };
    assert!(
        bo(folder.path(), &["export", "run", "--to", "px4"])
            .status
            .success()
    );
    let before = text(folder.path(), "run/px4.params");
    let (exit, message) = code(&["run", "--to", "px4"]);
    assert_eq!(exit, 73);
    assert_eq!(
        message,
        "error: run/px4.params exists; name another with --out, nothing was overwritten\n"
    );
    fs::remove_file(folder.path().join("run/px4.params")).expect("there");
    assert_eq!(
        code(&["run", "--to", "px4"]).0,
        73,
        "the rollback file is still there"
    );
    assert!(!folder.path().join("run/px4.params").exists());
    assert!(before.contains("MPC_XY_P"));

    assert_eq!(code(&["nowhere", "--to", "px4"]).0, 66);
    assert_eq!(code(&["run", "--to", "px4", "--baseline", "nothing"]).0, 66);
    assert_eq!(code(&["run", "--to", "px5"]).0, 2);
    let (exit, message) = code(&["run", "--to", "px4", "--firmware", "1.15"]);
    assert_eq!(exit, 2);
    assert!(message.contains("px4 does not need it"), "{message}");
    assert_eq!(
        code(&["run", "--to", "ardupilot", "--firmware", "new"]).0,
        2
    );
    let whole = text(folder.path(), "run/run.json");
    for (faulty, part) in [
        (
            whole[..whole.len() / 2].to_owned(),
            "run.json is damaged: ",
        ),
        (
            whole.replace("windhover-run/1", "other/1"),
            "has the form `other/1`",
        ),
        (
            whole.replace("\"mass_kg\":2.4", "\"mass_kg\":-2.4"),
            "mass_kg is -2.4",
        ),
    ] {
        fs::write(folder.path().join("run/run.json"), faulty).expect("writable");
        let (exit, message) = code(&["run", "--to", "json"]);
        assert_eq!(exit, 65);
        assert!(message.contains(part), "{message}");
    }
}

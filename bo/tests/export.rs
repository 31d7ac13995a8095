//! `bo export` as a user meets it: files that other people's readers read back, ranges, rollbacks,
//! refusals.

use assert_cmd::Command;
use bo::export::{ArduPilot, Autopilot, Betaflight, Crazyflie, ExportError, Json, Px4};
use serde_json::json;
use sim::{Airframe, Gains};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

const POSITION: [&str; 6] = [
    "position_xy.kp",
    "position_xy.ki",
    "position_xy.kd",
    "position_z.kp",
    "position_z.ki",
    "position_z.kd",
];
const RATE: [&str; 3] = ["rate_kp.xyz", "rate_ki.xyz", "rate_kd.xyz"];

fn bo(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::cargo_bin("bo").expect("the program is built");
    let command = command.current_dir(folder).args(args);
    command.output().expect("the program starts")
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// A folder with the record of a run that tuned `tuned` and recommends `gains`.
fn run(airframe: &Airframe, gains: &Gains, tuned: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("temporary folder");
    let knobs: Vec<_> = tuned.iter().map(|name| json!({"name": name})).collect();
    let record = json!({
        "schema": "windhover-run/1",
        "versions": {"windhover": "0.1.0"},
        "settings": {"trajectory": "fig8", "surrogate": "gp", "seed": 7, "kappa": 2.0},
        "problem": {"airframe": airframe, "tuned": knobs},
        "default": {"gains": airframe.gains},
        "recommended": {"gains": gains},
    });
    fs::create_dir(folder.path().join("run")).expect("writable");
    let path = folder.path().join("run/run.json");
    fs::write(path, record.to_string()).expect("writable");
    folder
}

/// Gains that PX4 and ArduPilot can hold, none of them round.
fn modest(airframe: &Airframe) -> Gains {
    let mut gains = airframe.gains;
    gains.position_xy = sim::Pid {
        kp: 5.4321,
        ki: 0.3333,
        kd: 3.9876,
    };
    gains.position_z = sim::Pid {
        kp: 4.321,
        ki: 0.7654,
        kd: 3.456,
    };
    gains
}

fn omac_run() -> tempfile::TempDir {
    let airframe = Airframe::omac();
    run(&airframe, &modest(&airframe), &POSITION)
}

/// A vehicle whose rate gains every autopilot can hold, with all loops tuned.
fn rates_run() -> (Airframe, tempfile::TempDir) {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    let mut gains = modest(&airframe);
    gains.rate_kp = [0.3123, 0.2987, 0.0512];
    gains.rate_ki = [0.4321, 0.3456, 0.0456];
    gains.rate_kd = [0.00512, 0.00487, 0.0];
    let tuned = [&POSITION[..], &["attitude_kp.xyz"], &RATE].concat();
    let folder = run(&airframe, &gains, &tuned);
    (airframe, folder)
}

fn text(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).expect(file)
}

/// A python with other people's readers, or nothing and a message: they are fetched only where
/// asked for, since that takes minutes and a network.
fn python() -> Option<PathBuf> {
    if let Some(python) = std::env::var_os("WINDHOVER_PYTHON") {
        return Some(python.into());
    }
    if std::env::var_os("WINDHOVER_VENV").is_none() {
        eprintln!("skipped: WINDHOVER_PYTHON names no python, WINDHOVER_VENV=1 would make one");
        return None;
    }
    static MADE: std::sync::OnceLock<Option<PathBuf>> = std::sync::OnceLock::new();
    let made = MADE.get_or_init(|| {
        let readers = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers");
        let output = std::process::Command::new("sh")
            .arg(readers.join("venv.sh"))
            .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("readers"))
            .arg(readers.join("requirements.txt"))
            .output()
            .ok()?;
        if !output.status.success() {
            eprintln!("skipped, no python readers: {}", said(&output.stderr));
            return None;
        }
        Some(said(&output.stdout).trim_end().into())
    });
    made.clone()
}

/// What another reader makes of a file.
fn read_by_others(kind: &str, path: &Path) -> Option<BTreeMap<String, f64>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/read_back.py");
    let output = std::process::Command::new(python()?)
        .arg(script)
        .arg(kind)
        .arg(path)
        .output()
        .expect("python starts");
    assert!(output.status.success(), "{}", said(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

#[test]
fn px4_gets_the_tuned_parameters_only_rounded_to_what_it_stores() {
    let folder = omac_run();
    let output = bo(folder.path(), &["export", "run", "--to", "px4"]);
    assert!(output.status.success(), "{}", said(&output.stderr));
    let written = text(folder.path(), "run/px4.params");
    let values = Px4.read(&written).expect("reads back");
    let names: Vec<&str> = values.keys().map(String::as_str).collect();
    let expected = [
        "MPC_XY_P",
        "MPC_XY_VEL_D_ACC",
        "MPC_XY_VEL_I_ACC",
        "MPC_XY_VEL_P_ACC",
        "MPC_Z_P",
        "MPC_Z_VEL_D_ACC",
        "MPC_Z_VEL_I_ACC",
        "MPC_Z_VEL_P_ACC",
    ];
    assert_eq!(names, expected);
    let root = (5.4321 + (5.4321f64.powi(2) - 4.0 * 3.9876 * 0.3333).sqrt()) / (2.0 * 3.9876);
    assert_eq!(values["MPC_XY_P"], f64::from(root as f32));
    assert_eq!(values["MPC_XY_VEL_P_ACC"], f64::from(3.9876f32));
    assert_eq!(
        values["MPC_XY_VEL_I_ACC"],
        f64::from((0.3333 / root) as f32)
    );
    assert_eq!(values["MPC_XY_VEL_D_ACC"], 0.0);
    for phrase in [
        "SIMULATION ONLY",
        "Airframe omac",
        "seed 7",
        "Windhover 0.1.0",
    ] {
        assert!(written.contains(phrase), "{phrase}");
    }
    let report = said(&output.stdout);
    assert!(
        report.contains("MPC_XY_VEL_D_ACC is 0 (range 0.1 to 2)"),
        "{report}"
    );
    assert!(!written.contains('\r') && written.ends_with('\n'));

    let rollback = text(folder.path(), "run/px4-rollback.params");
    let old = Px4.read(&rollback).expect("reads back");
    assert_eq!(old["MPC_XY_VEL_P_ACC"], 4.0);
    assert!(rollback.contains("NOT read from a vehicle"), "{rollback}");
}

#[test]
fn others_read_every_form_back_to_the_same_values() {
    let (_, folder) = rates_run();
    let ardupilot = ArduPilot::new(Some("4.8")).expect("a version");
    let forms: [(&dyn Autopilot, &[&str]); 3] = [
        (&Px4, &[]),
        (&ardupilot, &["--firmware", "4.8"]),
        (&Crazyflie, &[]),
    ];
    for (autopilot, flags) in forms {
        let name = autopilot.name();
        // The crazyflie's and px4's ranges are not what is tested here.
        let args = [&["export", "run", "--to", name, "--clamp"], flags].concat();
        let output = bo(folder.path(), &args);
        assert!(output.status.success(), "{name}: {}", said(&output.stderr));
        for ending in ["", "-rollback"] {
            let file = format!("run/{name}{ending}.{}", autopilot.extension());
            let ours = autopilot
                .read(&text(folder.path(), &file))
                .expect("reads back");
            assert!(ours.len() >= 20, "{name}: {}", ours.len());
            if let Some(theirs) = read_by_others(name, &folder.path().join(&file)) {
                assert_eq!(ours, theirs, "{file}");
            }
        }
    }
}

#[test]
fn betaflight_gets_whole_numbers_and_the_rounding_is_reported() {
    let (airframe, folder) = rates_run();
    let output = bo(folder.path(), &["export", "run", "--to", "betaflight"]);
    assert!(output.status.success(), "{}", said(&output.stderr));
    let written = text(folder.path(), "run/betaflight.txt");
    let commands: Vec<&str> = written.lines().filter(|l| !l.starts_with('#')).collect();
    assert_eq!(commands[..2], ["batch start", "profile 0"]);
    assert_eq!(commands[commands.len() - 2..], ["batch end", "save"]);
    let values = Betaflight.read(&written).expect("reads back");
    assert_eq!(values.len(), 9);
    assert!(
        values
            .values()
            .all(|value| value.fract() == 0.0 && *value <= 250.0)
    );
    // T = 5.57e-6 · 1500², l = 0.1202: p_roll = 0.3123 / (4 T l · 0.0018351).
    let full = 4.0 * 5.57e-6 * 1500f64.powi(2) * airframe.rotors.positions_m[0][1];
    assert_eq!(values["p_roll"], (0.3123 / (full * 0.0018351)).round());
    assert!(
        said(&output.stdout).contains("p_roll: "),
        "{}",
        said(&output.stdout)
    );
    assert!(said(&output.stdout).contains(" rounded to "));
}

#[test]
fn json_holds_our_own_gains_to_the_last_bit() {
    let folder = omac_run();
    let output = bo(
        folder.path(),
        &["export", "run", "--to", "json", "--out", "gains.json"],
    );
    assert!(output.status.success(), "{}", said(&output.stderr));
    let values = Json
        .read(&text(folder.path(), "gains.json"))
        .expect("reads back");
    assert_eq!(values["position_z.ki"], 0.7654);
    assert_eq!(values.len(), 6);
    let old = Json
        .read(&text(folder.path(), "gains-rollback.json"))
        .expect("reads back");
    assert_eq!(old["position_z.ki"], Airframe::omac().gains.position_z.ki);
}

#[test]
fn the_firmware_decides_ardupilot_s_names_and_its_ranges_are_advice() {
    let airframe = Airframe::omac();
    let mut gains = modest(&airframe);
    gains.position_z.kd = 9.0;
    gains.position_z.kp = 12.0;
    let folder = run(&airframe, &gains, &POSITION);
    let cases: [(&[&str], &str); 3] = [
        (&[], "PSC_POSXY_P,"),
        (&["--firmware", "4.6.2"], "PSC_POSXY_P,"),
        (&["--firmware", "4.8"], "PSC_NE_POS_P,"),
    ];
    for (k, (flags, name)) in cases.into_iter().enumerate() {
        let out = format!("file{k}.param");
        let args = [
            &["export", "run", "--to", "ardupilot", "--out", &out],
            flags,
        ]
        .concat();
        let output = bo(folder.path(), &args);
        assert!(output.status.success(), "{}", said(&output.stderr));
        assert!(text(folder.path(), &out).contains(name), "{flags:?}");
        let notes = said(&output.stdout);
        assert_eq!(notes.contains("later ones ignore them"), flags.is_empty());
        assert!(flags.len() > 1 && flags[1] == "4.8" || notes.contains("the range is advice"));
    }
}

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
        "error: betaflight has a rate loop only, and the run tuned the position loop; export to \
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
fn old_values_come_from_the_baseline_where_one_is_given() {
    let folder = omac_run();
    let exported = bo(
        folder.path(),
        &["export", "run", "--to", "px4", "--out", "first"],
    );
    assert!(exported.status.success());
    let vehicle = text(folder.path(), "first/px4.params").replace(
        "MPC_XY_VEL_D_ACC\t0.0",
        "MPC_XY_VEL_D_ACC\t0.20000000298023224",
    ) + "1\t1\tMC_ROLL_P\t6.5\t9\n1\t1\tSYS_AUTOSTART\t4001\t6\n";
    fs::write(folder.path().join("mine.params"), vehicle).expect("writable");
    let args = ["export", "run", "--to", "px4", "--baseline", "mine.params"];
    let output = bo(folder.path(), &args);
    assert!(output.status.success(), "{}", said(&output.stderr));
    let rollback = text(folder.path(), "run/px4-rollback.params");
    let old = Px4.read(&rollback).expect("reads back");
    assert_eq!(old["MPC_XY_VEL_D_ACC"], f64::from(0.2f32));
    assert_eq!(old.len(), 8, "only what is written is rolled back");
    assert!(rollback.contains("from the baseline file"));
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
            "run.json is not the record of a run: ",
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

#[test]
fn a_real_run_can_be_exported() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let small = [
        "--initial",
        "4",
        "--iterations",
        "2",
        "--held-out",
        "2",
        "--out",
        "run",
    ];
    let args = [&["--traj", "hover", "--surrogate", "gp"], &small[..]].concat();
    assert!(bo(folder.path(), &args).status.success());
    let output = bo(folder.path(), &["export", "run", "--to", "json"]);
    assert!(output.status.success(), "{}", said(&output.stderr));
    let values = Json
        .read(&text(folder.path(), "run/json.json"))
        .expect("reads back");
    let gains = Gains::from_toml(&text(folder.path(), "run/gains.toml")).expect("gains");
    assert_eq!(values["position_xy.kp"], gains.position_xy.kp);
}

#[test]
fn an_exportable_run_flies_and_recommends_only_what_the_autopilot_can_hold() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let small = ["--initial", "6", "--iterations", "3", "--held-out", "2"];
    let args = [
        &[
            "--traj",
            "hover",
            "--surrogate",
            "gp",
            "--exportable",
            "px4",
            "--out",
            "run",
        ],
        &small[..],
    ];
    assert!(bo(folder.path(), &args.concat()).status.success());
    let record: serde_json::Value =
        serde_json::from_str(&text(folder.path(), "run/run.json")).expect("JSON");
    assert_eq!(record["settings"]["exportable"], "px4");
    let limits = bo::export::Limits::px4();
    let trials = record["trials"].as_array().expect("a list");
    assert_eq!(trials.len(), 9);
    for trial in trials {
        let mut gains = Airframe::omac().gains;
        let tuned = |name: &str| trial["gains"][name].as_f64().expect(name);
        for (pid, axis) in [
            (&mut gains.position_xy, "position_xy"),
            (&mut gains.position_z, "position_z"),
        ] {
            *pid = sim::Pid {
                kp: tuned(&format!("{axis}.kp")),
                ki: tuned(&format!("{axis}.ki")),
                kd: tuned(&format!("{axis}.kd")),
            };
        }
        assert!(limits.hold(&gains), "{gains:?}");
    }
    let output = bo(folder.path(), &["export", "run", "--to", "px4"]);
    assert!(output.status.success(), "{}", said(&output.stderr));
}

#[test]
fn every_form_reads_back_what_it_wrote_and_refuses_what_it_does_not_know() {
    let (airframe, _folder) = rates_run();
    let tuned = bo::export::Tuned {
        position_xy: true,
        position_z: true,
        attitude: [true; 3],
        rate: [true; 3],
    };
    let ardupilot = ArduPilot::new(None).expect("no version needed");
    let forms: [&dyn Autopilot; 5] = [&Px4, &ardupilot, &Betaflight, &Crazyflie, &Json];
    for autopilot in forms {
        let name = autopilot.name();
        let mapped = autopilot.parameters(&airframe, &airframe.gains, &tuned);
        let mut parameters = mapped.expect("hummingbird's gains have an equivalent");
        for parameter in &mut parameters {
            parameter.value = autopilot.stored(parameter.value);
        }
        let written = autopilot.write(&["a heading".to_owned()], &parameters);
        let back = autopilot.read(&written).expect("reads back");
        assert_eq!(back.len(), parameters.len(), "{name}");
        for parameter in &parameters {
            assert_eq!(back[&parameter.name], parameter.value, "{name}");
        }
        let nonsense = autopilot.read("set this straight\n");
        let refused = matches!(nonsense, Err(ExportError::BaselineLine { line: 1, .. }));
        assert!(refused, "{name}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config {
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn no_text_makes_a_reader_panic(
        text in "(set |profile |params:|# |[A-Z_]{1,9}[,\t=: ]|-?[0-9.e]{1,6}|[\\s\\S]|\n){0,40}",
    ) {
        let ardupilot = ArduPilot::new(None).expect("no version needed");
        let forms: [&dyn Autopilot; 5] = [&Px4, &ardupilot, &Betaflight, &Crazyflie, &Json];
        for autopilot in forms {
            if let Ok(values) = autopilot.read(&text) {
                proptest::prop_assert!(values.keys().all(|name| !name.is_empty()));
            }
        }
        proptest::prop_assert!(bo::export::Source::from_json(&text).is_err());
    }
}

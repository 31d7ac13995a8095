//! `bo export` as a user meets it: files that other people's readers read back, with their units,
//! ranges and rollbacks.

use shell::exit::Coded;
use sim::Airframe;
use sim::autopilot::{
    ArduPilot, Autopilot, Betaflight, Crazyflie, Json, ParameterFile, Px4, TARGETS,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::exported::{POSITION, folder_of, modest, omac_run, rates_run, text, values_of};
use crate::program::cells::done;
use crate::program::{bo, stderr, stdout};

/// A python with other people's readers, or nothing and a message.
fn python() -> Option<PathBuf> {
    let requirements = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/requirements.txt");
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readers");
    checks::python::with(&made, &requirements)
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
    assert!(output.status.success(), "{}", stderr(&output));
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

#[test]
fn px4_gets_the_tuned_parameters_only_rounded_to_what_it_stores() {
    let folder = omac_run();
    let output = done(folder.path(), "export run --to px4");
    let written = text(folder.path(), "run/px4.params");
    let values = values_of("px4", &written);
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
    assert!(
        output.contains("MPC_XY_VEL_D_ACC is 0 (range 0.1 to 2)"),
        "{output}"
    );
    assert!(!written.contains('\r') && written.ends_with('\n'));

    let rollback = text(folder.path(), "run/px4-rollback.params");
    let old = values_of("px4", &rollback);
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
        let args = [&["export", "run", "--to", name, "--clamp"], flags].concat();
        let output = bo(folder.path(), &args);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        for ending in ["", "-rollback"] {
            let file = format!("run/{name}{ending}.{}", autopilot.extension());
            let ours = values_of(name, &text(folder.path(), &file));
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
    let output = done(folder.path(), "export run --to betaflight");
    let written = text(folder.path(), "run/betaflight.txt");
    let commands: Vec<&str> = written.lines().filter(|l| !l.starts_with('#')).collect();
    assert_eq!(commands[..2], ["batch start", "profile 0"]);
    assert_eq!(commands[commands.len() - 2..], ["batch end", "save"]);
    let values = values_of("betaflight", &written);
    assert_eq!(values.len(), 9);
    assert!(
        values
            .values()
            .all(|value| value.fract() == 0.0 && *value <= 250.0)
    );
    // T = 5.57e-6 · 1500², l = 0.1202: p_roll = 0.3123 / (4 T l · 0.0018351).
    let full = 4.0 * 5.57e-6 * 1500f64.powi(2) * airframe.rotors.positions_m[0][1];
    assert_eq!(values["p_roll"], (0.3123 / (full * 0.0018351)).round());
    assert!(output.contains("p_roll: "), "{}", output);
    assert!(output.contains(" rounded to "));
}

#[test]
fn json_holds_our_own_gains_to_the_last_bit() {
    let folder = omac_run();
    done(folder.path(), "export run --to json --out gains.json");
    let values = values_of("json", &text(folder.path(), "gains.json"));
    assert_eq!(values["position_z.ki"], 1.5308);
    assert_eq!(values.len(), 6);
    let old = values_of("json", &text(folder.path(), "gains-rollback.json"));
    assert_eq!(old["position_z.ki"], Airframe::omac().gains.position_z.ki);
}

#[test]
fn the_firmware_decides_ardupilot_s_names_and_its_ranges_are_advice() {
    let airframe = Airframe::omac();
    let mut gains = modest(&airframe);
    gains.position_z.kd = 9.0;
    gains.position_z.kp = 12.0;
    let folder = folder_of(&airframe, &gains, &POSITION);
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
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(text(folder.path(), &out).contains(name), "{flags:?}");
        let notes = stdout(&output);
        assert_eq!(notes.contains("later ones ignore them"), flags.is_empty());
        assert!(flags.len() > 1 && flags[1] == "4.8" || notes.contains("the range is advice"));
    }
}

#[test]
fn old_values_come_from_the_baseline_where_one_is_given() {
    let folder = omac_run();
    done(folder.path(), "export run --to px4 --out first");
    let vehicle = text(folder.path(), "first/px4.params").replace(
        "MPC_XY_VEL_D_ACC\t0.0",
        "MPC_XY_VEL_D_ACC\t0.20000000298023224",
    ) + "1\t1\tMC_ROLL_P\t6.5\t9\n1\t1\tSYS_AUTOSTART\t4001\t6\n";
    fs::write(folder.path().join("mine.params"), vehicle).expect("writable");
    done(folder.path(), "export run --to px4 --baseline mine.params");
    let rollback = text(folder.path(), "run/px4-rollback.params");
    let old = values_of("px4", &rollback);
    assert_eq!(old["MPC_XY_VEL_D_ACC"], f64::from(0.2f32));
    assert_eq!(old.len(), 8, "only what is written is rolled back");
    assert!(rollback.contains("from the baseline file"));
}

#[test]
fn every_form_reads_back_what_it_wrote_and_refuses_what_it_does_not_know() {
    let (airframe, _folder) = rates_run();
    let tuned = sim::autopilot::Tuned {
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
        let back = values_of(name, &written);
        assert_eq!(back.len(), parameters.len(), "{name}");
        for parameter in &parameters {
            assert_eq!(back[&parameter.name], parameter.value, "{name}");
        }
        let nonsense = ParameterFile::of("set this straight\n", "prose", Some(name), None);
        assert_eq!(nonsense.expect_err("prose").exit_code(), 65, "{name}");
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
        for from in TARGETS.into_iter().map(Some).chain([None]) {
            if let Ok(file) = ParameterFile::of(&text, "any", from, None) {
                proptest::prop_assert!(file.settings.iter().all(|setting| !setting.name.is_empty()));
            }
        }
        let record = bo::run::disk::record::Record::from_json(&text, Path::new("run.json"));
        proptest::prop_assert!(record.is_err());
    }
}

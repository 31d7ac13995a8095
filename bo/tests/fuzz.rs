//! Every parser of the program against mutations of what it reads: no panic, nothing that is not
//! finite taken for a number, and every refusal one line that steers no terminal. How long that goes
//! on is set by `WINDHOVER_FUZZ_SECONDS` (`checks::fuzzing::SECONDS`).

use bo::run::disk::archive;
use bo::run::disk::record::Record;
use bo::serve::{Line, Reply, Session};
use bo::study::Config;
use bo::terminal::line;
use checks::fuzzing::fuzz;
use shell::exit::Coded;
use sim::autopilot::{
    ArduPilot, Autopilot, Betaflight, Crazyflie, Json, ParameterFile, Px4, Source, TARGETS, Tuned,
    draft, reading,
};
use sim::{Airframe, Gains};
use std::fmt::Display;
use std::fs;
use std::path::Path;

use crate::exported::{POSITION, RATE, modest, record, values_of};
use crate::program::{self, stderr};

/// What a person would read of a refusal: one line, and nothing in it that steers a terminal.
fn assert_plain(error: &dyn Display) {
    let said = line(&format!("error: {error}"));
    assert!(!said.contains(char::is_control), "{said:?}");
    assert!(said.chars().count() <= 2_001, "{said}");
}

fn finite(gains: &Gains) -> bool {
    let pids = [gains.position_xy, gains.position_z];
    let loops = [
        gains.attitude_kp,
        gains.rate_kp,
        gains.rate_ki,
        gains.rate_kd,
    ];
    pids.iter()
        .all(|pid| [pid.kp, pid.ki, pid.kd].iter().all(|g| g.is_finite()))
        && loops.iter().flatten().all(|gain| gain.is_finite())
}

#[test]
fn study_files() {
    let text = Config::default().to_toml();
    let mut taken = 0;
    fuzz("studies", &[&text], 250, |text| {
        match Config::from_toml(text, Path::new("/nowhere/study.toml")) {
            Ok(config) => {
                taken += 1;
                assert!(finite(&config.start_gains()));
                let bounds = config
                    .gains
                    .iter()
                    .flat_map(|b| [b.span.low, b.span.high, b.start]);
                assert!(bounds.into_iter().all(f64::is_finite));
                assert!(config.training.iter().all(|share| share.share.is_finite()));
                let settings = &config.settings;
                let numbers = [
                    settings.kappa,
                    settings.cost.effort_m,
                    settings.cost.saturation_m,
                ];
                assert!(numbers.iter().all(|number| number.is_finite()));
                // What was understood is written so that it is understood again.
                let again = Config::from_toml(&config.to_toml(), Path::new("/nowhere/study.toml"));
                assert_eq!(again.expect("our own"), config);
            }
            Err(error) => assert_plain(&error),
        }
    });
    assert!(taken > 10, "some mutations are studies: {taken}");
}

#[test]
fn records_of_runs() {
    let airframe = Airframe::omac();
    let text = record(&airframe, &modest(&airframe), &POSITION).to_string();
    let mut taken = 0;
    fuzz("records", &[&text], 600, |text| {
        match Record::from_json(text, Path::new("run.json")) {
            Ok(recorded) => {
                taken += 1;
                assert!(finite(&recorded.recommended.gains) && finite(&recorded.default.gains));
                let _ = recorded.knobs(Path::new("run.json"));
                exports(&recorded.source(), None);
                if let Some(doubt) = recorded.caveat(Path::new("run"), "these gains") {
                    assert_plain(&doubt);
                }
            }
            Err(error) => assert_plain(&error),
        }
    });
    assert!(taken > 10, "some mutations are records: {taken}");
}

fn targets() -> [Box<dyn Autopilot>; 5] {
    let ardupilot = ArduPilot::new(None).expect("no version needed");
    [
        Box::new(Px4),
        Box::new(ardupilot),
        Box::new(Betaflight),
        Box::new(Crazyflie),
        Box::new(Json),
    ]
}

/// Every file that `source` gives holds sane numbers only.
fn exports(source: &Source, baseline: Option<(&str, &str)>) {
    for autopilot in targets() {
        let file = match baseline {
            Some((target, _)) if target != autopilot.name() => continue,
            Some((target, text)) => match ParameterFile::of(text, "old", Some(target), None) {
                Ok(file) => Some(file),
                Err(error) => {
                    assert_plain(&error);
                    continue;
                }
            },
            None => None,
        };
        match draft(source, autopilot.as_ref(), file.as_ref(), true) {
            Ok(draft) => {
                let export = draft.export(source, autopilot.as_ref());
                for text in [Some(&export.text), export.rollback.as_ref()]
                    .into_iter()
                    .flatten()
                {
                    for (name, value) in values_of(autopilot.name(), text) {
                        assert!((0.0..=1e6).contains(&value), "{name} = {value}");
                    }
                    let word = text.to_lowercase();
                    assert!(!word.contains("inf\n") && !word.contains("nan\n"), "{text}");
                }
            }
            Err(error) => assert_plain(&error),
        }
    }
}

#[test]
fn files_of_gains() {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    let mut gains = modest(&airframe);
    gains.rate_kp = [0.3123, 0.2987, 0.0512];
    let text = toml::to_string(&gains).expect("TOML");
    let mut taken = 0;
    fuzz("gains", &[&text], 500, |text| {
        match Source::from_gains(text, "g.toml", airframe.clone()) {
            Ok(source) => {
                taken += 1;
                assert!(finite(&source.recommended));
                exports(&source, None);
            }
            Err(error) => assert_plain(&error),
        }
    });
    assert!(taken > 10, "some mutations are gains: {taken}");
}

#[test]
fn baselines_of_every_autopilot() {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    let mut gains = modest(&airframe);
    gains.rate_kp = [0.3123, 0.2987, 0.0512];
    let tuned = [&POSITION[..], &RATE].concat();
    let text = record(&airframe, &gains, &tuned).to_string();
    let recorded = Record::from_json(&text, Path::new("run.json")).expect("whole");
    let source = recorded.source();
    for autopilot in targets() {
        let made = draft(&source, autopilot.as_ref(), None, true).expect("an equivalent");
        let baseline = made.export(&source, autopilot.as_ref()).text;
        fuzz(autopilot.name(), &[&baseline], 200, |text| {
            exports(&source, Some((autopilot.name(), text)))
        });
    }
}

/// A tune that somebody else wrote: refused in one line, or gains that can be flown, but for values
/// that are named as no gains.
#[test]
fn tunes_of_every_autopilot_read_back() {
    let airframe = Airframe::by_name("hummingbird").expect("shipped");
    let everything = Tuned::everything();
    let mut taken = 0;
    for autopilot in targets() {
        let mapped = autopilot.parameters(&airframe, &airframe.gains, &everything);
        let own = autopilot.write(&[], &mapped.expect("an equivalent"));
        let name = autopilot.name();
        fuzz(name, &[&own], 200, |text| {
            // Each as if it were another's: users say the wrong one.
            for target in TARGETS {
                match reading::read(target, text, &airframe, &airframe.gains) {
                    Ok(tune) => {
                        taken += 1;
                        assert!(
                            finite(&tune.gains) || !tune.impossible.is_empty(),
                            "{tune:?}"
                        );
                        tune.left_out.iter().for_each(|said| assert_plain(said));
                    }
                    Err(error) => {
                        assert_eq!(error.exit_code(), 65, "{error}");
                        assert_plain(&error);
                    }
                }
            }
        });
    }
    assert!(taken > 100, "some mutations are tunes: {taken}");
}

/// One file of each dialect.
const DIALECTS: [&str; 9] = [
    "# Version: 1.14.0\n1\t1\tMC_ROLL_P\t6.5\t9\n1\t1\tMC_ROLLRATE_P\t0.15\t9\n2\t1\tMAV_TYPE\t2\t6\n",
    "Symbols: x = used\nx + MC_ROLL_P [617,1099] : 6.5000\nx * MC_ROLLRATE_K [3,4] : 1.0000\n",
    "#!/bin/sh\n. ${R}etc/rc\nparam set-default MC_ROLL_P 6.5\nparam set -s IMU_GYRO_CUTOFF 30\n",
    "MC_ROLLRATE_P,0.14\nMC_ROLL_P,6.5\n",
    "ATC_ANG_RLL_P,4.5 # mine\nATC_RAT_RLL_P 0.135 @READONLY\nNTF_LED_TYPES\t0x1E\n@include a.parm\n",
    "Q_A_ANG_RLL_P,9\nPSC_POSXY_P,1\nPSC_NE_POS_P,2\nQ_A_RAT_RLL_P,0.135\n",
    "# version\n# Betaflight / X 4.5.1 Jul 29\nset gyro_lpf1_type = PT1\nprofile 0\nset P_Roll = 45\n\
     profile 1\nset p_roll = 60\nset d_roll = 40\nprofile 0\nrateprofile 0\nset roll_expo = 0\nsave\n",
    "params:\n  pid_rate.roll_kp:\n    default_value: 250.0\n    is_stored: true\n    stored_value: 200.0\n",
    "all:\n  firmware_params:\n    pid_attitude: {roll_kp: 6, pitch_kp: 6.0}\n    posCtlPid:\n      xKp: 2.0\n",
];

/// Every dialect, changed and cut anywhere: refused in one line, or settings with names, in lines that
/// the file has.
#[test]
fn parameter_files_of_every_dialect() {
    let mut taken = 0;
    let mut judge = |text: &str| {
        for from in TARGETS.into_iter().map(Some).chain([None]) {
            for vehicle in [None, Some(1)] {
                match ParameterFile::of(text, "f", from, vehicle) {
                    Ok(file) => {
                        taken += 1;
                        let lines = text.lines().count();
                        for setting in &file.settings {
                            assert!(
                                (1..=lines).contains(&setting.line) && !setting.name.is_empty()
                            );
                        }
                        file.notes.iter().for_each(|note| assert_plain(note));
                        assert!(from.is_none_or(|from| from == file.autopilot));
                    }
                    Err(error) => {
                        assert_eq!(error.exit_code(), 65, "{error}");
                        assert_plain(&error);
                    }
                }
            }
        }
    };
    for whole in DIALECTS {
        for at in (0..whole.len()).filter(|at| whole.is_char_boundary(*at)) {
            judge(&whole[..at]);
        }
        judge(&format!("\u{feff}{}", whole.replace('\n', "\r\n")));
        let long = format!("{whole}{}\n", "9 ".repeat(1 << 19));
        judge(&long);
        let refused = ParameterFile::of(&long, "f", None, None).expect_err("a megabyte in a line");
        assert!(refused.to_string().contains("bytes"), "{refused}");
    }
    fuzz("dialects", &DIALECTS, 2_000, &mut judge);
    assert!(taken > 1_000, "some mutations are files: {taken}");
}

/// A short run, made once for all tests of its files.
fn short_run(folder: &Path) -> Vec<u8> {
    let args = [
        "--traj",
        "hover",
        "--surrogate",
        "gp",
        "--initial",
        "3",
        "--iterations",
        "1",
        "--held-out",
        "2",
        "--out",
        "run",
    ];
    let output = program::bo(folder, &args);
    assert!(output.status.success(), "{}", stderr(&output));
    fs::read(folder.join("run/trials.log")).expect("written")
}

#[test]
fn journals_whose_checksums_are_made_right() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let journal = short_run(folder.path());
    let journal = String::from_utf8(journal).expect("UTF-8");
    let lines: Vec<&str> = journal.lines().map(|line| &line[9..]).collect();
    let path = folder.path().join("run/trials.log");
    let mut turn = 0;
    for (number, json) in lines.iter().enumerate() {
        fuzz("journals", &[json], 40, |mutated| {
            let records = lines.iter().enumerate().map(|(n, line)| {
                let json = if n == number { mutated } else { line };
                format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()))
            });
            let text: String = records.collect();
            let scan =
                bo::run::disk::journal::scan::<bo::run::disk::journal::Contents>(text.as_bytes());
            for trial in scan.contents.iter().flat_map(|contents| &contents.trials) {
                assert!(trial.cost_m.is_finite() && trial.x.iter().all(|x| x.is_finite()));
            }
            // The program itself, for some of them: a resume never panics.
            turn += 1;
            if turn % 20 == 0 {
                fs::write(&path, &text).expect("writable");
                let output = program::bo(folder.path(), &["--resume", "run"]);
                let said = stderr(&output);
                assert!(!said.contains("panicked"), "{said}");
                let code = output.status.code().expect("an exit code");
                assert!([0, 2, 3, 65, 66].contains(&code), "{code}: {said}");
                let line = said.lines().last().unwrap_or_default();
                assert!(!line.contains(char::is_control), "{line:?}");
                let _ = fs::remove_file(folder.path().join("run/run.json"));
            }
        });
    }
}

#[test]
fn manifests() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    short_run(folder.path());
    let path = folder.path().join("run/manifest.json");
    let text = fs::read_to_string(&path).expect("written");
    fuzz("manifests", &[&text], 150, |text| {
        fs::write(&path, text).expect("writable");
        match archive::read(&folder.path().join("run")) {
            Ok(read) => assert!(!read.record.trials.is_empty()),
            Err(error) => {
                assert_eq!(error.exit_code(), 65, "{error}");
                assert_plain(&error);
            }
        }
    });
}

#[test]
fn lines_to_serve() {
    let lines = [
        r#"{"type":"init","space":[{"name":"kp","low":0.02,"high":2.0,"log":true},{"name":"n","low":1,"high":9,"integer":true}],"seed":3,"noise":true,"initial":3}"#,
        r#"{"type":"tell","x":[0.5,3],"y":1.25}"#,
        r#"{"type":"tell","x":[0.5,3],"y":NaN,"crashed":true}"#,
        r#"{"type":"ask"}"#,
        r#"{"type":"recommend"}"#,
        r#"{"type":"init","space":[{"name":"kp","low":0,"high":2}],"covariates":[{"name":"wind_rms","mean":4.0,"deviation":1.5}]}"#,
        r#"{"type":"tell","x":[0.5,3],"y":1.25,"covariates":[5.2]}"#,
    ];
    for line in lines {
        let mut session = Session::default();
        fuzz("lines", &[line], 150, |mutated| {
            let line = Line::Text(mutated.replace(['\n', '\r'], " "));
            for line in [
                Line::Text(lines[0].to_owned()),
                line,
                Line::Text(lines[3].to_owned()),
            ] {
                if let Reply::Json(value) = session.answer(&line, &mut |_| ()) {
                    let text = value.to_string();
                    // JSON escapes the control characters of ASCII but DEL.
                    assert!(!text.contains(|c| c < ' '), "{text:?}");
                    let numbers = value["x"].as_array().into_iter().flatten();
                    assert!(
                        numbers.into_iter().all(serde_json::Value::is_number),
                        "{text}"
                    );
                }
            }
        });
    }
}

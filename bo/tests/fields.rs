//! Every setting of the table: printed, read back, overridden by its flag, refused out of range in
//! the file and on the command line, and explained in the help.

use bo::run::settings::Settings;
use bo::study::{Baseline, Config, Field, Legal, PARTS, TABLES, field, fields};
use std::fs;
use std::path::Path;

use crate::program::{bo, stderr, stdout, temporary, tune};

/// Another value than the default of each setting, as TOML, and what it needs beside it.
const OTHERS: [(&str, &str, &str); 48] = [
    ("trajectory", "\"hover\"", ""),
    ("airframe", "\"crazyflie\"", ""),
    ("objective", "[\"ace\", \"motor-activity\"]", ""),
    ("surrogate", "\"gp-level-set\"", ""),
    ("lambda", "0.25", ""),
    (
        "environments",
        "\"winds\"",
        "surrogate = \"gp-level-set\"\n",
    ),
    ("warm_start", "\"earlier\"", "trajectory = \"hover\"\n"),
    ("seed", "\"18446744073709551615\"", ""),
    ("log", "[\"csv\", \"ulog\"]", ""),
    (
        "flight.world",
        "{ ground_z_m = -2.0, boxes = [{ name = \"pillar\", centre_m = [4.0, 0.0, 0.0], size_m = [1.0, 1.0, 4.0] }] }",
        "",
    ),
    ("flight.from_ground", "true", ""),
    ("flight.uncertain", "true", ""),
    ("flight.start", "\"rest\"", ""),
    ("flight.settle_s", "2.5", ""),
    ("sensors.position_m", "0.5", ""),
    ("sensors.velocity_m_s", "0.2", ""),
    ("sensors.attitude_rad", "0.01", ""),
    ("sensors.rates_rad_s", "0.01", ""),
    ("sensors.delay_periods", "1000", ""),
    ("budget.initial", "2", ""),
    ("budget.iterations", "3", ""),
    ("budget.flights", "1000", ""),
    ("budget.together", "64", ""),
    ("budget.held_out", "2", ""),
    ("acquisition.name", "\"ei\"", ""),
    ("acquisition.kappa", "0.1", ""),
    ("acquisition.recommender", "\"centre\"", ""),
    ("acquisition.loss_model", "\"apart\"", ""),
    ("cost.effort_m", "1e-7", ""),
    ("cost.saturation_m", "2", ""),
    ("gains.tune", "\"cascade\"", ""),
    ("gains.exportable", "\"px4\"", ""),
    ("gains.baseline", "\"start\"", ""),
    ("limits.margins", "\"stated\"", ""),
    ("limits.phase_margin_deg", "35", ""),
    ("limits.gain_margin_db", "6", ""),
    ("limits.delay_margin_ms", "12.5", ""),
    ("limits.disk_margin", "0.5", ""),
    ("limits.overshoot", "0.2", ""),
    ("limits.settling_s", "2.5", ""),
    ("limits.step_m", "0.5", ""),
    ("limits.margins_of", "[\"rate\", \"position\"]", ""),
    ("limits.margins_at", "\"trajectory\"", ""),
    ("limits.motor_activity_per_s", "3", ""),
    ("limits.rotor_saturation", "0.1", ""),
    ("limits.loss_probability", "0.01", ""),
    ("limits.threads", "1024", ""),
    ("limits.flight_s", "86400", ""),
];

fn study(field: &Field, value: &str, beside: &str) -> String {
    match field.place() {
        ("", key) => format!("{beside}{key} = {value}\n"),
        (table, key) => format!("{beside}[{table}]\n{key} = {value}\n"),
    }
}

/// The settings with their samples; that none is forgotten.
fn samples() -> impl Iterator<Item = (&'static Field, &'static str, &'static str)> {
    let keys: Vec<&str> = fields().map(|field| field.key).collect();
    assert_eq!(keys, OTHERS.map(|(key, ..)| key));
    let values = OTHERS.into_iter().map(|(_, value, beside)| (value, beside));
    let samples = fields().zip(values);
    samples.map(|(field, (value, beside))| (field, value, beside))
}

/// A folder with a run that another can take evaluations from, and with a damaged one.
fn folder() -> temp_dir::TempDir {
    let folder = temporary();
    let run = ["--traj", "hover", "--surrogate", "gp", "--out", "earlier"];
    assert!(tune(folder.path(), &run).status.success());
    fs::create_dir(folder.path().join("damaged")).expect("free");
    fs::write(folder.path().join("damaged/run.json"), "{").expect("writable");
    folder
}

#[test]
fn every_setting_is_printed_with_its_meaning_reads_back_and_is_overridden_by_its_flag() {
    let folder = folder();
    let path = folder.path().join("study.toml");
    for (field, value, beside) in samples() {
        let key = field.key;
        let read = |text: &str| Config::from_toml(text, &path).expect(key);
        // It has a weight, and an acquisition of its own.
        let named = match key == "surrogate" || beside.contains("surrogate") {
            true => beside.to_owned(),
            false => format!("surrogate = \"dil-gp\"\n{beside}"),
        };
        let beside = &named;
        let plain = read(beside);
        let other = read(&study(field, value, beside));
        assert_ne!((field.get)(&other), (field.get)(&plain), "{key}");

        let printed = other.to_toml();
        assert_eq!(read(&printed), other, "{key}");
        fs::write(&path, study(field, value, beside)).expect("writable");
        let (drafted, draft) = Config::drafted(Some(&path), &[]).expect(key);
        assert_eq!(
            (&drafted, &read(&draft)),
            (&other, &other),
            "{key}\n{draft}"
        );
        let line = format!("{} = ", field.place().1);
        let lines: Vec<&str> = printed.lines().collect();
        let at = lines.iter().position(|own| own.starts_with(&line));
        assert!(lines[at.expect(key) - 1].starts_with("# "), "{key}");
        let marks = |text: &str| ["{names}", "{least}", "{most}"].map(|mark| text.contains(mark));
        assert_eq!(marks(&printed), [false; 3], "{key}");

        // A path behind a flag is one from where the program is called.
        let typed = match key {
            "warm_start" => folder.path().join("earlier").to_str().map(str::to_owned),
            _ => field.typed(&other),
        };
        if let Some(text) = typed.filter(|_| field.flag.is_some()) {
            fs::write(&path, beside).expect("writable");
            let given = field.of_flag(&text).expect(key);
            let flagged = Config::of_flags(Some(&path), &[(field, given)], true).expect(key);
            assert_eq!(flagged, other, "--{text} {key}");
        }
    }
}

#[test]
fn a_key_that_is_set_changes_that_key_alone() {
    let folder = folder();
    let path = folder.path().join("study.toml");
    let read = |text: &str| Config::from_toml(text, &path).expect("legal").settings;
    let of = |settings: &Settings| {
        let Settings {
            initial,
            iterations,
            together,
            flights_per_evaluation,
            ..
        } = settings.clone();
        let budget = [initial, iterations, flights_per_evaluation, together];
        (settings.surrogate, settings.acquisition, budget)
    };
    let auto = |budget| ("auto", "by-noise", budget);
    for (text, expected) in [
        ("", auto([10, 278, 1, 8])),
        ("trajectory = \"hover\"", auto([10, 278, 1, 8])),
        ("surrogate = \"auto\"", auto([10, 278, 1, 8])),
        ("[budget]\nfinals = 0", auto([10, 278, 1, 8])),
        ("[budget]\niterations = 100", auto([10, 100, 1, 8])),
        ("[budget]\ninitial = 20", auto([20, 278, 1, 8])),
        ("[budget]\nflights = 3", auto([10, 278, 3, 8])),
        ("[budget]\ntogether = 1", auto([10, 278, 1, 1])),
        ("surrogate = \"gp\"", ("gp", "ucb", [10, 278, 1, 8])),
        ("surrogate = \"rf\"", ("rf", "ucb", [10, 278, 1, 8])),
        (
            "surrogate = \"dil-gp\"\nlambda = 0.5",
            ("dil-gp", "ucb", [10, 278, 1, 8]),
        ),
    ] {
        assert_eq!(of(&read(text)), expected, "{text}");
    }
    // A weight needs a surrogate that has one.
    let refused = Config::from_toml("lambda = 0.5", &path).expect_err("auto has none");
    let said = "--lambda does not apply to surrogate auto";
    assert!(refused.to_string().starts_with(said), "{refused}");
    // What is typed beside a file does no more, nor does it where there is no file.
    fs::write(&path, "trajectory = \"hover\"").expect("writable");
    let typed = |path: Option<&Path>, key: &str, text: &str| {
        let field = field(key).expect("a field");
        let given = field.of_flag(text).expect("legal");
        let config = Config::of_flags(path, &[(field, given)], true).expect("legal");
        of(&config.settings)
    };
    let file = Some(path.as_path());
    assert_eq!(
        typed(file, "surrogate", "gp"),
        ("gp", "ucb", [10, 278, 1, 8])
    );
    assert_eq!(typed(file, "budget.iterations", "20"), auto([10, 20, 1, 8]));
    let paper = ("dil-gp", "ucb", [10, 100, 1, 1]);
    assert_eq!(of(&Config::default().settings), paper);
    assert_eq!(typed(None, "airframe", "crazyflie"), paper);
    assert_eq!(typed(None, "seed", "2"), paper);
    // The study that a run of an earlier version kept had no such rounds.
    let kept = Config::kept("", &path).expect("legal");
    assert_eq!(kept.baseline, Baseline::Start);
    let kept = Config::kept("surrogate = \"gp\"\n[budget]\niterations = 20", &path);
    assert_eq!(
        of(&kept.expect("legal").settings),
        ("gp", "ucb", [10, 20, 1, 1])
    );
    let run = folder.path().join("earlier/config.toml");
    let text = fs::read_to_string(&run).expect("written");
    fs::write(&run, text.replace("together = 1", "")).expect("writable");
    let again = Config::of_flags(Some(&run), &[], true).expect("legal");
    assert_eq!(of(&again.settings), ("gp", "ucb", [4, 3, 1, 1]));
}

#[test]
fn every_setting_is_refused_where_it_stands_and_behind_its_flag() {
    let folder = folder();
    for field in fields() {
        let illegal = match field.legal {
            Legal::Count(limit) | Legal::Number(limit) => (limit.most + 1.0).to_string(),
            Legal::NumberOrNone(_) | Legal::Seed => "-1".to_owned(),
            Legal::Own if field.key == "warm_start" => "damaged".to_owned(),
            _ => "no-such".to_owned(),
        };
        let number = illegal.parse::<f64>().is_ok();
        let value = match field.legal {
            Legal::Words(_) => format!("[\"{illegal}\"]"),
            _ if number => illegal.clone(),
            _ => format!("\"{illegal}\""),
        };
        let text = format!("# One.\n{}", study(field, &value, ""));
        fs::write(folder.path().join("study.toml"), &text).expect("writable");
        let output = bo(folder.path(), &["config", "study.toml"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(65), "{text}{said}");
        let line = text.lines().count();
        let column = field.place().1.len() + 4 + usize::from(value.starts_with('['));
        let place = format!("error: study.toml:{line}:{column}: ");
        assert!(said.starts_with(&place), "{place}\n{said}");
        assert_eq!(said.lines().count(), 1, "{said}");

        let Some(flag) = field.flag else { continue };
        let typed = format!("--{}", flag.name);
        let output = bo(folder.path(), &[&typed, &illegal, "--out", "none"]);
        // What is damaged is the file behind the flag.
        let code = if field.key == "warm_start" { 65 } else { 2 };
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
        assert!(!folder.path().join("none").exists(), "{typed}");
    }
}

#[test]
fn every_flag_is_explained_with_its_names_and_its_default() {
    let folder = temporary();
    let help = stdout(&bo(folder.path(), &["--help"]));
    let compare = stdout(&bo(folder.path(), &["compare", "--help"]));
    let shell = stdout(&bo(folder.path(), &["completions", "bash"]));
    let usual = Config::default();
    for field in fields() {
        let Some(flag) = field.flag else { continue };
        let start = format!("--{} <{}>", flag.name, flag.value);
        // Help may break lines anywhere.
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = words(&format!("{start} {}", field.help(&usual)));
        assert!(words(&help).contains(&line), "{line}\n{help}");
        for name in field.names().unwrap_or_default() {
            assert!(line.contains(name), "{name} in {line}");
            let word = matches!(field.legal, Legal::Word(_) | Legal::Name(_));
            assert!(!word || shell.contains(name), "{name} for the shell");
        }
        if bo::comparison::SHARED.contains(&field.key) {
            assert!(compare.contains(&start), "{start}\n{compare}");
        }
    }
}

#[test]
fn keys_stand_once_and_in_a_table_that_exists() {
    let mut keys: Vec<&str> = fields().map(|field| field.key).chain(PARTS).collect();
    for field in fields() {
        let table = field.place().0;
        assert!(TABLES.iter().any(|(name, _)| *name == table), "{table}");
    }
    keys.sort_unstable();
    let count = keys.len();
    keys.dedup();
    assert_eq!(keys.len(), count);
    for (text, said) in [
        (
            "[budget]\nruns = 3\n",
            "study.toml:2:1: unknown field `runs`, expected one of `initial`, `iterations`, `flights`, `together`, `held_out`",
        ),
        ("gains = 3\n", "study.toml:1:9: gains must be a table"),
        (
            "[limits]\nx = 1\n",
            "study.toml:2:1: unknown field `x`, expected one of `margins`, `phase_margin_deg`, `gain_margin_db`, \
             `delay_margin_ms`, `disk_margin`, `overshoot`, `settling_s`, `step_m`, `margins_of`, `margins_at`, \
             `motor_activity_per_s`, `rotor_saturation`, `loss_probability`, `threads`, `flight_s`",
        ),
        (
            "log = [\"csv\", \"pdf\"]\n",
            "study.toml:1:15: log does not know `pdf`; it may be csv, mcap, ulog",
        ),
        (
            "log = [\"csv\", \"csv\"]\n",
            "study.toml:1:15: the log `csv` stands twice",
        ),
    ] {
        let error = Config::from_toml(text, Path::new("study.toml")).expect_err(text);
        assert_eq!(error.to_string(), said);
    }
}

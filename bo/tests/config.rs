//! Study files as a user meets them.

use bo::study::Config;
use proptest::prelude::*;
use std::fs;
use std::path::Path;

use crate::program::{SMALL, bo, stderr, stdout, succeeded, temporary};

pub fn read(text: &str) -> Result<Config, String> {
    Config::from_toml(text, Path::new("study.toml")).map_err(|error| error.to_string())
}

#[test]
fn the_printed_study_sets_nothing_and_each_of_its_lines_says_the_default() {
    let folder = temporary();
    let output = bo(folder.path(), &["config", "--print"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let usual = Config::of_study();
    assert_eq!(read(&text).expect("legal"), usual);
    assert_eq!(read("").expect("an empty study"), usual);
    assert_eq!(usual.settings.surrogate, "auto");
    let lines: Vec<&str> = text.lines().collect();
    let set = |line: &&&str| !line.starts_with('#') && !line.is_empty();
    let set: Vec<&str> = lines.iter().filter(set).copied().collect();
    let tables = [
        "flight",
        "sensors",
        "budget",
        "acquisition",
        "cost",
        "gains",
        "limits",
    ];
    assert_eq!(set, tables.map(|table| format!("[{table}]")));
    // Each line alone; of the winds, which are tables of several lines, all.
    let key = |line: &str| {
        line.strip_prefix('#')
            .filter(|rest| !rest.starts_with(' '))
            .map(str::to_owned)
    };
    let wind = |line: &str| {
        ["#[[", "#domain", "#share"]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let with = |on: &dyn Fn(usize) -> bool| {
        let line = |(n, line): (usize, &&str)| match on(n) {
            true => key(line).expect("a key"),
            false => (*line).to_owned(),
        };
        let text: Vec<String> = lines.iter().enumerate().map(line).collect();
        read(&text.join("\n"))
    };
    let mut keys = 0;
    for (n, line) in lines.iter().enumerate() {
        if key(line).is_none() {
            continue;
        }
        // A comment says what it means.
        assert!(wind(line) || lines[n - 1].starts_with('#'), "{line}");
        keys += 1;
        if !wind(line) {
            assert_eq!(with(&|on| on == n).expect(line), usual, "{line}");
        }
        let gain = line.starts_with("#bounds.");
        assert!(
            !gain || line.contains("} # 1/s") && line.contains("; start "),
            "{line}"
        );
    }
    assert_eq!(keys, 48 + 6 + 2 * 3 + 2 * 2);
    assert_eq!(with(&|on| wind(lines[on])).expect("winds"), usual);
    for key in ["low, high ", "start ", "scale "] {
        let said = |line: &&str| line.starts_with(&format!("#   {key}"));
        assert!(lines.iter().any(said), "{key}");
    }
    assert!(lines_at_most(&text, 110), "fits a screen");
}

/// What a study or a flag sets is printed as set, all else as a comment: read back it is that study.
#[test]
fn a_printed_study_reads_back_as_the_one_that_it_was_printed_from() {
    let folder = temporary();
    let here = folder.path();
    let path = "t,x,y,z\n0,0,0,0\n2,1,0,0.5\n4,1,1,0\n";
    fs::write(here.join("square.csv"), path).expect("writable");
    let bird = toml::to_string(&sim::Airframe::omac()).expect("TOML");
    fs::write(here.join("bird.toml"), bird.replace("omac", "bird")).expect("writable");
    let studies = [
        "",
        OWN,
        "seed = 1\n[budget]\niterations = 20\n",
        "airframe = \"crazyflie\"\n[gains]\ntune = \"cascade\"\nbounds.\"position_z.ki\" = { high = 9 }\n",
        "lambda = \"none\"\n[limits]\nmargins = \"stated\"\nphase_margin_deg = 35\n[[test]]\ndomain = \"steady\"\n",
    ];
    for text in studies {
        fs::write(here.join("study.toml"), text).expect("writable");
        for flags in [&[][..], &["--traj", "hover", "--surrogate", "gp-level-set"]] {
            let print = ["config", "study.toml", "--print"];
            let output = bo(here, &[&print[..], flags].concat());
            assert!(output.status.success(), "{}", stderr(&output));
            fs::write(here.join("printed.toml"), stdout(&output)).expect("writable");
            let whole = |file: &str, flags: &[&str]| {
                let args = ["config", file, "--print", "--format", "json"];
                stdout(&bo(here, &[&args[..], flags].concat()))
            };
            assert_eq!(
                whole("printed.toml", &[]),
                whole("study.toml", flags),
                "{text}"
            );
            let off = stdout(&output).contains("\n#trajectory = ");
            assert_eq!(off, flags.is_empty() && text != OWN, "{text}");
        }
    }
    // So is the one that a run keeps, of which all is set.
    succeeded(
        here,
        &[&["--traj", "hover", "--out", "run"], &SMALL[..]].concat(),
    );
    let kept = fs::read_to_string(here.join("run/config.toml")).expect("written");
    let output = bo(here, &["config", "run/config.toml", "--print"]);
    assert_eq!(stdout(&output), kept);
}

#[test]
fn bounds_and_starts_are_those_of_the_airframe_named_with_a_printed_study() {
    let folder = temporary();
    let here = folder.path();
    let printed = stdout(&bo(here, &["config", "--print"]));
    let bounded = printed.replace("#bounds.\"position_xy.kp\"", "bounds.\"position_xy.kp\"");
    assert_ne!(bounded, printed);
    let own = sim::Airframe::by_name("hummingbird")
        .expect("shipped")
        .gains;
    for text in [printed, bounded] {
        fs::write(here.join("study.toml"), text).expect("writable");
        let args = [
            "--config",
            "study.toml",
            "--airframe",
            "hummingbird",
            "--dry-run",
        ];
        let output = succeeded(here, &[&args[..], &["--format", "json"]].concat());
        let plan: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert_eq!(plan["gains"][0]["start"], own.position_xy.kp);
        assert_eq!(plan["surrogate"], "auto");
        assert_eq!(plan["together"], 8);
    }
}

#[test]
fn a_file_of_another_kind_is_called_what_it_is() {
    let folder = temporary();
    let here = folder.path();
    let airframe = toml::to_string(&sim::Airframe::omac()).expect("TOML");
    for (file, text, said) in [
        (
            "old.toml",
            "seed = 1\niterations = 20\n",
            "2:1: `iterations` has moved to [budget]",
        ),
        (
            "my.toml",
            &airframe,
            "1:1: this looks like an airframe file: use --airframe",
        ),
        (
            "way.csv",
            "t,x,y,z\n0,0,0,0\n",
            "1:1: this is not a TOML file",
        ),
        (
            "wind.csv",
            "Time;Speed\n0;3,5\n",
            "1:1: this is not a TOML file",
        ),
    ] {
        fs::write(here.join(file), text).expect("writable");
        for args in [&["--config", file][..], &["config", file]] {
            let output = bo(here, args);
            assert_eq!(output.status.code(), Some(65));
            assert_eq!(stderr(&output), format!("error: {file}:{said}\n"));
        }
    }
}

fn lines_at_most(text: &str, most: usize) -> bool {
    text.lines().all(|line| line.chars().count() <= most)
}

proptest! {
    #[test]
    fn every_study_reads_back_as_itself(
        seed in any::<u64>(),
        initial in 1u64..=2000,
        kappa in 0.0f64..1e6,
        effort in 0.0f64..1e3,
        low in 1e-6f64..5.9,
        share in 1e-3f64..1e6,
        linear in any::<bool>(),
        cascade in any::<bool>(),
        threads in 0u64..=1024,
    ) {
        let tune = if cascade { "cascade" } else { "position" };
        let scale = if linear { "linear" } else { "log" };
        let text = format!(
            "seed = \"{seed}\"\n[budget]\ninitial = {initial}\n[acquisition]\nkappa = {kappa:?}\n\
             [cost]\neffort_m = {effort:?}\n[gains]\ntune = \"{tune}\"\n[gains.bounds]\n\
             \"position_xy.kp\" = {{ low = {low:?}, scale = \"{scale}\" }}\n\
             [[training]]\ndomain = \"steady\"\nshare = {share:?}\n[limits]\nthreads = {threads}\n"
        );
        let config = read(&text).expect("legal");
        prop_assert_eq!(config.settings.seed, seed);
        prop_assert_eq!(config.gains[0].span.low, low);
        prop_assert_eq!(read(&config.to_toml()).expect("legal"), config);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,200}") {
        let _ = read(&text);
    }
}

#[test]
fn each_error_points_at_its_line_and_column() {
    let cases = [
        ("traj = \"fig8\"", "1:1: unknown field `traj`"),
        (
            "trajectory = \"fig9\"",
            "1:14: unknown trajectory `fig9`: did you mean `fig8`?",
        ),
        (
            "seed = 1\nsurrogate = \"dilgp\"",
            "2:13: unknown surrogate `dilgp`: did you mean `dil-gp`?",
        ),
        (
            "airframe = \"omak\"",
            "1:12: unknown airframe `omak`: did you mean `omac`?",
        ),
        ("seed = -1", "1:8: seed must be a whole number from 0"),
        ("seed = ", "1:8: "),
        (
            "[budget]\niterations = 0",
            "2:14: budget.iterations is 0; it must be a whole number from 1 to 2000",
        ),
        (
            "[budget]\n  held_out = 1",
            "2:14: budget.held_out is 1; it must be",
        ),
        (
            "[budget]\ninitial = 1.5",
            "2:11: invalid type: floating point `1.5`, expected i64",
        ),
        (
            "[acquisition]\nkappa = nan",
            "2:9: acquisition.kappa is NaN; it must be finite",
        ),
        (
            "[cost]\neffort_m = -0.1",
            "2:12: cost.effort_m is -0.1; it must be finite",
        ),
        (
            "[gains]\ntune = \"rates\"",
            "2:8: gains.tune does not know `rates`",
        ),
        (
            "[gains]\ntune = [\"rate_kp.w\"]",
            "2:8: gains.tune does not know `rate_kp.w`",
        ),
        ("[gains]\ntune = []", "2:8: gains.tune is empty"),
        (
            "[gains]\nexportable = \"px5\"",
            "2:14: gains.exportable does not know `px5`",
        ),
        (
            "[gains.bounds]\n\"rate_kp.z\" = { low = 1.0 }",
            "2:15: rate_kp.z is not tuned; add it to gains.tune",
        ),
        (
            "[gains.bounds]\n\"position_xy.kp\" = { low = 9.0, high = 3.0 }",
            "2:20: position_xy.kp has the bounds 9 and 3; low must be below high",
        ),
        (
            "environments = \"label\"",
            "1:16: environments does not know `label`; it may be none, winds",
        ),
        (
            "target = \"gusty\"",
            "1:1: `target`: environments are no longer told apart, so none can be aimed at; leave it out",
        ),
        (
            "[acquisition]\nname = \"pi\"",
            "2:8: acquisition.name does not know `pi`; it may be log-ei, ei, ucb, mean",
        ),
        (
            "warm_start = 3",
            "1:14: warm_start must be none, a run's folder or run.json, or a table",
        ),
        (
            "warm_start = \"no-run\"",
            "1:14: warm_start: cannot read no-run/run.json: ",
        ),
        (
            "[gains.bounds]\n\"position_xy.kp\" = { low = 9.0 }",
            "2:20: position_xy.kp starts at 6, outside its bounds 9 to 30",
        ),
        (
            "[[training]]\ndomain = \"gusty\"\nshare = 0",
            "3:9: share is 0; it must be positive",
        ),
        (
            "[[test]]\ndomain = \"gusty\"\n[[test]]\ndomain = \"gusty\"",
            "4:10: the test domain `gusty` stands twice",
        ),
        (
            "[[test]]\ndomain = \"gustig\"",
            "2:10: unknown wind domain `gustig`: did you mean",
        ),
        ("test = []", "1:8: test is empty"),
        (
            "[[test]]\ndomain = { name = \"mine\", mean_m_s = [0, 0, 0] }",
            "2:10: missing field `sigma_m_s`",
        ),
        (
            "[limits]\nthreads = 2000",
            "2:11: limits.threads is 2000; it must be",
        ),
    ];
    for (text, said) in cases {
        let error = read(text).expect_err(text);
        assert!(
            error.starts_with(&format!("study.toml:{said}")),
            "{text}\n{error}"
        );
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let long = read("[limits]\nflight_s = 10").expect_err("fig8 takes 20 s");
    assert!(
        long.contains("takes 20 s, above limits.flight_s = 10"),
        "{long}"
    );
}

#[test]
fn faulty_and_missing_files_have_their_exit_codes() {
    let folder = temporary();
    fs::write(
        folder.path().join("study.toml"),
        "[budget]\niterations = 0\n",
    )
    .expect("writable");
    fs::write(
        folder.path().join("path.toml"),
        "trajectory = \"none.csv\"\n",
    )
    .expect("writable");
    let cases = [
        (
            "study.toml",
            65,
            "error: study.toml:2:14: budget.iterations is 0",
        ),
        ("none.toml", 66, "error: cannot read none.toml: "),
        (
            "path.toml",
            66,
            "error: path.toml:1:14: cannot read none.csv: ",
        ),
    ];
    for (file, code, said) in cases {
        let output = bo(folder.path(), &["--config", file]);
        assert_eq!(output.status.code(), Some(code), "{file}");
        assert!(stderr(&output).starts_with(said), "{}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1);
    }
    assert!(
        !folder.path().join("runs").exists(),
        "nothing is left behind"
    );
}

/// A study in which little is as usual.
const OWN: &str = r#"
trajectory = "square.csv"
airframe = "bird.toml"
surrogate = "gp"
seed = 7
[budget]
initial = 5
iterations = 2
flights = 3
held_out = 4
[gains]
tune = ["position_xy.kp", "rate_kp.xy"]
[gains.bounds]
"position_xy.kp" = { low = 2.0, high = 12.0, start = 5.0, scale = "linear" }
[cost]
effort_m = 0.05
saturation_m = 0.5
[[training]]
domain = "gusty"
share = 2
[[training]]
domain = { name = "breeze", altitude_m = 10.0, wind_at_20_ft_kt = 10.0, reference_speed_m_s = 5.0 }
share = 1
[[test]]
domain = "steady"
"#;

#[test]
fn an_own_study_runs_and_its_saved_form_runs_again_to_the_same_bytes() {
    let folder = temporary();
    let here = folder.path();
    let path = "t,x,y,z\n0,0,0,0\n2,1,0,0.5\n4,1,1,0\n";
    fs::write(here.join("square.csv"), path).expect("writable");
    let bird = toml::to_string(&sim::Airframe::omac()).expect("TOML");
    fs::write(here.join("bird.toml"), bird.replace("omac", "bird")).expect("writable");
    fs::write(here.join("study.toml"), OWN).expect("writable");
    // A flag overrides the file.
    let command = ["--config", "study.toml", "--seed", "8", "--out", "one"];
    let output = bo(here, &command);
    assert!(output.status.success(), "{}", stderr(&output));

    let text = fs::read_to_string(here.join("one/run.json")).expect("written");
    let run: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(run["settings"]["trajectory"], "square");
    assert_eq!(run["settings"]["seed"], 8);
    assert_eq!(run["problem"]["airframe"]["name"], "bird");
    // What it is compared with is the airframe's.
    assert_eq!(run["default"]["gains"]["position_xy"]["kp"], 6.0);
    let said = "note: the baseline is the gains of the airframe bird; the run starts from position_xy.kp 5, not 6\n";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    assert_eq!(run["trials"][0]["gains"]["position_xy.kp"], 5.0);
    let (kp, fixed) = (&run["recommended"]["gains"], &run["default"]["gains"]);
    assert_eq!(
        kp["position_z"], fixed["position_z"],
        "only what is tuned changes"
    );
    let names: Vec<_> = run["problem"]["tuned"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|knob| (knob["name"].clone(), knob["scale"].clone()))
        .collect();
    assert_eq!(
        names,
        [
            ("position_xy.kp".into(), "linear".into()),
            ("rate_kp.xy".into(), "log".into())
        ]
    );
    assert_eq!(
        run["recommended"]["tests"]
            .as_array()
            .expect("a list")
            .len(),
        1
    );
    let trials = run["trials"].as_array().expect("a list");
    for trial in trials {
        let flights = trial["flights"].as_array().expect("a list");
        assert_eq!(flights.len(), 3);
        if flights
            .iter()
            .all(|flight| flight["outcome"]["end"] == "completed")
        {
            let cost = |flight: &serde_json::Value| {
                let score = |key: &str| flight["score"][key].as_f64().expect("a number");
                score("ace_m") + 0.05 * score("effort") + 0.5 * score("rotor_saturation")
            };
            let mean = flights.iter().map(cost).sum::<f64>() / 3.0;
            assert!((trial["cost_m"].as_f64().expect("a number") - mean).abs() < 1e-12);
        }
    }
    let lines = fs::read_to_string(here.join("one/trials.csv")).expect("written");
    assert_eq!(lines.lines().count(), 1 + 7 * 3);
    let columns: Vec<usize> = lines.lines().map(|line| line.split(',').count()).collect();
    assert!(columns.iter().all(|count| *count == columns[0]), "{lines}");

    // The saved study needs none of the files that the first one named.
    fs::remove_file(here.join("square.csv")).expect("there");
    fs::remove_file(here.join("bird.toml")).expect("there");
    let output = bo(here, &["--config", "one/config.toml", "--out", "two"]);
    assert!(output.status.success(), "{}", stderr(&output));
    for file in [
        "run.json",
        "trials.log",
        "trials.csv",
        "config.toml",
        "gains.toml",
    ] {
        let read = |run: &str| fs::read(here.join(run).join(file)).expect("written");
        assert!(read("one") == read("two"), "{file} differs");
    }
}

#[test]
fn a_run_in_json_is_one_object_on_stdout() {
    let folder = temporary();
    let args = ["--traj", "hover", "--surrogate", "gp", "--format", "json"];
    let output = bo(folder.path(), &[&args[..], &SMALL].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let result: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(result["folder"], "runs/hover-gp-1");
    assert_eq!(result["evaluations"], 7);
    assert!(result["recommended"]["gains"]["position_xy"]["kp"].is_f64());
    assert!(
        !stderr(&output).contains('\u{1b}'),
        "no colours where nobody looks"
    );
}

#[test]
fn a_study_without_a_valid_trial_ends_with_3_and_keeps_the_run() {
    let folder = temporary();
    let storm = "[[training]]\nshare = 1\ndomain = { name = \"storm\", mean_m_s = [60, 0, 0], \
                 sigma_m_s = [20, 20, 20], length_m = [50, 50, 50], reference_speed_m_s = 60 }\n\
                 [[test]]\ndomain = \"steady\"\n";
    fs::write(folder.path().join("storm.toml"), storm).expect("writable");
    let args = [
        "--config",
        "storm.toml",
        "--surrogate",
        "gp",
        "--out",
        "lost",
    ];
    let output = bo(folder.path(), &[&args[..], &SMALL].concat());
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let text = stderr(&output);
    assert!(
        text.contains("no valid trial: each of 7 evaluations is lost"),
        "{text}"
    );
    assert!(folder.path().join("lost/run.json").is_file());
}

#[test]
fn completions_name_the_flags_and_commands() {
    let folder = temporary();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = bo(folder.path(), &["completions", shell]);
        assert!(output.status.success());
        let script = stdout(&output);
        for word in ["surrogate", "resume", "verify"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn the_study_file_says_what_the_program_does() {
    let folder = temporary();
    let text = stdout(&bo(folder.path(), &["config", "--print"]));
    assert!(!text.contains("leaves its evaluation without a cost"));
    assert!(text.contains("A lost flight has an ACE of 2 m"));
    let unwrapped = text.replace("\n# ", " ");
    assert!(unwrapped.contains("Default: winds for auto, none for the others."));
}

#[test]
fn a_study_is_as_late_as_its_airframe_its_autopilot_or_what_is_careful() {
    let folder = temporary();
    let here = folder.path();
    let mut airframe = sim::Airframe::by_name("hummingbird").expect("shipped");
    let mut late = |delay_ms: Option<f64>, more: &str| {
        airframe.delay_ms = delay_ms;
        let text = toml::to_string(&airframe).expect("representable");
        fs::write(here.join("my.toml"), text).expect("writable");
        let study = format!("airframe = \"my.toml\"\n{more}");
        let config = Config::from_toml(&study, &here.join("study.toml")).expect("legal");
        let problem = config.problem().expect("legal");
        problem.tuning.setup.sensors.delay_periods
    };
    let px4 = "[gains]\nexportable = \"px4\"\n";
    assert_eq!(late(None, ""), 0);
    assert_eq!(late(Some(4.0), ""), 10);
    assert_eq!(late(Some(25.4), ""), 25);
    assert_eq!(late(Some(4.0), px4), 10);
    assert_eq!(late(Some(25.4), px4), 25);
    assert_eq!(late(Some(25.4), "[sensors]\ndelay_periods = 3\n"), 3);
}

/// The four loops that every vehicle has are all of them, as a study of a vehicle without a fifth says it.
#[test]
fn margins_of_all_loops_go_without_the_one_that_few_vehicles_have() {
    let of = |loops: &str| {
        let study = format!("[limits]\nphase_margin_deg = 30\nmargins_of = [{loops}]\n");
        read(&study).expect("legal")
    };
    let all = of("\"rate\", \"attitude\", \"velocity\", \"position\"");
    assert!(all.settings.margins.loops.is_empty());
    let some = of("\"rate\", \"attitude\", \"velocity\"");
    assert_eq!(some.settings.margins.loops.len(), 3);
    let said = "margins_of names the thrust loop, and omac has none";
    let remarks = |study: &Config| study.remarks().concat();
    assert!(remarks(&of("\"thrust\"")).contains(said) && !remarks(&all).contains(said));
}

//! `--format json` on every command: standard output is one JSON object that names its form;
//! progress, warnings and errors are on standard error.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;

use crate::program::{bo, json, stderr, stdout, temporary, tune};

/// The one object that `line` prints with `--format json`.
fn object(folder: &Path, line: &str, schema: &str) -> Value {
    let args: Vec<&str> = line.split(' ').chain(["--format", "json"]).collect();
    let output = bo(folder, &args);
    assert!(output.status.success(), "{line}: {}", stderr(&output));
    let value: Value = serde_json::from_str(&stdout(&output)).expect("one JSON value");
    assert_eq!(value["schema"], schema, "{line}");
    value
}

/// A run whose gains an autopilot can hold.
fn tuned(folder: &Path) {
    let args = ["--traj", "hover", "--surrogate", "gp", "--out", "run"];
    let output = tune(folder, &[&args[..], &["--exportable", "px4"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn the_commands_on_a_run_s_folder_print_one_object() {
    let folder = temporary();
    let here = folder.path();
    tuned(here);
    let run = json(&here.join("run/run.json"));

    let verified = object(here, "verify run", "windhover-verify/1");
    assert_eq!(verified["evaluations"], 7);
    assert_eq!(
        (&verified["tests"], &verified["whole"]),
        (&json!(6), &json!(true))
    );
    assert_eq!(verified["unfinished"], Value::Null);
    let bytes = fs::metadata(here.join("run/trials.log")).expect("there");
    assert_eq!(verified["bytes"], bytes.len());

    let exported = object(here, "export run --to px4 --anyway", "windhover-export/1");
    assert_eq!(exported["file"], "run/px4.params");
    assert_eq!(exported["rollback"], "run/px4-rollback.params");
    let text = fs::read_to_string(here.join("run/px4.params")).expect("written");
    for parameter in exported["parameters"].as_array().expect("a list") {
        let name = parameter["name"].as_str().expect("a name");
        let line = text
            .lines()
            .find(|line| line.contains(&format!("\t{name}\t")));
        let value = line.and_then(|line| line.split('\t').nth(3));
        let value: f64 = value.expect(name).parse().expect("a number");
        assert_eq!(parameter["new"], value, "{name}");
        assert!(parameter["old"].is_f64() && parameter["unit"].is_string());
    }

    let reported = object(here, "report run", "windhover-report/2");
    assert_eq!(reported["file"], "run/report.html");
    let page = fs::metadata(here.join("run/report.html")).expect("written");
    assert_eq!(reported["bytes"], page.len());
    let domains = reported["runs"][0]["domains"].as_array().expect("a list");
    for (domain, said) in domains.iter().enumerate() {
        let recorded = run["recommended"]["against_default"][domain].as_object();
        for (key, value) in recorded.expect("an object") {
            assert_eq!(&said[key], value, "{key}");
        }
        assert_eq!(
            said["domain"],
            run["recommended"]["tests"][domain]["domain"]
        );
    }
}

#[test]
fn warnings_of_an_export_are_in_the_object_and_on_standard_error() {
    let folder = temporary();
    tuned(folder.path());
    let args = [
        "export", "run", "--to", "px4", "--anyway", "--format", "json",
    ];
    let output = bo(folder.path(), &args);
    let value: Value = serde_json::from_str(&stdout(&output)).expect("one JSON value");
    let warnings = value["warnings"].as_array().expect("a list");
    assert!(!warnings.is_empty(), "PX4 always has something to say");
    let said = warnings
        .iter()
        .map(|w| format!("note: {}\n", w.as_str().expect("text")));
    assert_eq!(stderr(&output), said.collect::<String>());
}

#[test]
fn a_study_in_json_is_the_study_file_key_by_key() {
    let folder = temporary();
    let short = object(folder.path(), "config", "windhover-study/1");
    assert_eq!(short["evaluations"], 288);
    assert_eq!(short["training"], json!(["gusty", "steady"]));
    assert_eq!(short["study"], Value::Null);
    let whole = object(folder.path(), "config --print", "windhover-study/1");
    let text = bo::study::Config::of_study().to_toml();
    let toml: toml::Table = toml::from_str(&text).expect("TOML");
    assert_eq!(whole["study"], serde_json::to_value(toml).expect("JSON"));
}

#[test]
fn measurements_print_their_records() {
    let folder = temporary();
    let here = folder.path();
    let line = "compare --traj hover --surrogates gp --baselines default --seeds 2 --initial 4 \
                --iterations 3 --held-out 3 --out table";
    let compared = object(here, line, "windhover-compare/3");
    let record = json(&here.join("table/compare.json"));
    for (key, value) in record.as_object().expect("an object") {
        assert_eq!(&compared[key], value, "{key}");
    }
    assert_eq!(
        (&compared["cells"], &compared["kept"]),
        (&json!(4), &json!(0))
    );
    assert_eq!(object(here, line, "windhover-compare/3")["kept"], 4);

    let line = "regret --seeds 1 --evaluations 10 --out regret";
    let mut regret = object(here, line, "windhover-regret/1");
    let folder = regret.as_object_mut().expect("an object").remove("folder");
    assert_eq!(folder, Some(json!("regret")));
    assert_eq!(regret, json(&here.join("regret/regret.json")));

    let line = "bench --functions branin2 --seeds 1 --evaluations 12";
    let bench = object(here, line, "windhover-bench/1");
    assert_eq!(bench["heats"][0]["problem"], "branin2");
    let short: Vec<&str> = line.split(' ').chain(["--json"]).collect();
    let short: Value = serde_json::from_str(&stdout(&bo(here, &short))).expect("JSON");
    assert_eq!(short["course"], bench["course"]);
}

#[test]
fn an_error_stays_one_line_on_standard_error() {
    let folder = temporary();
    for (line, code) in [
        ("--traj fig9", 2),
        ("--config gone.toml", 66),
        ("--resume gone", 66),
        ("verify gone", 66),
        ("report gone", 66),
        ("export gone --to px4", 66),
        ("config gone.toml", 66),
        ("compare --surrogates gp,gp", 2),
        ("regret --evaluations 1", 2),
        ("bench --functions sphere", 2),
    ] {
        let args: Vec<&str> = line.split(' ').chain(["--format", "json"]).collect();
        let output = bo(folder.path(), &args);
        assert_eq!(output.status.code(), Some(code), "{line}");
        assert_eq!(stdout(&output), "", "{line}");
        assert_eq!(stderr(&output).lines().count(), 1, "{line}");
    }
}

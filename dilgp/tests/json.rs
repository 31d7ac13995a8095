//! `--format json` on every command: standard output is one JSON object that names its form.

use crate::sandbox::Sandbox;
use serde_json::Value;

/// The one object on standard output.
fn object(folder: &Sandbox, line: &str) -> Value {
    let ran = folder.run(line);
    assert_eq!(ran.code, 0, "{line}: {}", ran.stderr);
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(value.is_object(), "{line}");
    value
}

#[test]
fn a_fit_prints_what_it_writes_down_in_either_spelling_of_the_flag() {
    let folder = Sandbox::with(&[("a.csv", "a,y\n0,1\n1,3\n2,2\n3,5\n4,4\n")]);
    let line = "fit --surrogate gp --train a.csv --test a.csv";
    let printed = object(&folder, &format!("{line} --out run --format json"));
    assert_eq!(printed["schema"], "windhover-fit/1");
    assert!(printed["rmse"].is_f64() && printed["hyperparameters"].is_object());
    assert_eq!(printed, folder.json("run/result.json"));
    assert_eq!(printed, object(&folder, &format!("{line} --json")));
    let both = folder.run(&format!("{line} --json --format text"));
    assert_eq!(both.code, 2);
    assert!(both.stdout.is_empty());
}

#[test]
fn a_table_prints_its_record_and_the_files_it_wrote() {
    let folder = Sandbox::with(&[]);
    let line = "table1 --seeds 1 --random-tasks 0 --out t --format json";
    let mut printed = object(&folder, line);
    let written = printed.as_object_mut().unwrap();
    let files = written.remove("files").unwrap();
    let files: Vec<String> = serde_json::from_value(files).unwrap();
    assert_eq!(files.len(), 6);
    assert!(files.iter().all(|file| folder.path(file).is_file()));
    assert_eq!(written.remove("warnings").unwrap(), serde_json::json!([]));
    assert_eq!(printed["schema"], "windhover-table1/1");
    assert_eq!(printed["one_dimension"].as_array().unwrap().len(), 18);
    assert_eq!(printed, folder.json("t/table1.json"));
}

#[test]
fn an_error_stays_one_line_on_standard_error() {
    let folder = Sandbox::with(&[]);
    for (line, code) in [
        ("fit --train gone.csv --test gone.csv --format json", 66),
        ("table2 --format json", 2),
        ("table1 --format jsn", 2),
    ] {
        let ran = folder.run(line);
        assert_eq!(ran.code, code, "{line}");
        assert!(ran.stdout.is_empty(), "{line}");
        let text = ran.stderr;
        assert_eq!(text.lines().count(), 1, "{line}: {text}");
    }
}

#[test]
fn the_help_of_every_command_has_the_flag_and_an_example_and_fits_a_screen() {
    let folder = Sandbox::with(&[]);
    for command in ["fit", "table1", "table2"] {
        let text = folder.run(&format!("{command} --help")).stdout;
        for word in ["--format <FORM>", "--json", "\nExample"] {
            assert!(text.contains(word), "{command}: {word}");
        }
        let short = folder.run(&format!("{command} -h")).stdout;
        let lines = short.lines().count();
        assert!(lines <= 36, "{command}: {lines}");
    }
}

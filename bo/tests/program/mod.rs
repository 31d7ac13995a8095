//! The program under test, and what it said.

pub mod cells;

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

/// A budget that takes a fraction of a second.
pub const SMALL: [&str; 6] = ["--initial", "4", "--iterations", "3", "--held-out", "3"];

pub fn bo(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::cargo_bin("bo").expect("the program is built");
    command
        .current_dir(folder)
        .args(args)
        .output()
        .expect("the program starts")
}

pub fn tune(folder: &Path, args: &[&str]) -> Output {
    bo(folder, &[args, &SMALL].concat())
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// A JSON file that the program wrote.
pub fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("written");
    serde_json::from_str(&text).expect("JSON")
}

/// The record of a run below `folder`.
pub fn record(folder: &Path, run: &str) -> Value {
    json(&folder.join(run).join("run.json"))
}

pub fn temporary() -> tempfile::TempDir {
    tempfile::tempdir().expect("temporary folder")
}

/// Exit code and the one line on stderr of a command that must fail before any flight.
pub fn refusal(args: &[&str]) -> (i32, String) {
    let folder = temporary();
    let refusal = refused(folder.path(), args);
    let left = fs::read_dir(folder.path()).expect("readable").count();
    assert_eq!(left, 0, "nothing may be left behind by {args:?}");
    refusal
}

/// Exit code and the one line on stderr of a command that must fail in `folder`.
pub fn refused(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = bo(folder, args);
    let text = stderr(&output);
    assert_eq!(text.lines().count(), 1, "one line of {args:?}: {text}");
    assert_eq!(stdout(&output), "", "{args:?}");
    let code = output.status.code().expect("an exit code");
    (code, text.trim_end().to_owned())
}

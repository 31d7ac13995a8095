//! The program as a child process.

use assert_cmd::Command;
use std::path::Path;
use std::process::Output;

pub fn sim(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::cargo_bin("sim").expect("the program is built");
    command
        .current_dir(folder)
        .args(args)
        .output()
        .expect("the program starts")
}

/// The words of a command line without quotes.
pub fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

pub fn temporary() -> temp_dir::TempDir {
    temp_dir::TempDir::new().expect("temporary folder")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

pub fn json(output: &Output) -> serde_json::Value {
    assert!(output.status.success(), "{}", stderr(output));
    serde_json::from_str(&stdout(output)).expect("one JSON object")
}

/// Exit code and the one line on stderr of a command that must fail.
pub fn refusal(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = sim(folder, args);
    let text = stderr(&output);
    assert_eq!(stdout(&output), "");
    assert_eq!(text.lines().count(), 1, "one line: {text}");
    (
        output.status.code().expect("an exit code"),
        text.trim_end().to_owned(),
    )
}

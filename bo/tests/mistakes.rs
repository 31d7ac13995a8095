//! Mistakes that anyone makes, and the line that says what was meant, or where to look.

use crate::program::{bo, stderr, stdout, temporary};
use std::fs;

/// What is said to `args` in a folder that holds `files`, after `error: `.
fn said(files: &[(&str, &[u8])], args: &[&str], code: i32) -> String {
    let folder = temporary();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).expect("writable");
    }
    let output = bo(folder.path(), args);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert_eq!(stdout(&output), "");
    let line = text.strip_suffix('\n').expect("a line");
    assert!(!line.contains('\n'), "one line: {text}");
    line.strip_prefix("error: ").expect("an error").to_owned()
}

#[test]
fn a_word_that_is_nearly_right_is_answered_with_the_right_one() {
    for (args, meant) in [
        (
            &["--acquisition", "UCB"][..],
            "--acquisition does not know `UCB`: did you mean `ucb`?",
        ),
        (
            &["bench", "--acquisition", "UCB"],
            "--acquisition does not know `UCB`: did you mean `ucb`?",
        ),
        (
            &["bench", "--functions", "branin"],
            "--functions does not know `branin`: did you mean `branin2`?",
        ),
        (
            &["bench", "--functions", "levy4-noise20"],
            "--functions does not know `levy4-noise20`: did you mean `levy4-noise10`?",
        ),
        (
            &["--log", "csvv"],
            "--log does not know `csvv`: did you mean `csv`?",
        ),
        (
            &["compare", "--training", "gusti"],
            "--training does not know `gusti`: did you mean `gusty`?",
        ),
    ] {
        let said = said(&[], args, 2);
        assert!(said.starts_with(&format!("{meant} It may be ")), "{said}");
    }
}

#[test]
fn a_fault_in_a_vehicle_s_file_is_said_with_its_line() {
    let files: [(&str, &[u8]); 1] = [("my.toml", b"name = \"my\"\nhello world\n")];
    let said = said(&files, &["--airframe", "my.toml"], 65);
    let line = "my.toml: the airframe cannot be read: line 2, column 7: ";
    assert!(said.starts_with(line), "{said}");
}

#[test]
fn waypoints_of_a_spreadsheet_are_known_by_their_semicolons() {
    let files: [(&str, &[u8]); 1] = [("way.csv", b"t;x;y;z\n0;0;0;0\n1;1;0;0\n")];
    let said = said(&files, &["--traj", "way.csv"], 65);
    assert!(
        said.starts_with("way.csv: line 1 has semicolons between its numbers: expected commas"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn what_is_no_text_is_named_with_its_flag() {
    use assert_cmd::Command;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let mut program = Command::cargo_bin("bo").expect("the program is built");
    let output = program
        .arg("--traj")
        .arg(OsStr::from_bytes(b"\xffway.csv"))
        .output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let line = "error: `--traj \u{fffd}way.csv` is not UTF-8 text\n";
    assert_eq!(stderr(&output), line);
}

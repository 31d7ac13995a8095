//! Inputs without an end, names that are not names, and outputs that have no room: one line and the
//! right exit code.

use crate::program::{json, refusal, sim, stderr, stdout, temporary, words};
use assert_cmd::cargo::cargo_bin;
use std::ffi::OsStr;
use std::fs;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs a line of a shell in `folder`, in which `$SIM` is the program.
fn shell(folder: &Path, line: &str) -> Output {
    Command::new("sh")
        .current_dir(folder)
        .env("SIM", cargo_bin("sim"))
        .args(["-c", line])
        .output()
        .expect("a shell")
}

#[test]
fn devices_pipes_and_folders_are_refused_as_every_kind_of_input() {
    let folder = temporary();
    let made = shell(folder.path(), "mkfifo pipe && mkdir -p folder/it");
    assert!(made.status.success());
    let flags = [
        ["fly", "--airframe"],
        ["fly", "--gains"],
        ["fly", "--domain"],
        ["fly", "--world"],
        ["fly", "--traj"],
        ["montecarlo", "--airframe"],
        ["wind", "--domain"],
    ];
    for path in ["/dev/zero", "/dev/null", "./pipe", "folder/it"] {
        let what = if path == "folder/it" {
            "a folder"
        } else {
            "a pipe, a socket or a device"
        };
        for flag in flags.iter().map(|flag| &flag[..]).chain([&["replay"][..]]) {
            // A folder may be a run's, which stands for the gains in it.
            if flag.contains(&"--gains") && path == "folder/it" {
                let (code, text) = refusal(folder.path(), &[flag, &[path]].concat());
                assert!(
                    code == 66 && text.contains("folder/it/gains.toml"),
                    "{text}"
                );
                continue;
            }
            let (code, text) = refusal(folder.path(), &[flag, &[path]].concat());
            assert_eq!(code, 65, "{flag:?} {path}: {text}");
            assert_eq!(
                text,
                format!("error: cannot read {path}: it is {what}, not a file")
            );
        }
    }
}

#[test]
fn serve_answers_a_path_without_an_end_by_an_error() {
    let folder = temporary();
    let mut asked = String::new();
    for path in ["/dev/zero", "/dev/stdin"] {
        asked += &format!("{{\"type\":\"init\",\"airframe\":\"{path}\"}}\n");
        asked += &format!("{{\"type\":\"init\",\"airframe\":\"omac\",\"wind\":\"{path}\"}}\n");
    }
    let mut child = Command::new(cargo_bin("sim"))
        .current_dir(folder.path())
        .args(["serve", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    use std::io::Write;
    let mut input = child.stdin.take().expect("piped");
    input
        .write_all(asked.as_bytes())
        .expect("the program reads");
    drop(input);
    let answers = stdout(&child.wait_with_output().expect("it ends"));
    assert_eq!(answers.lines().count(), 4, "{answers}");
    for answer in answers.lines() {
        assert!(answer.contains("not a file"), "{answer}");
    }
}

#[test]
fn a_file_above_the_limit_is_not_read_to_its_end() {
    let folder = temporary();
    // A hole in a file: 20 MB that take no room.
    let large = File::create(folder.path().join("large.toml")).expect("writable");
    large.set_len(20_000_000).expect("a hole");
    let (code, text) = refusal(folder.path(), &["fly", "--airframe", "large.toml"]);
    assert_eq!(
        (code, text.as_str()),
        (
            65,
            "error: cannot read large.toml: it has more than 16777216 bytes, the limit"
        )
    );
}

#[test]
fn a_day_of_flight_is_not_recorded() {
    let folder = temporary();
    fs::write(folder.path().join("day.csv"), "0,0,0,0\n86400,1,1,1\n").expect("writable");
    let args = words("fly --traj day.csv --out day --log mcap,ulog");
    let (code, text) = refusal(folder.path(), &args);
    assert_eq!(
        (code, text.as_str()),
        (
            65,
            "error: the trajectory lasts 86400 s; with --out at most 1200 s are flown, for each second recorded takes half a megabyte of memory"
        )
    );
    assert!(!folder.path().join("day").exists());
}

#[test]
fn standard_output_without_room_is_a_failure_and_a_closed_pipe_is_none() {
    let folder = temporary();
    fs::write(folder.path().join("fall.json"), include_str!("fall.json")).expect("writable");
    for line in [
        "fly --traj hover --domain still",
        "fly --traj hover --domain still --json",
        "montecarlo --traj hover --domain still --flights 1",
        "wind --samples 10",
        "replay fall.json",
        "--help",
        "--version",
    ] {
        let output = shell(folder.path(), &format!("exec $SIM {line} > /dev/full"));
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(74), "{line}: {text}");
        assert_eq!(
            text.lines().last(),
            Some("error: cannot write to standard output: No space left on device (os error 28)"),
            "{line}"
        );
        let closed = format!("($SIM {line}; echo $? > code) 2> said | true; cat code");
        let output = shell(folder.path(), &closed);
        let code = stdout(&output);
        // A reader that is gone before the program writes, or just after it: both are quiet.
        assert!(["0\n", "1\n"].contains(&code.as_str()), "{line}: {code}");
        let said = fs::read_to_string(folder.path().join("said")).expect("written");
        assert!(!said.contains("error"), "{line}: {said}");
    }
}

#[test]
fn a_full_disk_ends_with_74_and_leaves_no_file_that_was_cut() {
    let folder = temporary();
    // No file may grow beyond 1 MB; a flight's samples take 8.
    let limit = "trap '' XFSZ; ulimit -f 2000; exec $SIM";
    let line = format!("{limit} fly --traj hover --domain still --out full --log mcap,ulog");
    let output = shell(folder.path(), &line);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(74), "{text}");
    assert!(
        text.starts_with("error: cannot write full/samples.csv: ") && text.lines().count() == 1,
        "{text}"
    );
    assert!(!folder.path().join("full").exists(), "nothing is left");
    // A picture takes more than 4 kB.
    let limit = "trap '' XFSZ; ulimit -f 8; exec $SIM";
    let line = format!("{limit} wind --samples 10 --out pictures");
    let output = shell(folder.path(), &line);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(74), "{text}");
    // A slow machine also shows its progress.
    let expected = "error: cannot write pictures/spectra.svg: ";
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with(expected), "{text}");
    assert!(!folder.path().join("pictures").exists(), "nothing is left");
}

#[test]
fn control_characters_of_names_do_not_reach_the_terminal() {
    let folder = temporary();
    fs::write(folder.path().join("x\u{1b}[31m.csv"), "0,0,\u{1b}[2J,0\n").expect("writable");
    fs::write(folder.path().join("k.toml"), "\"a\\u001b[31mx\" = 3\n").expect("writable");
    for args in [
        &["fly", "--traj", "x\u{1b}[31m"][..],
        &["fly", "--traj", "x\u{1b}[31m.csv"],
        &["fly", "--airframe", "k.toml"],
        &["fly", "--gains", "k.toml"],
        &["fly", "--domain", "\u{9b}31m\u{202e}"],
        &["fly", "--out", "k.toml/\u{1b}]0;x\u{7}"],
        &["replay", "\u{1b}[31m"],
    ] {
        let (_, text) = refusal(folder.path(), args);
        let shown = text.chars().all(|c| !c.is_control() && c != '\u{202e}');
        assert!(shown, "{args:?}: {text:?}");
        assert!(text.contains("\\u{"), "{args:?}: {text:?}");
    }
    // What is no text at all is shown with a mark in its place.
    let output = Command::new(cargo_bin("sim"))
        .args([
            OsStr::new("fly"),
            OsStr::new("--world"),
            OsStr::from_bytes(b"na\xefme"),
        ])
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(66));
    assert_eq!(stderr(&output).lines().count(), 1);
}

#[test]
fn names_without_an_end_are_cut_or_refused_and_never_a_panic() {
    let folder = temporary();
    let text = include_str!("../airframes/omac.toml");
    let long = text.replace("\"omac\"", &format!("\"{}\"", "n".repeat(65_500)));
    fs::write(folder.path().join("long.toml"), long).expect("writable");
    let args = words("fly --airframe long.toml --out f --log ulog");
    let (code, text) = refusal(folder.path(), &args);
    assert_eq!(code, 65);
    assert!(
        text.contains("of the airframe cannot be used") && text.len() < 250,
        "{text}"
    );
    // The longest name that a file can have.
    let name = "w".repeat(251) + ".csv";
    fs::write(folder.path().join(&name), "0,0,0,0\n1,0,0,0\n").expect("writable");
    let args = [
        "fly", "--traj", &name, "--domain", "still", "--out", "g", "--log", "ulog", "--json",
    ];
    let report = json(&sim(folder.path(), &args));
    assert_eq!(report["trajectory"], "w".repeat(64));
    assert!(folder.path().join("g/flight.ulg").exists());
}

#[test]
fn the_command_that_flies_the_worst_seed_is_one_that_a_shell_understands() {
    let folder = temporary();
    let place = folder.path().join("sp ace");
    fs::create_dir(&place).expect("writable");
    fs::write(place.join("it's my way é.csv"), "0,0,0,0\n2,1,0,0\n").expect("writable");
    let args = [
        "montecarlo",
        "--traj",
        "sp ace/it's my way é.csv",
        "--domain",
        "gusty",
        "--flights",
        "3",
        "--lease",
        "900",
        "--mixed",
    ];
    let text = stdout(&sim(folder.path(), &args));
    let (_, command) = text.split_once("Worst flight: sim ").expect("a command");
    let again = shell(folder.path(), &format!("exec $SIM {}", command.trim_end()));
    assert!(again.status.success(), "{command}: {}", stderr(&again));
    assert!(
        stdout(&again).starts_with("it's my way é by omac"),
        "{}",
        stdout(&again)
    );
}

#[test]
fn a_file_needs_neither_a_dot_nor_a_slash_in_its_name() {
    let folder = temporary();
    let text = include_str!("../airframes/crazyflie.toml");
    fs::write(folder.path().join("mine"), text.replace("crazyflie", "own")).expect("writable");
    // A shipped name means the shipped vehicle, whatever lies about.
    fs::write(folder.path().join("omac"), "no vehicle").expect("writable");
    let fly = "exec $SIM fly --traj hover --domain still --json --airframe";
    for (given, name) in [("mine", "own"), ("omac", "omac")] {
        let flown = shell(folder.path(), &format!("{fly} {given}"));
        assert!(
            stdout(&flown).contains(&format!("\"airframe\":\"{name}\"")),
            "{}",
            stderr(&flown)
        );
        let line =
            format!("echo '{{\"type\":\"init\",\"airframe\":\"{given}\"}}' | $SIM serve --jsonl");
        let state = stdout(&shell(folder.path(), &line));
        assert!(state.contains(&format!("\"name\":\"{name}\"")), "{state}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_that_states_are_written_to_stays_where_it_is() {
    let folder = temporary();
    fs::write(folder.path().join("fall.json"), include_str!("fall.json")).expect("writable");
    let (code, text) = refusal(
        folder.path(),
        &["replay", "fall.json", "--out", "/dev/full"],
    );
    assert_eq!(
        (code, text.as_str()),
        (
            74,
            "error: cannot write /dev/full: No space left on device (os error 28)"
        )
    );
    assert!(Path::new("/dev/full").exists());
}

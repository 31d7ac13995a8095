//! The program under test, and what it said.

pub mod cells;

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

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

/// The program at work, to be watched or killed.
pub fn spawn(folder: &Path, args: &[&str]) -> Child {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("bo"));
    let command = command.current_dir(folder).args(args);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Sends a signal, such as `-TERM`, to a process.
pub fn signal(signal: &str, process: u32) {
    let mut kill = std::process::Command::new("kill");
    let sent = kill.args([signal, &process.to_string()]).status();
    assert!(sent.expect("kill exists").success(), "{signal} {process}");
}

/// What `of` gives once it gives something.
pub fn awaited<T>(what: &str, mut of: impl FnMut() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(found) = of() {
            return found;
        }
        assert!(since.elapsed() < Duration::from_secs(180), "no {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// How often something is killed: as the environment says, or as `usual`.
pub fn kills(usual: u32) -> u32 {
    let kills = std::env::var("WINDHOVER_KILLS").ok();
    kills.map_or(usual, |kills| kills.parse().expect("a number of kills"))
}

/// Instants and victims: numbers of a linear congruential generator, spread, and the same in every run.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, below: u64) -> u64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1);
        (self.0 >> 33) % below
    }
}

/// The output of what must succeed.
pub fn succeeded(folder: &Path, args: &[&str]) -> Output {
    let output = bo(folder, args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    output
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

pub fn temporary() -> temp_dir::TempDir {
    temp_dir::TempDir::new().expect("temporary folder")
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

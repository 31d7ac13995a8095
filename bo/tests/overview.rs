//! Runs in short, and the edges of the command line that every program has.

use crate::program::cells::done;
use crate::program::{bo, refusal, stderr, stdout, temporary, tune};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A whole run in `whole`, and one in `begun` that stopped after two evaluations.
fn two_runs(folder: &Path) {
    let args = [
        "--traj",
        "hover",
        "--surrogate",
        "gp",
        "--out",
        "runs/whole",
    ];
    let output = tune(folder, &args);
    assert!(output.status.success(), "{}", stderr(&output));
    let journal = fs::read_to_string(folder.join("runs/whole/trials.log")).expect("written");
    let kept: String = journal.split_inclusive('\n').take(3).collect();
    fs::create_dir(folder.join("runs/begun")).expect("writable");
    fs::write(folder.join("runs/begun/trials.log"), kept).expect("writable");
}

fn json(folder: &Path, args: &[&str]) -> serde_json::Value {
    let output = bo(folder, args);
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).expect("one object")
}

#[test]
fn runs_are_listed_shown_and_gone_on_from() {
    let folder = temporary();
    let here = folder.path();
    assert!(stdout(&bo(here, &["list"])).contains("`bo tune --traj fig8` makes one"));
    two_runs(here);
    let list = stdout(&bo(here, &["list"]));
    let line = |name: &str| {
        list.lines()
            .find(|line| line.contains(name))
            .expect("listed")
    };
    assert!(line("runs/whole").contains(" -> "), "{list}");
    assert!(
        line("runs/begun").contains("UNFINISHED: 2 of 7 evaluations"),
        "{list}"
    );
    let list = json(here, &["list", "runs", "--json"]);
    assert_eq!(list["schema"], "windhover-list/1");
    assert_eq!(list["entries"].as_array().map(Vec::len), Some(2));

    let shown = stdout(&bo(here, &["show", "runs/whole"]));
    for said in [
        "surrogate = \"gp\"",
        "runs/whole for omac: ",
        "Recommended gains",
        "evaluations lost",
    ] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
    let shown = json(here, &["show", "runs/whole", "--json"]);
    assert_eq!(
        (&shown["kind"], &shown["seeds"][0]),
        (&"run".into(), &1.into())
    );
    assert!(shown["recommended"]["tests"][0]["ace_m"][0].is_f64());
    for command in shown["commands"].as_array().expect("a list") {
        let words: Vec<&str> = command.as_str().expect("text").split(' ').collect();
        if words[0] == "bo" {
            let output = bo(here, &words[1..]);
            assert!(output.status.success(), "{command}: {}", stderr(&output));
        }
    }

    let shown = stdout(&bo(here, &["show", "runs/begun"]));
    assert!(shown.contains("2 of 7 evaluations made"), "{shown}");
    assert!(shown.ends_with("Next: bo --resume runs/begun\n"), "{shown}");
    done(here, "--resume runs/begun");
    let bytes = |run: &str| fs::read(here.join(run).join("run.json")).expect("written");
    assert_eq!(bytes("runs/begun"), bytes("runs/whole"));
}

#[test]
fn a_run_ends_with_its_verdict_and_commands_that_are_true() {
    let folder = temporary();
    let here = folder.path();
    let output = tune(
        here,
        &[
            "tune",
            "--traj",
            "hover",
            "--surrogate",
            "gp",
            "-o",
            "my run",
        ],
    );
    let text = stdout(&output);
    assert!(text.contains("\nmy run for omac: "), "{text}");
    assert!(text.contains("These gains fit: "), "{text}");
    let begins = |line: &&str| line.starts_with("Next: bo ") || line.starts_with("      bo ");
    let next: Vec<&str> = text.lines().filter(begins).collect();
    let exported = next.iter().any(|line| line.contains("bo export"));
    assert_eq!(next.len(), if exported { 3 } else { 2 }, "{text}");
    let program = assert_cmd::cargo::cargo_bin("bo");
    for line in next {
        let command = line.trim_start_matches("Next:").trim();
        let typed = command.replacen("bo", "\"$BO\"", 1);
        let done = Command::new("sh")
            .current_dir(here)
            .env("BO", &program)
            .args(["-c", &typed])
            .output()
            .expect("a shell");
        // A check says by its exit code whether to fly.
        let most = if command.starts_with("bo check") {
            4
        } else {
            0
        };
        let code = done.status.code().expect("no signal");
        assert!(code <= most, "{command}: {}", stderr(&done));
    }
}

#[test]
fn a_dry_run_says_what_would_be_done_and_makes_nothing() {
    let folder = temporary();
    let here = folder.path();
    let plan = stdout(&tune(
        here,
        &["--traj", "hover", "--surrogate", "gp", "--dry-run"],
    ));
    for said in [
        "7 evaluations (4 first, then 3 chosen), 7 flights",
        "18 flights",
        "position_xy.kp  1 to 30, from 6",
        "about ",
        "Written to runs/hover-gp-1; nothing is made now",
    ] {
        assert!(plan.contains(said), "{said}: {plan}");
    }
    assert_eq!(fs::read_dir(here).expect("readable").count(), 0);
    let plan = stdout(&tune(here, &["--traj", "hover", "--dry-run", "--json"]));
    let plan: serde_json::Value = serde_json::from_str(&plan).expect("one object");
    assert_eq!(
        (&plan["evaluations"], &plan["seed"]),
        (&7.into(), &1.into())
    );
    fs::create_dir(here.join("taken")).expect("writable");
    fs::write(here.join("taken/mine"), "precious").expect("writable");
    let refused = tune(here, &["--traj", "hover", "--dry-run", "--out", "taken"]);
    assert_eq!(refused.status.code(), Some(73), "{}", stderr(&refused));
    assert_eq!(refusal(&["tune", "--traj", "fig9", "--dry-run"]).0, 2);
}

/// There is no desktop where tests run: the page is made, and its place said.
#[test]
#[cfg(target_os = "linux")]
fn opening_makes_the_page_and_says_where_it_is() {
    let folder = temporary();
    let here = folder.path();
    two_runs(here);
    let open = |run: &str, path: Option<&Path>| {
        let mut command = assert_cmd::Command::cargo_bin("bo").expect("the program is built");
        command
            .current_dir(here)
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY");
        if let Some(path) = path {
            command.env("DISPLAY", ":0").env("PATH", path);
        }
        command.args(["open", run]).output().expect("starts")
    };
    let said = open("runs/whole", None);
    assert!(said.status.success(), "{}", stderr(&said));
    assert!(stdout(&said).contains("open runs/whole/report.html in a browser"));
    assert!(here.join("runs/whole/report.html").is_file());
    // Of a run that is not at its end there is what it has come to.
    assert!(open("runs/begun", None).status.success());
    let page = fs::read_to_string(here.join("runs/begun/report.html")).expect("written");
    assert!(page.contains("<b>Unfinished:</b>"));
    assert_eq!(open("runs/nowhere", None).status.code(), Some(66));

    use std::os::unix::fs::PermissionsExt;
    let bin = here.join("bin");
    fs::create_dir(&bin).expect("writable");
    let opener = bin.join("xdg-open");
    for (script, code, said) in [
        ("#!/bin/sh\nexit 0\n", 0, "Opened runs/whole/report.html\n"),
        ("#!/bin/sh\nexit 4\n", 70, ""),
    ] {
        fs::write(&opener, script).expect("writable");
        fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).expect("ours");
        let output = open("runs/whole", Some(&bin));
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert_eq!(stdout(&output), said);
        assert_eq!(stderr(&output).lines().count(), usize::from(code != 0));
    }
}

#[test]
fn help_is_given_in_every_way_it_is_asked_for() {
    let folder = temporary();
    let here = folder.path();
    for args in [
        &["help"][..],
        &["-h"],
        &["--help"],
        &["help", "compare"],
        &["tune", "-h"],
    ] {
        let output = bo(here, args);
        assert!(output.status.success(), "{args:?}");
        assert!(stdout(&output).contains("Usage: "), "{args:?}");
    }
    for args in [&[][..], &["tune"]] {
        let output = bo(here, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            stderr(&output).contains("Usage: "),
            "{args:?}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn shells_and_man_know_the_command_line() {
    let folder = temporary();
    let here = folder.path();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&bo(here, &["completions", shell]));
        for word in ["dil-gp", "spiral-up", "hummingbird", "log-ei", "dry-run"] {
            assert!(script.contains(word), "{shell} lacks {word}");
        }
    }
    done(here, "man man1");
    for page in ["bo.1", "bo-tune.1", "bo-export.1"] {
        let text = fs::read_to_string(here.join("man1").join(page)).expect("written");
        assert!(text.contains(".TH "), "{page}");
    }
}

#[test]
fn a_quiet_run_says_nothing_but_its_result() {
    let folder = temporary();
    let args = ["--traj", "hover", "--surrogate", "gp", "-q", "-j", "1"];
    // Winds enough for an interval: of fewer even a quiet run warns.
    let small = ["--initial", "4", "--iterations", "3", "--held-out", "6"];
    let output = bo(folder.path(), &[&args[..], &small].concat());
    assert!(output.status.success());
    assert_eq!(stderr(&output), "");
    assert!(stdout(&output).contains(" (in simulation)\n"));
}

//! The edges of the program: links in the way, devices in place of files, streams and disks that are
//! full, folders that go away, characters that steer terminals.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::journal::long;
use crate::program::{SMALL, bo, stderr, temporary, tune};

pub const HOVER: [&str; 4] = ["--traj", "hover", "--surrogate", "gp"];

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("written")
}

/// Plants links to one victim under every name that a run may write.
fn plant(run: &Path, victim: &Path, names: &[&str]) {
    for name in names {
        symlink(victim, run.join(name)).expect("possible");
    }
}

#[test]
fn no_link_that_was_planted_in_an_output_folder_is_written_through() {
    let folder = temporary();
    let here = folder.path();
    let victim = here.join("victim");
    fs::write(&victim, "precious").expect("writable");
    fs::create_dir(here.join("run")).expect("free");
    // What a folder may hold that counts as free.
    plant(
        &here.join("run"),
        &victim,
        &[".windhover", "trials.log.part", "trials.pid"],
    );
    let args = [&HOVER[..], &["--log", "all", "--out", "run"]].concat();
    let output = tune(here, &args);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(read(&victim), "precious");

    // An unfinished run's folder, with links in place of all that is still to be written.
    let listed: Vec<String> = fs::read_dir(here.join("run"))
        .expect("there")
        .map(|entry| {
            entry
                .expect("readable")
                .file_name()
                .into_string()
                .expect("text")
        })
        .collect();
    let journal = read(&here.join("run/trials.log"));
    fs::create_dir(here.join("half")).expect("free");
    let kept: String = journal
        .lines()
        .take(4)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(here.join("half/trials.log"), kept).expect("writable");
    for name in listed.iter().filter(|name| *name != "trials.log") {
        plant(
            &here.join("half"),
            &victim,
            &[name, &format!("{name}.part")],
        );
    }
    let working = ["flight", "convergence", "before-after"].map(|stem| format!(".drawing-{stem}"));
    let working = working.iter().map(String::as_str).chain(["trials.pid"]);
    let working: Vec<&str> = working.collect();
    plant(&here.join("half"), &victim, &working);
    assert!(listed.len() > 12, "{listed:?}");
    let output = bo(here, &["--resume", "half"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(read(&victim), "precious");
    for name in &listed {
        let found = here
            .join("half")
            .join(name)
            .symlink_metadata()
            .expect("written");
        assert!(found.is_file(), "{name} is a file of its own");
        if name != "env.json" {
            let same = fs::read(here.join("half").join(name)).ok()
                == fs::read(here.join("run").join(name)).ok();
            assert!(same, "{name}");
        }
    }
    assert!(bo(here, &["verify", "half"]).status.success());

    // A journal that is a link is nobody's, and neither a page nor parameters go through one.
    fs::rename(here.join("half/trials.log"), here.join("elsewhere")).expect("possible");
    plant(&here.join("half"), &here.join("elsewhere"), &["trials.log"]);
    let output = bo(here, &["--resume", "half"]);
    assert_eq!(output.status.code(), Some(65), "{}", stderr(&output));
    plant(
        &here.join("run"),
        &victim,
        &["json.json", "report.html.part"],
    );
    assert_eq!(
        bo(here, &["export", "run", "--to", "json", "--anyway"])
            .status
            .code(),
        Some(73)
    );
    assert!(bo(here, &["report", "run"]).status.success());
    assert_eq!(read(&victim), "precious");
}

#[test]
fn a_comparison_writes_through_no_link_either() {
    let folder = temporary();
    let here = folder.path();
    let victim = here.join("victim");
    fs::write(&victim, "precious").expect("writable");
    let small = [
        "--seeds",
        "1",
        "--initial",
        "4",
        "--iterations",
        "2",
        "--held-out",
        "2",
    ];
    let args = [
        &[
            "compare",
            "--traj",
            "hover",
            "--surrogates",
            "gp",
            "--out",
            "c",
        ],
        &small[..],
    ]
    .concat();
    let output = bo(here, &args);
    assert!(output.status.success(), "{}", stderr(&output));
    let names: Vec<String> = fs::read_dir(here.join("c"))
        .expect("there")
        .map(|entry| entry.expect("readable"))
        .filter(|entry| entry.file_type().expect("known").is_file())
        .map(|entry| entry.file_name().into_string().expect("text"))
        .filter(|name| name != "plan.json")
        .collect();
    assert!(names.len() > 6, "{names:?}");
    for name in &names {
        fs::remove_file(here.join("c").join(name)).expect("there");
        plant(&here.join("c"), &victim, &[name, &format!("{name}.part")]);
    }
    let output = bo(here, &args);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(read(&victim), "precious");
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_written_is_no_success() {
    let folder = temporary();
    let here = folder.path();
    assert!(
        tune(here, &[&HOVER[..], &["--out", "run"]].concat())
            .status
            .success()
    );
    let commands: [&[&str]; 7] = [
        &["config", "--print"],
        &["verify", "run"],
        &[
            "export", "run", "--to", "json", "--format", "json", "--anyway",
        ],
        &["completions", "bash"],
        &["--help"],
        &["--version"],
        &["--resume", "run", "--format", "json"],
    ];
    for command in commands {
        let full = || {
            Stdio::from(
                fs::File::options()
                    .write(true)
                    .open("/dev/full")
                    .expect("Linux"),
            )
        };
        let output = std::process::Command::new(assert_cmd::cargo::cargo_bin("bo"))
            .current_dir(here)
            .args(command)
            .stdout(full())
            .output()
            .expect("starts");
        assert_eq!(output.status.code(), Some(74), "{command:?}");
        let said = stderr(&output);
        let last = said.lines().last().expect("something was said");
        assert!(
            last.starts_with("error: cannot write to standard output: No space left"),
            "{command:?}: {said}"
        );
    }
    let full = fs::File::options().write(true).open("/dev/full");
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("bo"))
        .args(["serve", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::from(full.expect("Linux")))
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let asked = std::io::Write::write_all(child.stdin.as_mut().expect("piped"), b"{}\n");
    asked.expect("it reads");
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(74), "{}", stderr(&output));
    // A reader that has seen enough is no failure.
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("bo"))
        .args(["config", "--print"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ends");
    assert_eq!(
        (output.status.code(), stderr(&output).as_str()),
        (Some(0), "")
    );
}

#[test]
fn devices_pipes_and_folders_in_place_of_files_end_with_one_line_at_once() {
    let folder = temporary();
    let here = folder.path();
    let made = std::process::Command::new("mkfifo")
        .arg(here.join("pipe"))
        .status();
    assert!(made.expect("mkfifo is there").success());
    fs::create_dir(here.join("dir.toml")).expect("free");
    fs::create_dir(here.join("run")).expect("free");
    symlink("/dev/zero", here.join("run/run.json")).expect("possible");
    symlink("/dev/zero", here.join("run/trials.log")).expect("possible");
    fs::write(here.join("study.toml"), "trajectory = \"/dev/zero\"\n").expect("writable");
    let gains = toml::to_string(&sim::Airframe::omac().gains).expect("TOML");
    fs::write(
        here.join("g.toml"),
        gains.replacen("\nkp = ", "\nkp = 1", 1),
    )
    .expect("writable");
    let commands: [&[&str]; 13] = [
        &["--config", "/dev/zero"],
        &["--config", "./pipe"],
        &["--config", "dir.toml"],
        &["--config", "study.toml"],
        &["--traj", "./pipe"],
        &["--airframe", "/dev/zero"],
        &["--traj", "hover", "--warm-start", "/dev/zero"],
        &["--traj", "hover", "--warm-start", "pipe"],
        &["config", "pipe"],
        &["export", "pipe", "--to", "px4"],
        &["export", "g.toml", "--to", "px4", "--baseline", "pipe"],
        &["report", "run"],
        &["verify", "run"],
    ];
    for command in commands {
        let since = Instant::now();
        let output = bo(here, command);
        let code = output.status.code().expect("an exit code");
        let said = stderr(&output);
        assert_eq!(code, 65, "{command:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{command:?}: {said}");
        assert!(since.elapsed() < Duration::from_secs(20), "{command:?}");
    }
}

#[test]
fn a_page_is_not_written_into_a_pipe() {
    let folder = temporary();
    let here = folder.path();
    assert!(
        tune(here, &[&HOVER[..], &["--out", "run"]].concat())
            .status
            .success()
    );
    let made = std::process::Command::new("mkfifo")
        .arg(here.join("pipe"))
        .status();
    assert!(made.expect("mkfifo is there").success());
    let output = bo(here, &["report", "run", "--out", "pipe"]);
    assert_eq!(output.status.code(), Some(73), "{}", stderr(&output));
}

#[test]
fn characters_that_steer_a_terminal_are_shown_and_not_sent() {
    let folder = temporary();
    let here = folder.path();
    let escape = "x\u{1b}[31m\u{202e}";
    fs::write(here.join("s.toml"), "\"a\\u001b[31mx\" = 3\n").expect("writable");
    let out = format!("{escape}/y");
    fs::write(here.join(escape), "").expect("writable");
    let commands: [&[&str]; 6] = [
        &["--traj", escape],
        &["--airframe", &format!("./{escape}")],
        &["--config", "s.toml"],
        &["--traj", "hover", "--out", &out],
        &["report", escape],
        &["--surrogate", escape],
    ];
    for command in commands {
        let output = bo(here, command);
        assert!(!output.status.success());
        let said = stderr(&output);
        assert_eq!(said.lines().count(), 1, "{said:?}");
        let text = said.trim_end_matches('\n');
        assert!(
            !text.contains(|c: char| c.is_control() || c == '\u{202e}'),
            "{text:?}"
        );
        assert!(
            text.contains("\\u{1b}") || text.contains("\\u001b"),
            "{text:?}"
        );
    }
}

#[test]
fn a_run_whose_folder_is_deleted_ends_with_one_line() {
    let folder = temporary();
    let mut child = long(folder.path());
    fs::remove_dir_all(folder.path().join("long")).expect("ours");
    let since = Instant::now();
    while child.try_wait().expect("ours").is_none() {
        if since.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
            panic!("it goes on without its folder");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(74), "{}", stderr(&output));
    let text = stderr(&output);
    let last = text.lines().last().expect("something was said");
    assert!(
        last.starts_with("error: long/trials.log was deleted while the run was under way"),
        "{text}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_while_drawing_says_so_and_how_to_go_on() {
    let folder = temporary();
    let here = folder.path();
    // Files end at 40 KiB: the journal fits, a picture does not.
    let program = assert_cmd::cargo::cargo_bin("bo");
    let script = format!(
        "trap '' XFSZ; ulimit -f 40; exec {} {} {} --out 'my run'",
        program.display(),
        HOVER.join(" "),
        SMALL.join(" ")
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(here)
        .output()
        .expect("bash is there");
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(74), "{text}");
    let last = text.lines().last().expect("something was said");
    assert!(
        last.starts_with("error: cannot draw my run/flight: File too large"),
        "{last}"
    );
    assert!(
        last.ends_with("go on with `bo --resume 'my run'`"),
        "{last}"
    );
    let left = fs::read_dir(here.join("my run")).expect("there");
    let half = left.filter_map(Result::ok).find(|entry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with(".drawing")
    });
    assert!(half.is_none(), "nothing half is left: {half:?}");
    let output = bo(here, &["--resume", "my run"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(bo(here, &["verify", "my run"]).status.success());
}

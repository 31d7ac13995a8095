//! Engines that people have, each killed in its own way: GNU parallel, and Slurm on one node that
//! this test starts and stops. Where one is not installed its test says so and does nothing.

use crate::program::cells::{assert_same, begin, done, files};
use crate::program::{awaited, signal, stderr, stdout, temporary};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Twelve cells of about a second.
const GRID: &str = "compare --traj hover --surrogates gp,rf --baselines random --seeds 4 \
    --initial 4 --iterations 50 --held-out 20";

fn is_installed(program: &str) -> bool {
    let mut shell = Command::new("sh");
    let found = shell
        .args(["-c", &format!("command -v {program}")])
        .output();
    let installed = found.is_ok_and(|found| found.status.success());
    if !installed {
        eprintln!("skipped: {program} is not installed");
    }
    installed
}

fn count(folder: &Path) -> usize {
    files(folder).len()
}

/// The number of the process that has claimed a cell, where one has.
fn at_work(folder: &Path) -> Option<u32> {
    let claims = files(&folder.join("claims"));
    let claim = claims.values().next()?;
    let claim: serde_json::Value = serde_json::from_slice(claim).ok()?;
    claim["owner"]["process"]
        .as_u64()
        .map(|process| process as u32)
}

/// The commands of the page on clusters for one engine, word for word.
fn documented(engine: &str) -> Vec<String> {
    let page = include_str!("../../docs/clusters.md");
    let fence = format!("```sh {engine}\n");
    let blocks = page.split(&fence).skip(1);
    let lines = blocks.flat_map(|block| block.lines().take_while(|line| *line != "```"));
    lines.map(str::to_owned).collect()
}

/// Types a line in `here`, where `bo` is this program.
fn typed(here: &Path, line: &str, settings: &[(&str, &Path)]) -> String {
    let program = assert_cmd::cargo::cargo_bin("bo");
    let beside = program.parent().expect("a folder").to_string_lossy();
    let path = format!("{beside}:{}", std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", line]).current_dir(here).env("PATH", path);
    let settings = settings.iter().copied();
    let output = shell
        .envs(settings)
        .stdin(Stdio::null())
        .output()
        .expect("sh");
    assert!(output.status.success(), "{line}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn gnu_parallel_is_killed_and_resumed() {
    if !is_installed("parallel") {
        return;
    }
    let folder = temporary();
    let here = folder.path();
    let many = here.join("many");
    done(here, &format!("{GRID} --out one"));
    let scripted = format!("{GRID} --out many --engine parallel --tasks 12");
    let said = done(here, &scripted);
    assert!(
        said.starts_with("12 cells in 12 tasks for GNU parallel. Begin: sh "),
        "{said}"
    );
    // One process at work is killed: parallel logs it as ended by a signal, and the collector says
    // what is missing.
    let submit = |more: &[&str]| -> Command {
        let mut command = Command::new("sh");
        let script = command.arg(many.join("engine/submit.sh"));
        let piped = script.stdout(Stdio::piped()).stderr(Stdio::piped());
        piped.args(more).current_dir(here).stdin(Stdio::null());
        command
    };
    let begun = submit(&["--jobs", "2"]).spawn().expect("sh");
    let victim = awaited("a claim", || at_work(&many));
    signal("-KILL", victim);
    let output = begun.wait_with_output().expect("ours");
    assert_eq!(output.status.code(), Some(75), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("1 of 12 cells are missing"),
        "{}",
        stderr(&output)
    );
    assert_eq!(count(&many.join("cells")), 11);
    // Begun again and asked to end: what runs is finished, nothing more is begun; then all of it.
    fs::remove_dir_all(many.join("cells")).expect("ours");
    fs::remove_dir_all(many.join("claims")).expect("the killed one's is left");
    done(here, &scripted);
    for log in fs::read_dir(many.join("engine")).expect("there").flatten() {
        if log.path().extension().is_some_and(|end| end == "log") {
            fs::remove_file(log.path()).expect("ours");
        }
    }
    let begun = submit(&["--jobs", "2"]).spawn().expect("sh");
    awaited("a claim", || at_work(&many));
    signal("-TERM", begun.id());
    let output = begun.wait_with_output().expect("ours");
    assert_eq!(output.status.code(), Some(75), "{}", stderr(&output));
    let kept = count(&many.join("cells"));
    assert!((1..12).contains(&kept), "{kept} cells");
    let output = submit(&[]).output().expect("sh");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_same(here, "one", "many");
    let said: Vec<String> = documented("parallel")
        .iter()
        .map(|line| typed(here, line, &[]))
        .collect();
    assert!(
        said[2].ends_with("15 of 15 cells done, 0 running, 0 open, 0 failed\n"),
        "{said:?}"
    );
}

/// A Slurm of one node.
struct Slurm(PathBuf);

impl Slurm {
    /// Nothing where it cannot be started here.
    fn start(folder: &Path) -> Option<Slurm> {
        let slurm = Slurm(folder.join("slurm"));
        let output = slurm.script("start");
        match output.status.code() {
            Some(0) => Some(slurm),
            Some(77) => {
                eprintln!("skipped: slurm-wlm and munge are not installed, or this is not root");
                None
            }
            _ => panic!("{}", stderr(&output)),
        }
    }

    fn script(&self, what: &str) -> Output {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/slurm/one-node");
        // Its daemons keep what they inherit.
        let log = fs::File::create(self.0.with_extension("log")).expect("writable");
        let mut output = Command::new("sh");
        let output = output.arg(script).arg(what).arg(&self.0);
        let status = output
            .stdout(log.try_clone().expect("open"))
            .stderr(log)
            .status();
        let stderr = fs::read(self.0.with_extension("log")).expect("written");
        Output {
            status: status.expect("sh"),
            stdout: Vec::new(),
            stderr,
        }
    }

    /// What a program of Slurm's, or a script written for it, prints.
    fn ran(&self, program: &str, args: &[&str]) -> String {
        let mut command = Command::new(program);
        let command = command
            .args(args)
            .env("SLURM_CONF", self.0.join("slurm.conf"));
        let output = command.output().expect("installed");
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        stdout(&output)
    }

    /// What a command of Slurm's prints.
    fn says(&self, line: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        self.ran(words[0], &words[1..])
    }

    /// Begins what was written for it.
    fn submit(&self, script: &Path) -> String {
        self.ran("sh", &[&script.to_string_lossy()])
    }

    /// What waits for a time to begin begins now; the jobs that are left.
    fn release(&self) -> String {
        let jobs = self.says("squeue -h -o %i:%r -r");
        for job in jobs
            .lines()
            .filter_map(|job| job.strip_suffix(":BeginTime"))
        {
            self.says(&format!("scontrol update JobId={job} StartTime=now"));
        }
        jobs
    }

    /// Waits until no job is left.
    fn ended(&self) {
        awaited("the end of all jobs", || {
            self.release().is_empty().then_some(())
        });
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        self.script("stop");
    }
}

/// The parent of a process.
fn parent(process: u32) -> u32 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("alive");
    let rest = stat.rsplit_once(')').expect("a name").1;
    let parent = rest.split_whitespace().nth(1).expect("a parent");
    parent.parse().expect("a number")
}

#[test]
fn slurm_loses_a_node_a_task_and_a_shard_and_no_cell() {
    let folder = temporary();
    let here = folder.path();
    let Some(slurm) = Slurm::start(here) else {
        return;
    };
    let many = here.join("many");
    done(here, &format!("{GRID} --out one"));
    done(here, &format!("{GRID} --out many --engine slurm --tasks 6"));
    let said = slurm.submit(&many.join("engine/submit.sh"));
    let job = said
        .trim_start_matches("Job ")
        .split(':')
        .next()
        .expect("a number")
        .to_owned();
    slurm.says(&format!("scancel {job}_6"));
    // The node dies, with all that runs on it, and comes back.
    let victim = awaited("a claim", || at_work(&many));
    let daemon = fs::read_to_string(slurm.0.join("slurmd.pid")).expect("written");
    signal("-KILL", daemon.trim().parse().expect("a number"));
    signal("-KILL", parent(victim));
    signal("-KILL", victim);
    let back = slurm.script("node");
    assert!(back.status.success(), "{}", stderr(&back));
    // A task is requeued that runs.
    let running = || {
        slurm.release();
        Some(
            slurm
                .says("squeue -h -r -t R -o %i")
                .lines()
                .next()?
                .to_owned(),
        )
    };
    let task = awaited("a running task", running);
    slurm.says(&format!("scontrol requeue {task}"));
    slurm.ended();
    let log = files(&many.join("engine"));
    let log = log
        .iter()
        .find(|(name, _)| name.starts_with("collect-") && name.ends_with(".log"));
    let log = String::from_utf8_lossy(log.expect("it collected").1).into_owned();
    assert!(log.contains("2 of 12 cells are missing"), "{log}");
    assert_eq!(count(&many.join("cells")), 10);
    // The collector has written the scripts for these alone.
    let said = slurm.submit(&many.join("engine/submit.sh"));
    assert!(said.contains(": 1 tasks"), "{said}");
    slurm.ended();
    assert_same(here, "one", "many");
    let conf = slurm.0.join("slurm.conf");
    for line in documented("slurm") {
        typed(here, &line, &[("SLURM_CONF", &conf)]);
    }
    slurm.ended();
    assert!(here.join("my-grid/table.md").is_file());
    // A job that is begun again although all is done ends at once.
    let again = begin(here, &format!("{GRID} --out many --shard 1/2 -q"));
    assert!(again.wait_with_output().expect("ours").status.success());
}

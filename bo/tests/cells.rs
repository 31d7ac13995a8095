//! One comparison worked out by many processes, killed, stopped, mixed and damaged.

use crate::program::cells::{assert_same, begin, done, files, run};
use crate::program::{Dice, awaited, kills, signal, stderr, stdout, temporary};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Sixteen cells that take a fraction of a second each.
const GRID: &str = "compare --traj hover --surrogates gp,rf --baselines default,random --seeds 4 \
    --initial 4 --iterations 3 --held-out 3";

/// Two such cells.
const PAIR: &str = "compare --traj hover --surrogates gp --baselines default --seeds 1 \
    --initial 4 --iterations 3 --held-out 3";

/// The exit code and the last line on standard error of what must fail.
fn refused(folder: &Path, line: &str) -> (Option<i32>, String) {
    let output = run(folder, line);
    let said = stderr(&output);
    let last = said.lines().last().unwrap_or_default();
    (output.status.code(), last.to_owned())
}

#[cfg(unix)]
#[test]
fn workers_killed_at_any_instant_leave_what_one_process_leaves() {
    let folder = temporary();
    let here = folder.path();
    let begun = Instant::now();
    done(here, &format!("{GRID} --out one --threads 1 -q"));
    let whole_ms = begun.elapsed().as_millis() as u64;
    let worker = format!("{GRID} --out many --threads 1 -q");
    let mut dice = Dice(7);
    let (mut left, mut finished) = (kills(12), BTreeMap::new());
    let mut workers: Vec<Child> = (0..4).map(|_| begin(here, &worker)).collect();
    while left > 0 {
        sleep(Duration::from_millis(dice.below(whole_ms / 4)));
        let victim = &mut workers[dice.below(4) as usize];
        if victim.try_wait().expect("ours").is_some() {
            // All is done: from the beginning, for more kills.
            for worker in &mut workers {
                assert!(worker.wait().expect("ours").success());
            }
            assert_same(here, "one", "many");
            fs::remove_dir_all(here.join("many")).expect("ours");
            finished.clear();
            workers = (0..4).map(|_| begin(here, &worker)).collect();
            continue;
        }
        victim.kill().expect("alive");
        victim.wait().expect("dead");
        left -= 1;
        let now = files(&here.join("many/cells"));
        for (name, bytes) in &finished {
            assert!(now.get(name) == Some(bytes), "{name} was finished");
        }
        finished = now;
        *victim = begin(here, &worker);
    }
    for worker in workers {
        let output = worker.wait_with_output().expect("ours");
        assert!(output.status.success(), "{}", stderr(&output));
    }
    assert_same(here, "one", "many");
    let parts = here.join("many/parts");
    assert!(!parts.exists(), "{:?}", files(&parts).keys());
}

#[test]
fn shards_and_single_cells_make_what_one_process_makes() {
    let folder = temporary();
    let here = folder.path();
    done(here, &format!("{GRID} --out one"));
    let list = done(here, &format!("{GRID} --list-cells"));
    let keys: Vec<&str> = list.lines().collect();
    assert_eq!(keys.len(), 16);
    assert_eq!(keys[1], "hover-mixture-random-1");
    let json = done(here, &format!("{GRID} --list-cells --json"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["schema"], "windhover-cell-list/1");
    assert_eq!(json["keys"].as_array().expect("a list").len(), 16);

    let (code, said) = refused(here, &format!("{GRID} --cell hover-gp --out many"));
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.starts_with("error: no cell is called `hover-gp`"),
        "{said}"
    );
    let said = done(here, &format!("{GRID} --shard 2/3 --out many -q"));
    assert!(
        said.starts_with("many: 5 of 16 cells done, 0 running"),
        "{said}"
    );
    let cell = format!("{GRID} --cell {},{} --out many -q", keys[0], keys[1]);
    done(here, &cell);
    let written = || {
        let found = fs::metadata(here.join("many/cells/hover-default-1.json"));
        found.expect("written").modified().expect("a time")
    };
    let before = written();
    done(here, &cell);
    assert_eq!(written(), before);

    let (code, said) = refused(here, &format!("{GRID} --collect --out many"));
    assert_eq!(code, Some(75), "{said}");
    assert!(
        said.starts_with("error: 10 of 16 cells are missing: hover-mixture-gp-1, "),
        "{said}"
    );
    assert!(!here.join("many/table.md").exists());
    let script = here.join("many/engine/missing.sh");
    assert!(said.contains(&*script.to_string_lossy()), "{said}");
    let status = Command::new("sh").arg(&script).output().expect("sh");
    assert!(status.status.success(), "{}", stderr(&status));
    assert_same(here, "one", "many");
    assert!(done(here, &format!("{GRID} --collect --out many")).contains("16 cells, 16 of them"));
}

#[test]
fn any_process_says_how_far_a_comparison_is() {
    let folder = temporary();
    let here = folder.path();
    done(here, &format!("{GRID} --shard 1/4 --out many -q"));
    let said = done(here, "compare --status many");
    assert_eq!(
        said,
        "many: 4 of 16 cells done, 0 running, 12 open, 0 failed\n"
    );
    let json = done(here, "compare --status many --json");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["schema"], "windhover-cells/1");
    assert_eq!((&json["cells"], &json["done"]), (&16.into(), &4.into()));
    let (code, said) = refused(here, "compare --status none");
    assert_eq!(
        (code, &*said),
        (Some(66), "error: none holds no cells: it has no plan.json")
    );
}

/// The text of a cell with `from` as `to`, under a checksum that fits.
fn forged(text: &str, from: &str, to: &str) -> String {
    let rest = text.split_once("\",\n").expect("a first line").1;
    assert!(rest.contains(from), "{rest}");
    let rest = rest.replacen(from, to, 1);
    format!(
        "{{\n  \"crc32\": \"{}\",\n{rest}",
        bo::files::checksum(rest.as_bytes())
    )
}

#[test]
fn a_cell_of_another_build_or_a_damaged_one_is_refused() {
    let folder = temporary();
    let here = folder.path();
    let table = done(here, &format!("{GRID} --out c"));
    let file = here.join("c/cells/hover-mixture-gp-2.json");
    let text = fs::read_to_string(&file).expect("written");
    fs::write(&file, forged(&text, "\"build\": \"", "\"build\": \"9")).expect("writable");
    let (code, said) = refused(here, &format!("{GRID} --out c"));
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("hover-mixture-gp-2.json was made by 9") && said.contains("--mixed"),
        "{said}"
    );
    let mixed = run(here, &format!("{GRID} --out c --mixed"));
    assert!(mixed.status.success(), "{}", stderr(&mixed));
    assert!(
        stderr(&mixed).contains("warning: some cells were made by 9"),
        "{}",
        stderr(&mixed)
    );
    assert_eq!(
        stdout(&mixed).rsplit_once("\n\n").map(|parts| parts.0),
        table.rsplit_once("\n\n").map(|parts| parts.0)
    );

    fs::write(&file, text.replacen("0.", "1.", 1)).expect("writable");
    for more in ["", "--collect", "--cell hover-mixture-gp-2"] {
        let (code, said) = refused(here, &format!("{GRID} --out c {more}"));
        assert_eq!(code, Some(65), "{said}");
        assert!(
            said.contains("hover-mixture-gp-2.json is damaged"),
            "{said}"
        );
    }
    fs::remove_file(&file).expect("there");
    done(here, &format!("{GRID} --out c"));
    assert_eq!(fs::read_to_string(&file).expect("made again"), text);
}

#[test]
fn a_cell_of_another_seed_or_another_budget_is_refused() {
    let folder = temporary();
    let here = folder.path();
    done(here, &format!("{PAIR} --out one"));
    let budget = PAIR.replace("--held-out 3", "--held-out 2");
    done(here, &format!("{budget} --out other"));
    let cell = |folder: &str, key: &str| here.join(format!("{folder}/cells/{key}.json"));
    let own = cell("one", "hover-mixture-gp-1");
    let refuses = |line: &str, said: &str| {
        for more in ["", "--collect"] {
            let (code, line) = refused(here, &format!("{line} --out one {more}"));
            assert_eq!(code, Some(65), "{line}");
            assert!(line.contains(said), "{line}");
        }
    };
    fs::copy(&own, cell("one", "hover-mixture-gp-2")).expect("writable");
    refuses(
        &PAIR.replace("--seeds 1", "--seeds 2"),
        "hover-mixture-gp-2.json is damaged: it is cell hover-mixture-gp-1; remove it",
    );
    fs::copy(cell("other", "hover-mixture-gp-1"), own).expect("writable");
    refuses(
        PAIR,
        "hover-mixture-gp-1.json is damaged: it was worked out with other settings; remove it",
    );
}

#[test]
fn a_cell_that_vanishes_while_others_are_worked_out_is_missing() {
    let folder = temporary();
    let here = folder.path();
    done(here, &format!("{LONG} --shard 1/2 --out c"));
    let mut process = begin(here, &format!("{LONG} --out c"));
    claimed(&here.join("c/claims/hover-mixture-gp-2.json"), &mut process);
    fs::remove_file(here.join("c/cells/hover-mixture-gp-1.json")).expect("there");
    let output = process.wait_with_output().expect("ours");
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(75), "{said}");
    assert!(
        said.contains("hover-mixture-gp-1.json is missing"),
        "{said}"
    );
    done(here, &format!("{LONG} --out c"));
}

/// Long cells, two of them.
const LONG: &str = "compare --traj hover --surrogates gp --baselines none --seeds 2 --initial 4 \
    --iterations 40 --held-out 20 --threads 1 -q";

/// Waits until a process has claimed a cell.
fn claimed(path: &Path, process: &mut Child) {
    awaited("claim", || {
        assert!(
            process.try_wait().expect("ours").is_none(),
            "it ended before"
        );
        path.is_file().then_some(())
    });
}

#[test]
fn a_machine_that_computes_otherwise_is_told_so() {
    let folder = temporary();
    let here = folder.path();
    let key = "hover-mixture-gp-1";
    done(here, &format!("{LONG} --cell {key} --out one"));
    let text = fs::read_to_string(here.join(format!("one/cells/{key}.json"))).expect("written");
    let mut process = begin(here, &format!("{LONG} --cell {key} --out two"));
    claimed(&here.join(format!("two/claims/{key}.json")), &mut process);
    // Once it has claimed the cell it looks again whether the cell is there, before it flies.
    sleep(Duration::from_millis(200));
    // Meanwhile another process, whose machine is at fault, finishes the same cell.
    let kept = here.join(format!("two/cells/{key}.json"));
    fs::create_dir_all(here.join("two/cells")).expect("writable");
    fs::write(&kept, forged(&text, "\"ace_m\": 0.", "\"ace_m\": 1.")).expect("writable");
    let output = process.wait_with_output().expect("ours");
    assert_eq!(output.status.code(), Some(71), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("came out in two ways"),
        "{}",
        stderr(&output)
    );
    done(here, &format!("{LONG} --shard 2/2 --out two"));
    let (code, said) = refused(here, &format!("{LONG} --collect --out two"));
    assert_eq!(code, Some(71), "{said}");
    // As the message says.
    fs::remove_dir_all(here.join("two/differing")).expect("there");
    fs::remove_file(&kept).expect("there");
    done(here, &format!("{LONG} --out two"));
    assert_eq!(fs::read_to_string(&kept).expect("made again"), text);
}

#[cfg(unix)]
#[test]
fn who_is_asked_to_terminate_gives_its_cell_back_and_a_silent_claim_ends() {
    let folder = temporary();
    let here = folder.path();
    let claim = here.join("c/claims/hover-mixture-gp-1.json");
    let mut process = begin(here, &format!("{LONG} --out c"));
    claimed(&claim, &mut process);
    signal("-TERM", process.id());
    let output = process.wait_with_output().expect("ours");
    assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
    assert!(!claim.exists());
    // A process of a machine that nobody hears of any more.
    let silent = r#"{"owner":{"host":"far","process":1,"space":"x","born":"1","since_s":1},
        "begun_s":BEGUN,"renewed_s":BEGUN,"lease_s":1}"#;
    let now = std::time::UNIX_EPOCH
        .elapsed()
        .expect("after 1970")
        .as_secs();
    fs::create_dir_all(here.join("c/claims")).expect("writable");
    fs::write(&claim, silent.replace("BEGUN", &now.to_string())).expect("writable");
    assert!(done(here, "compare --status c").contains("1 running"));
    done(here, &format!("{LONG} --out c"));
}

/// The scripts below `engine` of a folder.
fn scripts(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("engine"))
        .expect("written")
        .flatten();
    let scripts = entries.map(|entry| entry.path());
    scripts
        .filter(|path| path.extension().is_some_and(|end| end == "sh"))
        .collect()
}

#[test]
fn scripts_are_ones_that_a_shell_reads_whatever_the_folder_is_called() {
    let folder = temporary();
    let here = &folder.path().join("it's a \"place\" 100%");
    fs::create_dir(here).expect("writable");
    for engine in ["slurm", "parallel"] {
        let line = format!("{GRID} --out many --tasks 5 --engine {engine} --lease 900");
        let said = done(here, &line);
        assert!(said.starts_with("16 cells in 5 tasks for "), "{said}");
        let scripts = scripts(&here.join("many"));
        assert!(scripts.len() >= 2, "{scripts:?}");
        let mut text = String::new();
        for script in scripts {
            let read = Command::new("sh")
                .arg("-n")
                .arg(&script)
                .output()
                .expect("sh");
            assert!(read.status.success(), "{script:?}: {}", stderr(&read));
            text += &fs::read_to_string(&script).expect("written");
        }
        // The cells', the collector's.
        let calls = text.matches("bo compare --traj").count();
        assert!(calls >= 2, "{text}");
        assert_eq!(text.matches("--lease=900").count(), calls, "{text}");
    }
    // Any engine may call them: a line of the list is the cells of a task.
    done(here, &format!("{PAIR} --out pair --tasks 2 --engine slurm"));
    let engine = files(&here.join("pair/engine"));
    let (list, tasks) = engine
        .iter()
        .find(|(name, _)| name.ends_with(".txt"))
        .expect("a list");
    let script = list.replace("tasks-", "cells-").replace(".txt", ".sh");
    let tasks = String::from_utf8(tasks.clone()).expect("text");
    assert_eq!(tasks.lines().count(), 2);
    for task in tasks.lines() {
        let script = here.join("pair/engine").join(&script);
        let output = Command::new("sh")
            .arg(script)
            .arg(task)
            .output()
            .expect("sh");
        assert!(output.status.success(), "{}", stderr(&output));
    }
    done(here, &format!("{PAIR} --out pair --collect"));
}

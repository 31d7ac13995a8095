//! The report of a run that has not come to its end, and of one that is watched until it does.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::cells::done;
use crate::program::{bo, stderr, stdout, temporary};
use crate::reported::tuned;

/// Evaluations that are kept.
const KEPT: usize = 5;

/// A whole run in `whole`, and in `half` what is on the disk after the first evaluations of it.
fn half_a_run(folder: &Path) -> Value {
    let run = tuned(folder, "whole", &["--traj", "hover", "--seed", "3"]);
    let journal = fs::read_to_string(folder.join("whole/trials.log")).expect("written");
    let kept: Vec<&str> = journal.split_inclusive('\n').take(1 + KEPT).collect();
    fs::create_dir(folder.join("half")).expect("new");
    fs::write(folder.join("half/trials.log"), kept.concat()).expect("writable");
    run
}

fn shown(folder: &Path) -> String {
    fs::read_to_string(folder.join("half/report.html")).unwrap_or_default()
}

/// Watches `half`; returns once its page is there.
fn watching(folder: &Path) -> Child {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("bo"))
        .args(["report", "--watch", "half"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program is built");
    let begun = Instant::now();
    while !shown(folder).contains("http-equiv=\"refresh\"") {
        assert!(child.try_wait().expect("a state").is_none(), "it ended");
        assert!(begun.elapsed() < Duration::from_secs(60), "no page");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

#[test]
fn an_unfinished_run_shows_what_there_is() {
    let folder = temporary();
    let run = half_a_run(folder.path());
    let output = done(folder.path(), "report half");
    assert!(output.starts_with("half: unfinished, 5 of 7 evaluations, "));
    let page = shown(folder.path());
    assert!(page.starts_with("<!DOCTYPE html>\n<!-- Windhover report -->"));
    assert!(
        page.contains("<b>Unfinished:</b> 5 of 7 evaluations made")
            && page.contains("bo --resume half")
    );
    assert!(
        !page.contains("refresh")
            && !page.contains("Not drawn")
            && !page.contains("aria-label=\"replay evaluation")
    );
    let chart = "aria-label=\"Cost of every evaluation";
    assert_eq!(page.matches(chart).count(), 1);
    let trials = run["trials"].as_array().expect("a list");
    let costs = trials[..KEPT].iter().filter(|one| one["lost"] == false);
    let best = costs.min_by(|a, b| {
        let cost = |one: &Value| one["cost_m"].as_f64().expect("a number");
        cost(a).total_cmp(&cost(b))
    });
    let best = best.expect("not all are lost");
    let said = format!(
        "Incumbent: evaluation {}, ACE {:.3} m",
        best["number"],
        best["cost_m"].as_f64().expect("a number")
    );
    assert!(page.contains(&said), "{said}");
    let output = bo(folder.path(), &["report", "half", "--format", "json"]);
    let printed: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(printed["unfinished"]["evaluations"], 5);
    assert_eq!(printed["unfinished"]["of"], 7);
    // Nobody takes an unfinished run for one that can be compared.
    let output = bo(folder.path(), &["report", "whole", "half"]);
    assert_eq!(output.status.code(), Some(66), "{}", stderr(&output));
}

#[test]
fn a_watched_run_is_shown_anew_and_whole_at_its_end() {
    let folder = temporary();
    half_a_run(folder.path());
    let child = watching(folder.path());
    assert!(shown(folder.path()).contains("5 of 7 evaluations made"));
    for file in ["trials.log", "config.toml", "manifest.json", "run.json"] {
        let to = folder.path().join("half").join(file);
        fs::copy(folder.path().join("whole").join(file), to).expect("copied");
    }
    let output = child.wait_with_output().expect("ends");
    assert!(output.status.success(), "{}", stderr(&output));
    let page = shown(folder.path());
    assert!(page.contains("id=\"run-0-verdict\"") && !page.contains("refresh"));
}

#[cfg(unix)]
#[test]
fn watching_ends_when_it_is_told_to() {
    let folder = temporary();
    half_a_run(folder.path());
    let child = watching(folder.path());
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill exists").success());
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(130));
    let text = stderr(&output);
    assert_eq!(
        text.lines().last(),
        Some("error: interrupted; half/report.html shows the run as far as it went")
    );
    let output = bo(folder.path(), &["report", "--watch", "half", "whole"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

//! `bo compare` as a user meets it: tables, cells that are never flown twice, refusals.

use crate::program::cells::done;
use crate::program::{bo, json, refusal, stderr, stdout, temporary};
use std::fs;
use std::path::Path;
use std::process::Output;

/// A budget that takes a fraction of a second a cell.
const TINY: [&str; 6] = ["--initial", "4", "--iterations", "3", "--held-out", "3"];

fn compare(folder: &Path, args: &str) -> Output {
    let args: Vec<&str> = ["compare"].into_iter().chain(args.split(' ')).collect();
    bo(folder, &[&args, &TINY[..]].concat())
}

/// Every method flies `trajectories` and gets its row in both domains.
fn every_method_flies(trajectories: [&str; 2]) {
    let folder = temporary();
    let flown = trajectories.join(",");
    let args = format!("--traj {flown} --baselines all --seeds 1 --out all");
    let output = compare(folder.path(), &args);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let labels = ["default gains", "random search", "CMA-ES"];
    let surrogates = search::surrogates::compared()
        .into_iter()
        .map(search::surrogates::label);
    for label in labels.into_iter().chain(surrogates) {
        let rows = text.lines().filter(|line| {
            let mut cells = line.split('|').map(str::trim);
            cells.nth(1) == Some(label)
        });
        // What tunes stands among the lost evaluations of each trajectory too.
        let tunes = label != "default gains";
        let tables = 2 * 2 + if tunes { 2 } else { 0 };
        assert_eq!(rows.count(), tables, "{label} in\n{text}");
    }
    let compared = folder.path().join("all");
    let summary = json(&compared.join("compare.json"));
    assert_eq!(summary["blocks"].as_array().expect("a list").len(), 4);
    let cells = fs::read_dir(compared.join("cells"))
        .expect("written")
        .count();
    assert_eq!(cells, 2 * (3 + search::surrogates::compared().len()));
    for trajectory in trajectories {
        let picture = format!("convergence-{trajectory}-mixture.png");
        assert!(compared.join(picture).exists());
    }
    // Its folder has a page, with every row and every picture.
    done(folder.path(), "report all");
    let page = fs::read_to_string(compared.join("report.html")).expect("written");
    let rows = page.matches("<tr><td>CMA-ES</td>").count();
    assert!(rows >= 2 * 2, "{rows} rows");
    let pictures = fs::read_dir(&compared).expect("there").flatten();
    let pictures = pictures.filter(|file| file.path().extension().is_some_and(|end| end == "svg"));
    assert_eq!(page.matches("<img alt=").count(), pictures.count());
    assert_eq!(page.matches("href=\"./cells/").count(), cells);
}

#[test]
fn every_method_flies_hover_and_the_figure_8() {
    every_method_flies(["hover", "fig8"]);
}

#[test]
fn every_method_flies_the_other_trajectories() {
    every_method_flies(["sin-forward", "spiral-up"]);
}

#[test]
fn a_cell_is_the_run_on_its_own() {
    let folder = temporary();
    compare(
        folder.path(),
        "--traj hover --surrogates gp,rf --baselines default --seeds 1 --seed 4",
    );
    let args = "--traj hover --surrogate rf --seed 4 --initial 4 --iterations 3 --held-out 3";
    bo(folder.path(), &args.split(' ').collect::<Vec<_>>());
    let run = json(&folder.path().join("runs/hover-rf-4/run.json"));
    let cells = folder.path().join("runs/compare-hover/cells");
    let cell = json(&cells.join("hover-mixture-rf-4.json"))["content"].take();
    let default = json(&cells.join("hover-default-4.json"))["content"].take();
    for (number, trial) in run["trials"].as_array().expect("a list").iter().enumerate() {
        assert_eq!(trial["cost_m"], cell["trials"][number]["cost_m"]);
    }
    for (name, candidate) in [
        ("recommended", &cell["candidates"][0]),
        ("observed", &cell["candidates"][1]),
        ("default", &default["candidates"][0]),
    ] {
        assert_eq!(run[name]["gains"], candidate["gains"], "{name}");
        for domain in 0..2 {
            let (ours, theirs) = (&run[name]["tests"][domain], &candidate["tests"][domain]);
            assert_eq!(ours["ace_m"], theirs["ace_m"], "{name} {domain}");
        }
    }
}

#[test]
fn finished_cells_are_kept_and_the_rest_gives_what_one_go_on_other_threads_gives() {
    let folder = temporary();
    let methods = "--traj hover --surrogates gp,dil-gp --baselines all --training mixture,gusty";
    let first = compare(folder.path(), &format!("{methods} --seeds 1 --out parts"));
    assert!(first.status.success(), "{}", stderr(&first));
    let kept = ["cells/hover-gusty-gp-1.json", "cells/hover-default-1.json"];
    let times = || {
        kept.map(|file| {
            let file = fs::metadata(folder.path().join("parts").join(file)).expect("written");
            file.modified().expect("a time")
        })
    };
    let written = times();
    let second = compare(
        folder.path(),
        &format!("{methods} --seeds 2 --threads 2 --out parts"),
    );
    assert!(stdout(&second).contains("18 cells, 9 of them from an earlier run"));
    assert_eq!(written, times(), "what is finished is not touched");
    let whole = compare(
        folder.path(),
        &format!("{methods} --seeds 2 --threads 1 --out whole"),
    );
    assert!(whole.status.success(), "{}", stderr(&whole));
    for file in [
        "compare.json",
        "table.md",
        "cells/hover-mixture-dil-gp-2.json",
    ] {
        let read = |out: &str| fs::read(folder.path().join(out).join(file)).expect("written");
        assert!(read("parts") == read("whole"), "{file} differs");
    }
}

#[test]
fn a_folder_of_other_settings_is_refused_with_the_difference() {
    let folder = temporary();
    compare(
        folder.path(),
        "--traj hover --surrogates rf --baselines none --seeds 1 --out mine",
    );
    let output = compare(
        folder.path(),
        "--traj hover --surrogates rf --baselines none --seeds 1 --kappa 3 --out mine",
    );
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "error: mine was begun with kappa 2.0, not 3.0; name another folder or the same settings\n"
    );
}

#[test]
fn the_paper_s_protocol_prints_one_column_a_trajectory() {
    let folder = temporary();
    let output = compare(
        folder.path(),
        "--traj hover,spiral-up --surrogates rf --baselines default --seeds 2 --protocol paper",
    );
    let text = stdout(&output);
    assert_eq!(text.matches("### Trained in mixture, tested in").count(), 2);
    let head = text
        .lines()
        .find(|line| line.contains("hover"))
        .expect("a head");
    assert!(head.contains("spiral-up"), "{head}");
    assert!(text.contains("mean ± greatest deviation over 2 seeds"));
}

#[test]
fn wrong_words_and_numbers_are_refused_before_anything_is_made() {
    for (flag, given, said) in [
        (
            "--surrogates",
            "gp,dilgp",
            "unknown surrogate `dilgp`: did you mean `dil-gp`?",
        ),
        (
            "--surrogates",
            "gp-environment",
            "unknown surrogate `gp-environment`",
        ),
        (
            "--seeds",
            "0",
            "--seeds is 0; it must be a whole number from 1 to 1000",
        ),
        (
            "--threads",
            "0",
            "--threads is 0; it must be a whole number from 1 to 1024",
        ),
    ] {
        let (code, line) = refusal(&["compare", flag, given]);
        assert_eq!(code, 2);
        assert!(line.starts_with(&format!("error: {said}")), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn a_stopped_comparison_says_how_to_go_on_and_does() {
    use std::process::{Command, Stdio};
    let folder = temporary();
    let args = "compare --traj hover --surrogates gp --baselines none --seeds 8 --initial 4 --iterations 40 \
                --held-out 20 --out mine";
    let args: Vec<&str> = args.split_whitespace().collect();
    let started = Command::new(assert_cmd::cargo::cargo_bin("bo"))
        .current_dir(folder.path())
        .args(&args)
        .stderr(Stdio::piped())
        .spawn();
    let mut process = started.expect("the program starts");
    let cells = folder.path().join("mine/cells");
    let kept = || fs::read_dir(&cells).map_or(0, Iterator::count);
    while kept() == 0 {
        let ended = process.try_wait().expect("its state");
        assert!(ended.is_none(), "it ended before a cell was finished");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let interrupted = Command::new("kill")
        .args(["-INT", &process.id().to_string()])
        .status();
    assert!(interrupted.expect("kill exists").success());
    let output = process.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let said = stderr(&output);
    let last = said.lines().last().expect("a line");
    assert!(last.starts_with("error: interrupted; "), "{last}");
    assert!(
        last.ends_with("of 8 cells are kept, go on with the same command and --out mine"),
        "{last}"
    );
    let again = bo(folder.path(), &args);
    assert!(again.status.success(), "{}", stderr(&again));
    assert!(!stdout(&again).contains("8 cells, 0 of them"));
}

/// Waypoints, a vehicle, winds and gains that are none of the paper's.
const STUDY: &str = r#"
trajectory = "my square.csv"
airframe = "crazyflie"
surrogate = "gp"
seed = 4
[budget]
initial = 4
iterations = 3
held_out = 3
together = 1
[acquisition]
name = "ucb"
recommender = "centroid"
[gains]
tune = ["position_xy.kp", "position_z.kp"]
[[training]]
domain = { name = "breeze", altitude_m = 10.0, wind_at_20_ft_kt = 4.0, reference_speed_m_s = 3.0 }
share = 1
[[test]]
domain = "steady"
[limits]
margins = "stated"
"#;

#[test]
fn a_study_of_one_s_own_is_compared_as_it_is_tuned() {
    let folder = temporary();
    let here = folder.path();
    let square = "t,x,y,z\n0,0,0,0\n2,1,0,0.5\n4,1,1,0\n6,0,0,0\n";
    fs::write(here.join("my square.csv"), square).expect("writable");
    fs::write(here.join("study.toml"), STUDY).expect("writable");
    let line = "compare --config study.toml --surrogates gp,auto --baselines default,random --seeds 2 --seed 4 --out c -q";
    let table = done(here, line);
    assert!(table.contains("### my-square, trained in mixture, tested in steady wind"));
    done(here, "tune --config study.toml --out run -q");
    let run = json(&here.join("run/run.json"));
    let cell = json(&here.join("c/cells/my-square-mixture-gp-4.json"))["content"].take();
    let trials = run["trials"].as_array().expect("a list");
    assert_eq!(trials.len(), 7);
    for (number, trial) in trials.iter().enumerate() {
        for part in ["x", "gains", "cost_m", "flights"] {
            assert_eq!(
                trial[part], cell["trials"][number][part],
                "{number}: {part}"
            );
        }
    }
    assert_eq!(run["recommended"]["gains"], cell["candidates"][0]["gains"]);
    let ace_m = |tests: &serde_json::Value| tests[0]["ace_m"].clone();
    let tests = &cell["candidates"][0]["tests"];
    assert_eq!(ace_m(&run["recommended"]["tests"]), ace_m(tests));
    assert_eq!(tests.as_array().expect("a list").len(), 1);
    // The folder holds the whole study: the files that it names are needed no more, and another is refused.
    let whole = fs::read(here.join("c/plan.json")).expect("written");
    assert!(String::from_utf8_lossy(&whole).contains("2,1,0,0.5"));
    assert!(done(here, line).contains("8 cells, 8 of them from an earlier run"));
    fs::write(here.join("study.toml"), STUDY.replace("= 4.0", "= 5.0")).expect("writable");
    let other = bo(here, &line.split(' ').collect::<Vec<_>>());
    assert_eq!(other.status.code(), Some(2));
    let said = stderr(&other);
    assert!(said.contains("was begun with config (checksum "), "{said}");
    for (more, said) in [
        ("--baselines floor", "--baselines does not know `floor`"),
        ("--method a=b --together 2", "it needs --together 1"),
        ("--traj hover", "cannot be used with"),
    ] {
        let line = format!("compare --config study.toml {more}");
        let refused = bo(here, &line.split(' ').collect::<Vec<_>>());
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains(said), "{}", stderr(&refused));
    }
}

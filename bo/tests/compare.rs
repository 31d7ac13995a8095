//! `bo compare` as a user meets it: tables, cells that are never flown twice, refusals.

use crate::program::cells::done;
use crate::program::{bo, json, refusal, stderr, stdout, temporary};
use std::fs;
use std::path::Path;
use std::process::Output;

/// A budget that takes a fraction of a second a cell.
const TINY: [&str; 8] = [
    "--initial",
    "4",
    "--iterations",
    "3",
    "--held-out",
    "3",
    "--floor-flights",
    "112",
];

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
    let labels = ["default gains", "random search", "CMA-ES", "floor"];
    let surrogates = search::surrogates::compared()
        .into_iter()
        .map(search::surrogates::label);
    for label in labels.into_iter().chain(surrogates) {
        let rows = text.lines().filter(|line| {
            let mut cells = line.split('|').map(str::trim);
            cells.nth(1) == Some(label)
        });
        // What tunes stands among the lost evaluations of each trajectory too.
        let tunes = !["default gains", "floor"].contains(&label);
        let tables = 2 * 2 + if tunes { 2 } else { 0 };
        assert_eq!(rows.count(), tables, "{label} in\n{text}");
    }
    let compared = folder.path().join("all");
    let summary = json(&compared.join("compare.json"));
    assert_eq!(summary["blocks"].as_array().expect("a list").len(), 4);
    let cells = fs::read_dir(compared.join("cells"))
        .expect("written")
        .count();
    assert_eq!(
        cells,
        2 * (4 + 2 + search::surrogates::compared().len()),
        "and two searches of the floor for each trajectory"
    );
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
    let kept = [
        "cells/hover-gusty-gp-1.json",
        "cells/floor-hover-0.json",
        "cells/floor-hover-1.json",
    ];
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
    assert!(stdout(&second).contains("22 cells, 12 of them from an earlier run"));
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
        "error: mine holds a comparison with --kappa 2, not 3; name another folder or the same settings\n"
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

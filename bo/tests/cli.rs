//! The program as a user meets it: what it writes, what it says, how it ends.

use assert_cmd::Command;
use std::fs;

use crate::program::cells::done;
use crate::program::{SMALL, bo, refusal, stderr, stdout, temporary, tune};

#[test]
fn a_run_writes_its_files_and_says_what_was_gained() {
    let folder = temporary();
    let output = tune(folder.path(), &["--traj", "fig8"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let run = folder.path().join("runs/fig8-dil-gp-1");
    let mut files: Vec<String> = fs::read_dir(&run)
        .expect("written")
        .map(|entry| {
            entry
                .expect("readable")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    files.sort();
    let expected = [
        "before-after.png",
        "before-after.svg",
        "config.toml",
        "convergence.png",
        "convergence.svg",
        "env.json",
        "flight.png",
        "flight.svg",
        "gains.toml",
        "manifest.json",
        "run.json",
        "trials.csv",
        "trials.log",
    ];
    assert_eq!(files, expected);
    let text = stdout(&output);
    for phrase in [
        "gusty",
        "steady",
        "default gains",
        "recommended gains",
        "runs/fig8-dil-gp-1",
    ] {
        assert!(text.contains(phrase), "{phrase} is missing in\n{text}");
    }
    let gains = fs::read_to_string(run.join("gains.toml")).expect("written");
    let gains: sim::Gains = toml::from_str(&gains).expect("a gains file reads back");
    assert!(gains.check().is_ok());
}

#[test]
fn run_json_holds_every_trial_and_its_numbers_agree_with_each_other() {
    let folder = temporary();
    assert!(
        tune(folder.path(), &["--traj", "hover", "--surrogate", "gp"])
            .status
            .success()
    );
    let text = fs::read_to_string(folder.path().join("runs/hover-gp-1/run.json")).expect("written");
    let run: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(run["schema"], "windhover-run/4");
    let trials = run["trials"].as_array().expect("a list");
    assert_eq!(trials.len(), 7);
    assert_eq!(trials[0]["origin"], "baseline");
    assert_eq!(trials[0]["gains"]["position_xy.kp"], 6.0);
    assert_eq!(trials[3]["origin"], "initial");
    assert_eq!(trials[6]["origin"], "acquisition");
    assert!(trials[6]["value"].is_f64() && trials[6]["jitter"].is_f64());
    for trial in trials {
        assert_eq!(trial["x"].as_array().map(Vec::len), Some(6));
        assert!(trial["lost"].is_boolean());
        let flights = trial["flights"].as_array().expect("a list");
        assert_eq!(flights.len(), 1);
        let seed = &flights[0]["weather"]["seed"];
        let exact = seed.as_u64().is_some_and(|seed| seed < 1 << 53);
        assert!(
            exact
                || seed
                    .as_str()
                    .is_some_and(|seed| seed.parse::<u64>().is_ok())
        );
        assert!(flights[0]["outcome"]["end"].is_string());
    }
    for candidate in ["default", "recommended", "observed"] {
        for (domain, name) in ["gusty", "steady"].iter().enumerate() {
            let test = &run[candidate]["tests"][domain];
            assert_eq!(test["domain"], *name);
            let flights = test["ace_m"].as_array().expect("a list");
            assert_eq!(flights.len(), 3);
            let sum: f64 = flights.iter().map(|x| x.as_f64().expect("a number")).sum();
            let mean = test["mean_m"].as_f64().expect("a number");
            assert!((sum / 3.0 - mean).abs() < 1e-12);
            let lost = test["lost"].as_array().expect("a list");
            assert_eq!(test["crashes"], lost.len());
            assert_eq!(test["completed_m"]["count"], 3 - lost.len());
            let at_most = test["loss_probability_at_most"].as_f64();
            let exact = 1.0 - 0.05f64.powf(1.0 / 3.0);
            assert!(!lost.is_empty() || (at_most.expect("a number") - exact).abs() < 1e-9);
        }
    }
    for word in ["/", "thread", "host", "unix"] {
        let strays = text
            .lines()
            .filter(|l| l.contains(word) && !l.contains("schema"));
        let strays: Vec<&str> = strays.filter(|l| !l.contains("\"unit\"")).collect();
        assert!(strays.is_empty(), "{strays:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_one_thread_and_on_two() {
    let folder = temporary();
    let limited = "[sensors]\ndelay_periods = 2\n";
    fs::write(folder.path().join("limited.toml"), limited).expect("written");
    let ends = |code: i32, args: &str| {
        let mut command = Command::cargo_bin("bo").expect("the program is built");
        let command = command.current_dir(folder.path()).args(args.split(' '));
        command.assert().code(code);
    };
    // Margins are looked at before the first flight, and on as many threads.
    let study = "--config limited.toml --traj spiral-up --seed 5";
    let small = SMALL.join(" ");
    ends(0, &format!("{study} {small} --threads 2 --dry-run"));
    for (threads, out) in [("1", "one"), ("2", "two")] {
        ends(
            0,
            &format!("{study} {small} --threads {threads} --out {out}"),
        );
        ends(0, &format!("--resume {out} --threads {threads}"));
        // So few flights pass no tune.
        ends(1, &format!("check {out} --threads {threads} --flights 20"));
    }
    for file in [
        "run.json",
        "trials.log",
        "gains.toml",
        "before-after.png",
        "flight.svg",
        "flight.png",
        "convergence.png",
        "manifest.json",
    ] {
        let read = |out: &str| fs::read(folder.path().join(out).join(file)).expect("written");
        assert!(read("one") == read("two"), "{file} differs");
    }
}

/// Each surrogate on one trajectory, and each trajectory with one of them.
#[test]
fn every_surrogate_tunes_and_every_trajectory_is_tuned_on() {
    let folder = temporary();
    let names = trajectories::NAMES.iter();
    let surrogates = dilgp::NAMES.into_iter().zip(names.clone().cycle());
    let mut flown: Vec<(&str, &str)> = surrogates.map(|(s, t)| (*t, s)).collect();
    flown.extend(names.map(|trajectory| (*trajectory, "gp")));
    for (trajectory, surrogate) in flown {
        let output = tune(
            folder.path(),
            &["--traj", trajectory, "--surrogate", surrogate],
        );
        assert!(
            output.status.success(),
            "{trajectory} {surrogate}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn an_occupied_folder_gets_a_suffix_when_automatic_and_a_refusal_when_named() {
    let folder = temporary();
    for _ in 0..2 {
        assert!(
            tune(folder.path(), &["--traj", "hover", "--surrogate", "gp"])
                .status
                .success()
        );
    }
    let first = folder.path().join("runs/hover-gp-1/run.json");
    let second = folder.path().join("runs/hover-gp-1-2/run.json");
    let bytes = fs::read(&first).expect("written");
    assert_eq!(bytes, fs::read(second).expect("written"));

    let args = ["--traj", "hover", "--seed", "9", "--out", "runs/hover-gp-1"];
    let output = tune(folder.path(), &args);
    assert_eq!(output.status.code(), Some(73));
    assert_eq!(
        stderr(&output),
        "error: runs/hover-gp-1 already holds files; name a new folder, nothing was overwritten\n"
    );
    assert_eq!(bytes, fs::read(first).expect("still there"));
}

#[test]
fn a_folder_that_cannot_be_made_is_refused_before_any_flight() {
    let folder = temporary();
    fs::write(folder.path().join("file"), "mine").expect("writable");
    for out in ["file", "file/below"] {
        let output = bo(folder.path(), &["--traj", "fig8", "--out", out]);
        assert_eq!(output.status.code(), Some(73));
        let text = stderr(&output);
        assert!(
            text.starts_with(&format!("error: cannot write {out}: ")),
            "{text}"
        );
        assert_eq!(text.lines().count(), 1, "{text}");
    }
    assert_eq!(
        fs::read_to_string(folder.path().join("file")).expect("still there"),
        "mine"
    );
}

#[test]
fn a_wrong_name_is_answered_with_the_legal_ones_and_the_nearest() {
    assert_eq!(
        refusal(&["--traj", "fig9"]),
        (2, "error: unknown trajectory `fig9`: did you mean `fig8`? Known: hover, fig8, sin-forward, spiral-up".into())
    );
    let surrogate = "error: unknown surrogate `dilgp`: did you mean `dil-gp`? Known: rf, mlp, gp, gp-rq, gp-dp, dil-gp, dil-gp-released, dil-gp-per-point, gp-level-set, auto, matern";
    assert_eq!(
        refusal(&["--traj", "fig8", "--surrogate", "dilgp"]),
        (2, surrogate.into())
    );
}

#[test]
fn a_wrong_number_is_named() {
    let cases = [
        (
            "--iterations 0",
            "error: --iterations is 0; it must be a whole number from 1 to 2000",
        ),
        (
            "--iterations -5",
            "error: --iterations is -5; it must be a whole number from 1 to 2000",
        ),
        (
            "--initial 0",
            "error: --initial is 0; it must be a whole number from 1 to 2000",
        ),
        (
            "--kappa -0.5",
            "error: --kappa is -0.5; it must be finite and not negative",
        ),
        (
            "--kappa nan",
            "error: --kappa is NaN; it must be finite and not negative",
        ),
        (
            "--held-out 1",
            "error: --held-out is 1; it must be a whole number from 2 to 100000",
        ),
        (
            "--seed -1",
            "error: --seed is -1; it must be a whole number from 0 to 18446744073709551615",
        ),
        (
            "--seed seven",
            "error: --seed is seven; it must be a whole number from 0 to 18446744073709551615",
        ),
    ];
    for (given, said) in cases {
        let args: Vec<&str> = "--traj fig8".split(' ').chain(given.split(' ')).collect();
        assert_eq!(refusal(&args), (2, said.to_owned()), "{given}");
    }
}

#[test]
fn a_typo_in_a_flag_is_answered_on_one_line_with_the_nearest_flag() {
    let (code, text) = refusal(&["--trai", "fig8"]);
    assert_eq!(code, 2);
    assert!(
        text.starts_with("error: unexpected argument '--trai' found"),
        "{text}"
    );
    assert!(text.contains("'--traj'"), "{text}");
}

#[test]
fn help_is_a_result_with_examples_that_fits_a_screen() {
    let folder = temporary();
    let commands = [
        "",
        "compare",
        "export",
        "report",
        "config",
        "verify",
        "completions",
        "serve",
        "bench",
        "regret",
    ];
    for command in commands {
        let args = [command, "--help"];
        let args: Vec<&str> = args.into_iter().filter(|arg| !arg.is_empty()).collect();
        let output = bo(folder.path(), &args);
        let text = stdout(&output);
        assert!(
            output.status.success() && stderr(&output).is_empty(),
            "{command}"
        );
        let example = text.contains("\nExample") || text.contains("The main path:");
        assert!(example, "{command}");
        let form = text.contains("--format <FORM>");
        assert_eq!(
            form,
            !["completions", "serve"].contains(&command),
            "{command}"
        );
    }
    done(folder.path(), "--version");
    assert!(stdout(&bo(folder.path(), &["--help"])).contains("bo compare --traj fig8"));
}

//! `bo compare --method`: programs of the user's own among the methods.

use crate::program::cells::{assert_same, files};
use crate::program::{Dice, bo, json, kills, refusal, spawn, stderr, stdout, succeeded, temporary};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

/// A comparison whose cells take a fraction of a second, with the programs `methods`.
fn args<'a>(more: &'a str, methods: &'a [String]) -> Vec<&'a str> {
    let tiny = "compare --traj hover --initial 4 --iterations 5 --held-out 3 -q";
    let words = tiny.split(' ').chain(more.split(' '));
    let methods = methods.iter().flat_map(|method| ["--method", method]);
    words.chain(methods).collect()
}

fn compare(folder: &Path, more: &str, methods: &[String]) -> Output {
    bo(folder, &args(more, methods))
}

/// The server of this build as it stands.
fn server() -> String {
    let program = assert_cmd::cargo::cargo_bin("bo");
    format!("{} serve --jsonl", program.display())
}

/// A program that asks for points of its own, by `sh`: what it does about `ask` and `recommend`.
fn script(ask: &str, recommend: &str) -> String {
    format!(
        "n=0; while read -r line; do n=$((n+1)); case \"$line\" in \
         *'\"ask\"'*) {ask};; *'\"recommend\"'*) {recommend};; *'\"quit\"'*) exit;; esac; done"
    )
}

/// What it says to a point that follows the number of lines read.
const POINT: &str = r#"echo "{\"x\":[0.$n,0.5,0.5,0.$n,0.5,0.5]}""#;
/// What it says where it recommends nothing.
const NOTHING: &str = r#"echo '{"error":"no rule"}'"#;

fn cells(folder: &Path) -> Vec<(String, Value)> {
    let files = files(&folder.join("cells")).into_keys();
    let cell = |name: String| {
        let content = json(&folder.join("cells").join(&name))["content"].take();
        (name, content)
    };
    files.map(cell).collect()
}

#[test]
fn a_copy_of_gp_in_a_pipe_meets_and_finds_what_gp_does() {
    let folder = temporary();
    // What the built-in method is, said to a server that learns otherwise by default.
    let gp = r#""surrogate":"gp","acquisition":"ucb","kappa":2,"recommender":"centroid""#;
    let copy = format!("copy=sed -u 's/\"type\":\"init\"/&,{gp}/' | {}", server());
    let more = "--surrogates gp --baselines none --seeds 3 --out c";
    let output = compare(folder.path(), more, &[copy]);
    assert!(output.status.success(), "{}", stderr(&output));
    let cells = cells(&folder.path().join("c"));
    assert_eq!(cells.len(), 6);
    let (copies, own): (Vec<_>, Vec<_>) = cells.iter().partition(|(name, _)| name.contains("copy"));
    for ((name, copy), (_, own)) in copies.iter().zip(own) {
        let both = copy["trials"].as_array().expect("a list").iter();
        let both = both.zip(own["trials"].as_array().expect("a list"));
        assert_eq!(both.len(), 9, "{name}");
        for (number, (copy, own)) in both.enumerate() {
            // All but where the point came from.
            for part in ["number", "x", "gains", "cost_m", "lost", "flights"] {
                assert_eq!(copy[part], own[part], "{name}, {number}: {part}");
            }
        }
        assert_eq!(copy["candidates"], own["candidates"], "{name}");
    }
}

#[test]
fn a_server_as_it_stands_is_a_method_and_another_command_is_another() {
    let folder = temporary();
    let here = folder.path();
    let more = "--surrogates gp --baselines random --seeds 2 --out c";
    let own = format!("mine={}", server());
    let output = compare(here, more, std::slice::from_ref(&own));
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("\n| mine "), "{text}");
    let said = format!("mine is the program `{}`; it recommends by", server());
    assert!(text.contains(&said), "{text}");
    let summary = json(&here.join("c/compare.json"));
    assert_eq!(summary["programs"][0]["command"], server());
    assert_eq!(stderr(&output).matches("error").count(), 0);
    assert_eq!(
        files(&here.join("c/stderr")).len(),
        0,
        "it wrote nothing there"
    );
    let repeated = compare(here, more, std::slice::from_ref(&own));
    assert!(stdout(&repeated).contains("6 cells, 6 of them from an earlier run"));
    let other = compare(here, more, &[format!("{own} ")]);
    assert!(stdout(&other).contains("6 cells, 6 of them from an earlier run"));
    let other = compare(here, more, &[format!("{own} # 2")]);
    assert!(stdout(&other).contains("6 cells, 4 of them from an earlier run"));
    assert!(here.join("c/convergence-hover-mixture.png").exists());
    let rows = fs::read_to_string(here.join("c/table.csv")).expect("written");
    assert_eq!(rows.matches(",mine,2,gp,").count(), 2, "{rows}");
    let latex = fs::read_to_string(here.join("c/table.tex")).expect("written");
    assert_eq!(latex.matches("\nmine & ").count(), 2, "{latex}");
    let sentence = summary["result"].as_str().expect("a sentence");
    assert!(
        text.starts_with(&format!("{sentence}\n\n### hover")),
        "{text}"
    );
}

#[test]
fn a_program_that_recommends_nothing_is_taken_at_its_best_evaluation() {
    let folder = temporary();
    let program = format!(
        "own=read -r init; echo \"$init\" >&2; {}",
        script(POINT, NOTHING)
    );
    let more = "--surrogates gp --baselines none --seeds 2 --out c";
    let output = compare(folder.path(), more, &[program]);
    assert!(output.status.success(), "{}", stderr(&output));
    let said = "in 2 of 2 cells it recommends nothing, and its best observed gains are taken";
    assert!(stdout(&output).contains(said), "{}", stdout(&output));
    for (name, cell) in cells(&folder.path().join("c")) {
        let [recommended, observed] = [0, 1].map(|of| &cell["candidates"][of]["gains"]);
        assert_eq!(recommended == observed, name.contains("own"), "{name}");
    }
    let kept = files(&folder.path().join("c/stderr"));
    assert_eq!(kept.len(), 2);
    for text in kept.values() {
        let init: Value = serde_json::from_slice(text).expect("one object");
        let counts = ["budget", "initial", "lost_value"].map(|part| init[part].as_f64());
        assert_eq!(counts, [Some(9.0), Some(4.0), Some(2.0)]);
        assert_eq!(
            (&init["noise"], &init["direction"]),
            (&true.into(), &"min".into())
        );
        let axis = serde_json::json!({"name": "position_xy.ki", "low": 0, "high": 1});
        assert_eq!(init["space"][1], axis);
        let study = init["study"].as_str().expect("a text");
        let study: Value = serde_json::from_str(study).expect("JSON");
        let gain =
            serde_json::json!({"name": "position_xy.ki", "low": 0.02, "high": 10.0, "log": true});
        assert_eq!(
            (&study["trajectory"], &study["gains"][1]),
            (&"hover".into(), &gain)
        );
    }
}

#[test]
fn a_program_that_answers_wrongly_leaves_its_cells_undone_and_the_others_kept() {
    let folder = temporary();
    let here = folder.path();
    for (number, (ask, said)) in [
        (
            "echo beaten >&2; exit 3",
            "ended with exit status: 3; last on its stderr: beaten",
        ),
        ("echo beaten", "printed no JSON object: beaten"),
        (
            "echo '{\"x\":[NaN]}'",
            "printed no JSON object: {\"x\":[NaN]}",
        ),
        ("echo '{\"x\":[0.5]}'", "x has 1 numbers; the space has 6"),
        (
            "echo '{\"x\":[0,0,0,0,0,null]}'",
            "answered without a point x of numbers",
        ),
        ("echo '{\"x\":[0,0,0,0,0,1.5]}'", "position_z.kd"),
        ("echo '{\"error\":\"full\"}'", "{\"error\":\"full\"}"),
        ("sleep 100", "has not answered within 1 s"),
        ("exec >&-; sleep 100", "closed its standard output"),
    ]
    .into_iter()
    .enumerate()
    {
        let program = format!("own={}", script(ask, NOTHING));
        let more = format!(
            "--surrogates rf --baselines none --seeds 1 --out c{number} --method-timeout-s 1"
        );
        let begun = Instant::now();
        let output = compare(here, &more, &[program]);
        assert!(begun.elapsed() < Duration::from_secs(30), "{ask}");
        assert_eq!(output.status.code(), Some(65), "{ask}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{ask}");
        let text = stderr(&output);
        let last = text.lines().last().expect("a line");
        let at = "-1: own at `ask` after 4 evaluations: ";
        assert!(last.starts_with("error: hover-mixture-own-"), "{last}");
        assert!(last.contains(at) && last.contains(said), "{last}");
        let kept = cells(&here.join(format!("c{number}")));
        assert_eq!(kept.len(), 1, "{ask}");
        assert!(kept[0].0.contains("-rf-"));
    }
    // Two lines for one question: each answer after them would be that of the question before.
    for (number, (ask, recommend, at)) in [
        (&*format!("{POINT}; {POINT}"), NOTHING, "at `ask` after 5"),
        (
            POINT,
            &*format!("{NOTHING}; {NOTHING}"),
            "at `quit` after 9",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let more = format!("--surrogates rf --baselines none --seeds 1 --out twice{number}");
        let output = compare(here, &more, &[format!("own={}", script(ask, recommend))]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(65), "{text}");
        assert!(
            text.contains(at) && text.contains("a line that nobody asked for"),
            "{text}"
        );
    }
    // The same command once it answers: the rest is flown.
    fs::write(here.join("own.sh"), "exit 1").expect("writable");
    let more = "--surrogates rf --baselines none --seeds 2 --out mended";
    let own = ["own=sh own.sh".to_owned()];
    assert_eq!(compare(here, more, &own).status.code(), Some(65));
    fs::write(here.join("own.sh"), script(POINT, NOTHING)).expect("writable");
    let mended = compare(here, more, &own);
    assert!(mended.status.success(), "{}", stderr(&mended));
    assert!(stdout(&mended).contains("4 cells, 2 of them from an earlier run"));
}

#[test]
fn programs_that_cannot_be_methods_are_refused_before_anything_is_made() {
    for (given, said) in [
        (vec!["--method", "gp=x"], "a NAME that no other method has"),
        (vec!["--method", "x"], "it must be NAME=COMMAND"),
        (
            vec!["--method", "a=x", "--method", "A=y"],
            "--method names `A` twice",
        ),
        (
            vec!["--method", "a=x", "--together", "2"],
            "it needs --together 1",
        ),
        (
            vec!["--method-timeout-s", "0"],
            "a whole number from 1 to 604800",
        ),
    ] {
        let (code, line) = refusal(&[&["compare"], &given[..]].concat());
        assert_eq!(code, 2, "{line}");
        assert!(line.contains(said), "{line}");
    }
}

#[test]
fn a_comparison_that_is_killed_at_any_instant_ends_as_one_that_is_not() {
    let folder = temporary();
    let here = folder.path();
    let own = [format!("mine={}", server())];
    let more = |out| format!("--surrogates gp --baselines none --seeds 3 --threads 2 --out {out}");
    let begun = Instant::now();
    succeeded(here, &args(&more("whole"), &own));
    let whole_ms = begun.elapsed().as_millis() as u64;
    let mut dice = Dice(11);
    let (mut left, more) = (kills(5), more("killed"));
    while left > 0 {
        let mut process = spawn(here, &args(&more, &own));
        std::thread::sleep(Duration::from_millis(dice.below(whole_ms)));
        if process.try_wait().expect("ours").is_some() {
            // All was done: from the beginning, for more kills.
            assert_same(here, "whole", "killed");
            fs::remove_dir_all(here.join("killed")).expect("ours");
            continue;
        }
        process.kill().expect("alive");
        process.wait().expect("dead");
        left -= 1;
    }
    succeeded(here, &args(&more, &own));
    assert_same(here, "whole", "killed");
}

#[test]
fn the_programs_in_python_are_methods_and_repeat_what_they_did() {
    for (module, program) in [
        ("sklearn", "compare_sklearn.py"),
        ("optuna", "compare_optuna.py TPESampler"),
    ] {
        let Some(python) = crate::served_workers::python_with(module) else {
            continue;
        };
        let folder = temporary();
        let place = concat!(env!("CARGO_MANIFEST_DIR"), "/python");
        let own = [format!("own={python} {place}/{program}")];
        for out in ["one", "two"] {
            let more = format!("--surrogates rf --baselines none --seeds 2 --out {out}");
            succeeded(folder.path(), &args(&more, &own));
        }
        assert_same(folder.path(), "one", "two");
        let said = fs::read_to_string(folder.path().join("one/table.md")).expect("written");
        assert!(said.contains("own is the program"), "{said}");
    }
}

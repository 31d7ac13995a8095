//! Environments, targets, acquisitions and finals as a user meets them.

use serde_json::Value;
use std::fs;
use std::path::Path;

use crate::program::{bo, record, refusal, stderr, stdout, temporary};

/// 15 evaluations, so that both kinds of wind are met.
const BUDGET: [&str; 6] = ["--initial", "10", "--iterations", "5", "--held-out", "3"];

fn run(folder: &Path, out: &str, flags: &str) -> Value {
    let flags: Vec<&str> = flags.split(' ').chain(BUDGET).collect();
    let output = bo(folder, &[&flags[..], &["--out", out]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    record(folder, out)
}

/// Takes up a copy of the run `out` that was cut behind its first `records` records.
fn resumed(folder: &Path, out: &str, records: usize) {
    let whole = folder.join(out);
    let cut = folder.join("cut");
    fs::create_dir_all(&cut).expect("new");
    let journal = fs::read_to_string(whole.join("trials.log")).expect("written");
    let kept: String = journal.split_inclusive('\n').take(records).collect();
    fs::write(cut.join("trials.log"), kept).expect("writable");
    let output = bo(folder, &["--resume", "cut"]);
    assert!(output.status.success(), "{}", stderr(&output));
    for file in ["run.json", "trials.log", "config.toml"] {
        let read = |run: &Path| fs::read(run.join(file)).expect("written");
        assert!(read(&whole) == read(&cut), "{file} differs");
    }
    fs::remove_dir_all(cut).expect("ours");
}

#[test]
fn environments_are_recorded_printed_reported_and_survive_a_resume() {
    let folder = temporary();
    let flags = "--surrogate gp-informed --environments telemetry --target steady";
    let run = run(folder.path(), "told", flags);
    assert_eq!(run["settings"]["environments"], "telemetry");
    assert_eq!(run["settings"]["target"], "steady");
    let environments = &run["environments"];
    assert_eq!(
        environments["flights"].as_array().expect("a list").len(),
        15
    );
    assert_eq!(environments["components"][0]["name"], "gusty");
    assert!(environments["agreement"].as_f64().expect("two domains") > 0.8);
    for trial in run["trials"].as_array().expect("a list") {
        let flight = &trial["flights"][0];
        assert!(flight["wind"]["windows"].is_u64() || flight["outcome"]["end"] != "completed");
    }
    resumed(folder.path(), "told", 13);
    let output = bo(folder.path(), &["report", "told"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = fs::read_to_string(folder.path().join("told/report.html")).expect("written");
    assert!(page.contains(">Environments</h"));
    // The report fits the surrogate again, told of the same environments.
    assert!(page.contains("The refitted models give the acquisition values of the record."));
}

#[test]
fn auto_is_told_the_winds_unless_asked_not_to_be_and_a_resume_tells_them_again() {
    let folder = temporary();
    let told = run(folder.path(), "told", "--surrogate auto");
    assert_eq!(told["settings"]["environments"], "winds");
    resumed(folder.path(), "told", 13);
    let untold = run(
        folder.path(),
        "untold",
        "--surrogate auto --environments none",
    );
    assert!(untold["settings"]["environments"].is_null());
    resumed(folder.path(), "untold", 13);
    let points = |run: &Value, from: usize, to: usize| -> Vec<Value> {
        let trials = run["trials"].as_array().expect("a list")[from..to].iter();
        trials.map(|trial| trial["x"].clone()).collect()
    };
    assert_eq!(points(&told, 0, 10), points(&untold, 0, 10), "the design");
    assert_ne!(points(&told, 10, 15), points(&untold, 10, 15));
    for (out, says) in [("told", true), ("untold", false)] {
        let output = bo(folder.path(), &["report", out]);
        assert!(output.status.success(), "{}", stderr(&output));
        let page = fs::read_to_string(folder.path().join(out).join("report.html"));
        let page = page.expect("written");
        assert_eq!(page.contains("was told how rough the wind was"), says);
        assert_eq!(page.contains("the next in as rough a wind"), says);
    }
    // Others can be told, alone or beside those that cannot.
    run(
        folder.path(),
        "informed",
        "--surrogate gp-informed --environments winds",
    );
    let flags = "compare --surrogates gp,gp-level-set --baselines none --environments winds \
                 --seeds 1 --initial 3 --iterations 1 --held-out 2 --out compared";
    let flags: Vec<&str> = flags.split_whitespace().collect();
    let output = bo(folder.path(), &flags);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn each_target_and_labels_too_give_gains_and_what_is_sensed_changes_no_flight() {
    let folder = temporary();
    let plain = run(folder.path(), "plain", "--surrogate gp-matern --flights 2");
    assert!(plain.get("environments").is_none());
    assert!(plain["settings"].get("target").is_none());
    for (environments, target) in [
        ("telemetry", "gusty"),
        ("telemetry", "worst"),
        ("labels", "mean"),
        ("labels", "steady"),
    ] {
        let flags = format!(
            "--surrogate gp-matern --flights 2 --environments {environments} --target {target}"
        );
        let told = run(folder.path(), &format!("{environments}-{target}"), &flags);
        for number in 0..10 {
            let cost = |run: &Value| run["trials"][number]["cost_m"].clone();
            assert_eq!(cost(&plain), cost(&told), "the design meets the same winds");
        }
        assert_eq!(
            told.get("environments").is_some(),
            environments == "telemetry"
        );
    }
}

#[test]
fn every_acquisition_tunes_and_resumes_to_the_same_bytes() {
    let folder = temporary();
    for acquisition in ["ucb-theory", "ei", "log-ei", "mean", "level-set"] {
        let flags = format!("--traj hover --surrogate gp-informed --acquisition {acquisition}");
        let run = run(folder.path(), acquisition, &flags);
        assert_eq!(run["settings"]["acquisition"], acquisition);
        let last = &run["trials"][14];
        assert!(last["value"].is_f64(), "{last}");
        assert_eq!(last.get("gain_nats").is_some(), acquisition == "ucb-theory");
        resumed(folder.path(), acquisition, 13);
    }
    // Rounds of four, cut in the midst of one, by a search that remembers and one that does not.
    for surrogate in ["auto", "gp-level-set"] {
        let flags = format!("--traj hover --surrogate {surrogate} --together 4");
        let run = run(folder.path(), surrogate, &flags);
        assert_eq!(run["settings"]["together"], 4);
        for records in [7, 15] {
            resumed(folder.path(), surrogate, records);
        }
    }
    // A run of an earlier version, by a rule that is gone: reported, and not searched on.
    let record = folder.path().join("mean/run.json");
    let text = std::fs::read_to_string(&record).expect("a run");
    let earlier = text.replace("\"acquisition\": \"mean\"", "\"acquisition\": \"thompson\"");
    assert_ne!(text, earlier);
    std::fs::write(&record, earlier).expect("writable");
    let output = bo(folder.path(), &["report", "mean"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = std::fs::read_to_string(folder.path().join("mean/report.html")).expect("a page");
    assert!(page.contains("thompson"));
}

#[test]
fn finals_are_recorded_reported_and_survive_a_resume() {
    let folder = temporary();
    for (surrogate, more) in [
        ("auto", "--together 5"),
        ("gp", "--kappa 2"),
        ("gp-informed", "--environments telemetry"),
    ] {
        let flags = format!("--traj hover --surrogate {surrogate} {more} --finals 5");
        let run = run(folder.path(), surrogate, &flags);
        assert_eq!(run["settings"]["finals"], 5);
        let trials = run["trials"].as_array().expect("a list");
        for (number, trial) in trials.iter().enumerate() {
            let with = 10 + (number.max(10) - 10) / 2 * 2;
            let expected = (number >= 10).then_some(with as u64);
            assert_eq!(trial["with"].as_u64(), expected, "{trial}");
        }
        let seed = |number: usize| &trials[number]["flights"][0]["weather"]["seed"];
        assert!(seed(10) == seed(11) && seed(11) != seed(12) && seed(13) != seed(14));
        let choice = &run["recommended"]["choice"];
        assert_eq!(
            (&choice["by"], &choice["pairs"]),
            (&"final".into(), &2.into())
        );
        for records in [9, 12, 15, 16] {
            resumed(folder.path(), surrogate, records);
        }
        let trials = fs::read_to_string(folder.path().join(surrogate).join("trials.csv"));
        assert_eq!(trials.expect("written").matches(",final,").count(), 5);
        let output = bo(folder.path(), &["report", surrogate]);
        assert!(output.status.success(), "{}", stderr(&output));
        let page = folder.path().join(surrogate).join("report.html");
        let page = fs::read_to_string(page).expect("written");
        assert!(page.contains("The last 5 are finals"));
        assert!(
            page.contains("in the 4 flights of the finals the best observed flight’s gains cost")
        );
        assert!(page.contains("against the surrogate’s in the same 2 winds"));
    }
    run(
        folder.path(),
        "none",
        "--traj hover --surrogate gp-level-set --finals 5",
    );
    let output = bo(folder.path(), &["report", "none"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = fs::read_to_string(folder.path().join("none/report.html")).expect("written");
    assert!(page.contains("No finals were held: one flight may tell little"));
}

#[test]
fn what_cannot_be_is_refused_before_any_flight() {
    let refused = |flags: &str| refusal(&flags.split(' ').collect::<Vec<_>>());
    assert_eq!(
        refused("--environments telemetry"),
        (2, "error: surrogate dil-gp cannot be told of environments; use --surrogate gp-informed, gp-matern or gp-level-set, or --environments none".into())
    );
    assert_eq!(
        refused("--iterations 5 --finals 6"),
        (
            2,
            "error: --finals 6 are more than the 5 evaluations after the initial design".into()
        )
    );
    assert_eq!(
        refused("--surrogate gp-informed --target gusty"),
        (2, "error: --target gusty needs environments to choose from; add --environments telemetry (or labels)".into())
    );
    assert_eq!(
        refused("--surrogate mlp --acquisition ei"),
        (
            2,
            "error: acquisition ei needs a standard deviation, which surrogate mlp does not claim"
                .into()
        )
    );
    assert_eq!(
        refused("--surrogate gp --acquisition thompson"),
        (2, "error: --acquisition thompson is gone; take ucb".into())
    );
    let (code, line) = refused("--acquisition best");
    assert_eq!(code, 2);
    assert!(
        line.contains("--acquisition does not know `best`"),
        "{line}"
    );
}

#[test]
fn the_table_of_environments_is_printed() {
    let folder = temporary();
    let flags = "--surrogate gp-informed --environments telemetry";
    let flags: Vec<&str> = flags.split(' ').chain(BUDGET).collect();
    let text = stdout(&bo(folder.path(), &flags));
    assert!(
        text.contains("Environments of the 15 tuning flights, inferred from their telemetry"),
        "{text}"
    );
    assert!(text.contains("drag rate 0."), "{text}");
}

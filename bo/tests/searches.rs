//! Contexts and acquisitions as a user meets them.

use serde_json::Value;
use std::fs;
use std::path::Path;

use crate::program::{bo, record, refusal, stderr, temporary};

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
fn auto_has_the_winds_as_context_unless_asked_not_to_and_a_resume_has_them_too() {
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
        assert_eq!(
            page.contains("received the roughness of the wind as context"),
            says
        );
        assert_eq!(page.contains("the next in as rough a wind"), says);
    }
}

/// Alone or compared with those that cannot.
#[test]
fn others_can_have_the_winds_as_context_too() {
    let folder = temporary();
    run(
        folder.path(),
        "level-set",
        "--surrogate gp-level-set --environments winds",
    );
    let flags = "compare --surrogates gp,gp-level-set --baselines none --environments winds \
                 --seeds 1 --initial 3 --iterations 1 --held-out 2 --out compared";
    let flags: Vec<&str> = flags.split_whitespace().collect();
    let output = bo(folder.path(), &flags);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn every_acquisition_tunes_and_resumes_to_the_same_bytes() {
    let folder = temporary();
    for acquisition in ["ucb", "ei", "log-ei", "mean", "level-set"] {
        let flags = format!("--traj hover --surrogate gp-level-set --acquisition {acquisition}");
        let run = run(folder.path(), acquisition, &flags);
        let kept = run["settings"]["acquisition"].as_str();
        assert_eq!(kept.unwrap_or("ucb"), acquisition);
        let last = &run["trials"][14];
        assert!(last["value"].is_f64(), "{last}");
        resumed(folder.path(), acquisition, 13);
    }
}

/// By a search that remembers and one that does not.
#[test]
fn rounds_of_four_resume_from_the_midst_of_one() {
    let folder = temporary();
    for surrogate in ["auto", "gp-level-set"] {
        let flags = format!("--traj hover --surrogate {surrogate} --together 4");
        let run = run(folder.path(), surrogate, &flags);
        assert_eq!(run["settings"]["together"], 4);
        for records in [7, 15] {
            resumed(folder.path(), surrogate, records);
        }
    }
}

/// By what is gone: they are not searched on.
#[test]
fn runs_of_earlier_versions_are_reported() {
    let folder = temporary();
    let flags = "--traj hover --surrogate gp-level-set --acquisition mean";
    run(folder.path(), "mean", flags);
    let manifest = folder.path().join("mean/manifest.json");
    fs::remove_file(manifest).expect("they have none");
    let record = folder.path().join("mean/run.json");
    let written = folder.path().join("mean/config.toml");
    let study = fs::read_to_string(&written).expect("a study");
    let text = fs::read_to_string(&record).expect("a run");
    let run: Value = serde_json::from_str(&text).expect("JSON");
    for (key, name) in [
        ("acquisition", "thompson"),
        ("surrogate", "gp-informed"),
        ("environments", "telemetry"),
    ] {
        let mut earlier = run.clone();
        earlier["settings"][key] = name.into();
        earlier["settings"]["target"] = "worst".into();
        fs::write(&record, earlier.to_string()).expect("writable");
        let (old, now) = match key {
            "acquisition" => ("name = \"mean\"", "name = \"thompson\""),
            "surrogate" => (
                "surrogate = \"gp-level-set\"",
                "surrogate = \"gp-informed\"",
            ),
            _ => (
                "environments = \"none\"",
                "environments = \"telemetry\"\ntarget = \"worst\"",
            ),
        };
        assert!(study.contains(old), "{study}");
        fs::write(&written, study.replacen(old, now, 1)).expect("writable");
        let output = bo(folder.path(), &["report", "mean"]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(bo(folder.path(), &["show", "mean"]).status.success());
    }
}

#[test]
fn what_cannot_be_is_refused_before_any_flight() {
    let refused = |flags: &str| refusal(&flags.split(' ').collect::<Vec<_>>());
    assert_eq!(
        refused("--environments winds"),
        (2, "error: surrogate dil-gp cannot use the winds as context; use --surrogate gp-level-set or auto, or --environments none".into())
    );
    assert_eq!(
        refused("--surrogate gp-informed"),
        (
            2,
            "error: surrogate gp-informed is gone; take gp-level-set".into()
        )
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
        (2, "error: acquisition thompson is gone; take ucb".into())
    );
    let (code, line) = refused("--acquisition best");
    assert_eq!(code, 2);
    assert!(
        line.contains("--acquisition does not know `best`"),
        "{line}"
    );
}

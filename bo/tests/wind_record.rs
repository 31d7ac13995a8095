//! Studies in a record of wind: tuned in one part of it, tested in the other, whole in the run's
//! folder.

use serde_json::Value;
use std::fs;
use std::path::Path;

use crate::program::{bo, stderr, stdout, temporary};

const STUDY: &str = r#"
trajectory = "hover"
surrogate = "gp"
[budget]
initial = 3
iterations = 1
held_out = 3
[[training]]
domain = "site.toml"
share = 1
[[test]]
domain = "site.toml"
"#;

/// Three minutes with a row every half second.
fn wind() -> String {
    let row = |k: u32| {
        let t = 0.5 * f64::from(k);
        format!("{t},{},{},0.1\n", 3.0 + (0.9 * t).sin(), (0.4 * t).cos())
    };
    "t,u,v,w\ns,m/s,m/s,m/s\n".to_owned() + &(0..361).map(row).collect::<String>()
}

fn write(folder: &Path, study: &str, site: &str) {
    fs::create_dir_all(folder.join("data")).expect("writable");
    fs::write(folder.join("study.toml"), study).expect("writable");
    let site = format!("name = \"site\"\nrecord = \"data/wind.csv\"\n{site}");
    fs::write(folder.join("site.toml"), site).expect("writable");
    fs::write(folder.join("data/wind.csv"), wind()).expect("writable");
}

fn refused(folder: &Path) -> String {
    let output = bo(folder, &["--config", "study.toml", "--out", "run"]);
    assert_eq!(output.status.code(), Some(65), "{}", stderr(&output));
    assert!(!folder.join("run").exists());
    let text = stderr(&output);
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn a_run_holds_its_wind_and_the_checksum_of_it() {
    let folder = temporary();
    let here = folder.path();
    write(here, STUDY, "tune = [[0, 90]]\ntest = [[90, 180]]");
    let output = bo(here, &["--config", "study.toml", "--out", "run"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = fs::read_to_string(here.join("run/run.json")).expect("a run");
    let run: Value = serde_json::from_str(&text).expect("JSON");
    let problem = &run["problem"];
    let [tuned, tested] = [&problem["training"][0]["domain"], &problem["domains"][0]];
    assert_eq!(
        (&tuned["name"], &tested["name"]),
        (&"site-tune".into(), &"site-test".into())
    );
    let crc32 = format!("{:08x}", crc32fast::hash(wind().as_bytes()));
    for domain in [tuned, tested] {
        assert_eq!(
            (&domain["record"]["crc32"], &domain["record"]["file"]),
            (&crc32.as_str().into(), &"wind.csv".into())
        );
    }
    assert!(
        !text.contains("m/s,m/s"),
        "the rows stand in the study alone"
    );
    for trial in run["trials"].as_array().expect("a list") {
        assert_eq!(trial["flights"][0]["weather"]["domain"], "site-tune");
    }
    assert_eq!(run["recommended"]["tests"][0]["domain"], "site-test");
    // The file that it came from is needed no more.
    fs::remove_file(here.join("data/wind.csv")).expect("there");
    let again = bo(here, &["--config", "run/config.toml", "--out", "again"]);
    assert!(again.status.success(), "{}", stderr(&again));
    let same = fs::read_to_string(here.join("again/run.json")).expect("a run");
    assert_eq!(same, text);
    let report = bo(here, &["report", "run", "--out", "page.html"]);
    assert!(report.status.success(), "{}", stderr(&report));
    let page = fs::read_to_string(here.join("page.html")).expect("a page");
    assert!(page.contains("equal the record to the last bit"));
    // A changed byte of it is named.
    let study = fs::read_to_string(here.join("run/config.toml")).expect("a study");
    let changed = study.replacen("\n0.5,", "\n0.6,", 1);
    assert_ne!(changed, study);
    fs::write(here.join("run/config.toml"), &changed).expect("writable");
    let report = bo(here, &["report", "run", "--out", "page2.html"]);
    assert_eq!(report.status.code(), Some(65));
    assert!(
        stderr(&report).contains("config.toml has CRC-32"),
        "{}",
        stderr(&report)
    );
    fs::write(here.join("study.toml"), &changed).expect("writable");
    let text = refused_as(here, "third");
    assert!(
        text.contains(&format!("not {crc32}: the file was changed")),
        "{text}"
    );
}

fn refused_as(folder: &Path, out: &str) -> String {
    let output = bo(folder, &["--config", "study.toml", "--out", out]);
    assert_eq!(output.status.code(), Some(65), "{}", stderr(&output));
    stderr(&output)
}

#[test]
fn a_study_that_would_test_where_it_tunes_or_flies_too_long_is_refused() {
    let folder = temporary();
    let here = folder.path();
    write(here, STUDY, "");
    let text = refused(here);
    assert!(
        text.contains("`site` and `site` both take [0, 180] s of wind.csv"),
        "{text}"
    );
    // Nor under another name, nor by parts that are named.
    let csv = STUDY.replacen("\"site.toml\"", "\"data/wind.csv\"", 1);
    write(here, &csv, "block_s = 90");
    let text = refused(here);
    assert!(
        text.contains("`wind` and `site-test` both take [90, 180] s"),
        "{text}"
    );
    write(here, STUDY, "block_s = 90\npart = \"tune\"");
    let text = refused(here);
    assert!(
        text.contains("`site` and `site` both take [0, 90] s"),
        "{text}"
    );
    write(here, STUDY, "block_s = 15");
    let text = refused(here);
    let wanted = "a flight lasts 20 s, longer than the segment [0, 15] of 15 s";
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn more_wind_than_a_study_can_hold_is_refused() {
    let folder = temporary();
    let here = folder.path();
    write(here, STUDY, "block_s = 60");
    let row = |k: u32| {
        format!(
            "{},1.00000000000000000000000000000000,2,0.0000000000000000000000000000000000000000\n",
            0.5 * f64::from(k)
        )
    };
    let long = wind()
        .lines()
        .take(2)
        .map(|line| line.to_owned() + "\n")
        .collect::<String>();
    let long = long + &(0..90_000).map(row).collect::<String>();
    fs::write(here.join("data/wind.csv"), &long).expect("writable");
    let text = refused(here);
    assert!(
        text.contains(&format!("have {} bytes together", 2 * long.len())),
        "{text}"
    );
}

#[test]
fn a_tune_is_checked_in_a_record_too() {
    let folder = temporary();
    let here = folder.path();
    write(here, STUDY, "block_s = 60\npart = \"test\"");
    let gains = bo(here, &["check", "--help"]);
    assert!(gains.status.success());
    let gains = sim::Airframe::omac().gains;
    fs::write(
        here.join("gains.toml"),
        toml::to_string(&gains).expect("TOML"),
    )
    .expect("writable");
    let arguments = [
        "check",
        "gains.toml",
        "--domain",
        "site.toml",
        "--traj",
        "hover",
        "--flights",
        "64",
        "--format",
        "json",
    ];
    let checked: Value = serde_json::from_str(&stdout(&bo(here, &arguments))).expect("JSON");
    assert_eq!(
        (&checked["domain"], &checked["trajectory"]),
        (&"site".into(), &"hover".into())
    ); // Nine windows, all of one vertical wind: whatever the flights say, it may meet more.
    let reasons = checked["reasons"].as_array().expect("a list");
    let met = reasons.iter().find(|reason| reason["about"] == "trust");
    assert_eq!(
        met.expect("a reason")["said"],
        "vehicle or wind may be other than what was flown: wind-without-vertical, few-independent-windows"
    );
    assert_eq!(met.expect("a reason")["asks"], "with-care");
}

//! The manifest of a run, and `bo verify` against it.

use serde_json::Value;
use std::fs;
use std::path::Path;

use crate::program::cells::files;
use crate::program::{SMALL, bo, stderr, stdout, succeeded, temporary};

fn tuned(folder: &Path) {
    let args = ["--traj", "hover", "--surrogate", "gp", "--out", "run"];
    succeeded(folder, &[&args[..], &SMALL].concat());
}

#[test]
fn every_file_of_a_run_but_its_circumstances_is_listed() {
    let folder = temporary();
    tuned(folder.path());
    let run = folder.path().join("run");
    let text = fs::read_to_string(run.join("manifest.json")).expect("written");
    let manifest: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(manifest["schema"], "windhover-manifest/1");
    assert_eq!(manifest["windhover"], env!("CARGO_PKG_VERSION"));
    let listed = manifest["files"].as_array().expect("a list").iter();
    let mut listed: Vec<String> = listed
        .map(|file| {
            let name = file["name"].as_str().expect("a name").to_owned();
            let bytes = fs::read(run.join(&name)).expect("there");
            assert_eq!(file["bytes"], bytes.len());
            let crc32 = format!("{:08x}", crc32fast::hash(&bytes));
            assert_eq!(file["crc32"], crc32);
            name
        })
        .collect();
    listed.extend(["env.json".to_owned(), "manifest.json".to_owned()]);
    listed.sort();
    let there: Vec<String> = files(&run).into_keys().collect();
    assert_eq!(listed, there);

    // Its command makes the same files in another place.
    let command = manifest["command"].as_str().expect("a command");
    let args: Vec<&str> = command
        .split(' ')
        .skip(1)
        .chain(["--out", "../again"])
        .collect();
    succeeded(&run, &args);
    let again = fs::read_to_string(folder.path().join("again/manifest.json")).expect("written");
    assert_eq!(again, text);
}

#[test]
fn verify_names_the_file_that_differs_and_resume_makes_it_again() {
    let folder = temporary();
    tuned(folder.path());
    let here = folder.path();
    let whole = bo(here, &["verify", "run"]);
    assert!(stdout(&whole).contains("All 11 files of its manifest are as it wrote them"));

    let gains = fs::read_to_string(here.join("run/gains.toml")).expect("written");
    fs::write(here.join("run/gains.toml"), gains.replacen('1', "2", 1)).expect("writable");
    fs::remove_file(here.join("run/flight.svg")).expect("there");
    let output = bo(here, &["verify", "run"]);
    assert_eq!(output.status.code(), Some(65));
    let text = stderr(&output);
    assert!(
        text.starts_with("error: 2 of 11 files of run are not what the run wrote: flight.svg is missing, gains.toml has CRC-32 "),
        "{text}"
    );
    assert!(
        text.ends_with("; `bo --resume run` makes all but the journal again\n"),
        "{text}"
    );
    assert_eq!((stdout(&output).as_str(), text.lines().count()), ("", 1));

    succeeded(here, &["--resume", "run"]);
    succeeded(here, &["verify", "run"]);
    assert_eq!(
        fs::read_to_string(here.join("run/gains.toml")).expect("there"),
        gains
    );
}

#[test]
fn a_run_that_is_not_whole_or_has_no_manifest_is_not_held_to_one() {
    let folder = temporary();
    tuned(folder.path());
    let here = folder.path();
    fs::remove_file(here.join("run/manifest.json")).expect("there");
    let output = succeeded(here, &["verify", "run"]);
    assert!(!stdout(&output).contains("manifest"));
    succeeded(here, &["--resume", "run"]);

    // Without its last record the run is to be taken up again.
    let journal = fs::read_to_string(here.join("run/trials.log")).expect("written");
    let cut = journal.trim_end().rfind('\n').expect("several records") + 1;
    fs::write(here.join("run/trials.log"), &journal[..cut]).expect("writable");
    let output = succeeded(here, &["verify", "run"]);
    assert!(stdout(&output).contains("not finished"));
    fs::write(here.join("run/manifest.json"), "{}").expect("writable");
    fs::write(here.join("run/trials.log"), journal).expect("writable");
    let output = bo(here, &["verify", "run"]);
    assert_eq!(output.status.code(), Some(65));
    assert!(stderr(&output).starts_with("error: run/manifest.json is damaged: missing field"));
}

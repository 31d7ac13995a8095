//! Names: no text, with blanks and accents, without a dot, in capitals.

use assert_cmd::Command;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use crate::edges::{HOVER, read};
use crate::program::{SMALL, bo, refusal, stderr, stdout, temporary, tune};

#[test]
fn a_folder_whose_name_is_no_text_holds_a_whole_run() {
    let folder = temporary();
    let name = OsStr::from_bytes(b"na\xefme");
    let mut command = Command::cargo_bin("bo").expect("the program is built");
    let command = command.current_dir(folder.path()).args(HOVER).args(SMALL);
    let output = command.arg("--out").arg(name).output().expect("starts");
    assert!(output.status.success(), "{}", stderr(&output));
    let run = folder.path().join(name);
    assert!(run.join("run.json").is_file());
    assert!(read(&run.join("env.json")).contains("na\u{fffd}me"));
    let mut command = Command::cargo_bin("bo").expect("the program is built");
    let command = command.current_dir(folder.path()).arg("verify").arg(name);
    let output = command.args(["--format", "json"]).output().expect("starts");
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn names_of_files_may_have_blanks_and_accents_and_nothing_that_leads_elsewhere() {
    let folder = temporary();
    let here = folder.path();
    let way = "t,x,y,z\n0,0,0,0\n2,0.5,0,0\n4,0,0,0\n";
    for name in ["my way é.csv", "..csv", "-way.csv"] {
        fs::write(here.join(name), way).expect("writable");
    }
    let output = tune(here, &["--traj", "my way é.csv", "--surrogate", "gp"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(here.join("runs/my way é-gp-1/run.json").is_file());
    let output = bo(here, &["report", "runs/my way é-gp-1"]);
    assert!(output.status.success(), "{}", stderr(&output));
    for name in ["./..csv", "./-way.csv"] {
        let output = bo(here, &["--traj", name]);
        assert_eq!(
            output.status.code(),
            Some(65),
            "{name}: {}",
            stderr(&output)
        );
        assert!(
            stderr(&output).contains("cannot be used"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn a_file_without_a_dot_is_a_file_to_the_flag_as_well() {
    let folder = temporary();
    let here = folder.path();
    let own = toml::to_string(&sim::Airframe::omac())
        .expect("TOML")
        .replace("\"omac\"", "\"mine\"");
    fs::write(here.join("mine"), own).expect("writable");
    let output = tune(
        here,
        &[&HOVER[..], &["--airframe", "mine", "--out", "run"]].concat(),
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let run: serde_json::Value =
        serde_json::from_str(&read(&here.join("run/run.json"))).expect("JSON");
    assert_eq!(run["problem"]["airframe"]["name"], "mine");
    let (code, said) = refusal(&["--traj", "hover", "--airframe", "mime"]);
    assert!(code == 2 && said.contains("mime"), "{said}");
}

#[test]
fn a_faulty_waypoint_file_is_named_once() {
    let folder = temporary();
    fs::write(
        folder.path().join("rep.csv"),
        "t,x,y,z\n0,0,0,0\n1,1,0,0\n1,2,0,0\n",
    )
    .expect("writable");
    let output = bo(folder.path(), &["--traj", "rep.csv"]);
    assert_eq!(output.status.code(), Some(65));
    assert_eq!(
        stderr(&output).matches("rep.csv").count(),
        1,
        "{}",
        stderr(&output)
    );
    assert_eq!(stdout(&output), "");
}

#[test]
fn a_name_in_capitals_is_told_the_one_that_is_meant() {
    for (given, meant) in [("DIL-GP", "dil-gp"), ("GP-RQ", "gp-rq"), ("RF", "rf")] {
        let (code, said) = refusal(&["--surrogate", given]);
        assert!(
            code == 2 && said.contains(&format!("did you mean `{meant}`")),
            "{said}"
        );
    }
}

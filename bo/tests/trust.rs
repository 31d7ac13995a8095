//! What is made from a run's files is made only from what the run wrote: export, report and warm
//! start hold them to the manifest, comparisons to their checksums, a resume to the run's settings.

use serde_json::Value;
use std::fs;
use std::path::Path;

use crate::program::{bo, refused, stderr, stdout, temporary, tune};

const HOVER: [&str; 4] = ["--traj", "hover", "--surrogate", "gp"];

fn tuned(folder: &Path, more: &[&str]) {
    let args = [&HOVER[..], &["--out", "run"], more].concat();
    let output = tune(folder, &args);
    assert!(output.status.success(), "{}", stderr(&output));
}

fn run_json(folder: &Path) -> String {
    fs::read_to_string(folder.join("run/run.json")).expect("written")
}

fn put(folder: &Path, file: &str, text: &str) {
    fs::write(folder.join(file), text).expect("writable");
}

#[test]
fn a_record_with_one_changed_digit_is_neither_exported_nor_reported_nor_taken_as_data() {
    let folder = temporary();
    let here = folder.path();
    tuned(here, &[]);
    let whole = run_json(here);
    let mut run: Value = serde_json::from_str(&whole).expect("JSON");
    let kp = &mut run["recommended"]["gains"]["position_xy"]["kp"];
    let before = format!("\"kp\": {kp}");
    let at = whole.rfind(&before).expect("written so");
    let digit = at + before.len() - 1;
    let changed = if &whole[digit..=digit] == "1" {
        "2"
    } else {
        "1"
    };
    put(
        here,
        "run/run.json",
        &format!("{}{changed}{}", &whole[..digit], &whole[digit + 1..]),
    );
    let commands: [&[&str]; 3] = [
        &["export", "run", "--to", "json"],
        &["report", "run"],
        &["--traj", "hover", "--warm-start", "run", "--out", "next"],
    ];
    for command in commands {
        let (code, said) = refused(here, command);
        assert_eq!(code, 65, "{command:?}: {said}");
        let expected =
            "error: 1 of 11 files of run are not what the run wrote: run.json has CRC-32 ";
        assert!(said.starts_with(expected), "{said}");
    }
    assert!(!here.join("run/json.json").exists() && !here.join("next").exists());
    // Where no manifest vouches for it, that is said; and the resume makes the right one again.
    assert!(bo(here, &["--resume", "run"]).status.success());
    assert_eq!(run_json(here), whole);
    fs::remove_file(here.join("run/manifest.json")).expect("there");
    let output = bo(here, &["export", "run", "--to", "json", "--anyway"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("run/run.json is taken as it is: no manifest.json"));
    let written = fs::read_to_string(here.join("run/json.json")).expect("written");
    assert!(written.contains("is taken as it is"), "{written}");
}

#[test]
fn a_study_file_or_gains_that_the_run_did_not_write_are_not_taken_for_its_own() {
    let folder = temporary();
    let here = folder.path();
    tuned(here, &[]);
    let gains = fs::read_to_string(here.join("run/gains.toml")).expect("written");
    put(
        here,
        "run/gains.toml",
        &gains.replacen("\nkp = ", "\nkp = 1", 1),
    );
    let (code, said) = refused(here, &["export", "run/gains.toml", "--to", "json"]);
    assert_eq!(code, 65);
    assert!(
        said.starts_with("error: run/gains.toml is not what its run wrote"),
        "{said}"
    );
    // Every command says the same, of the folder and of the file.
    let commands: [&[&str]; 7] = [
        &["export", "run", "--to", "json"],
        &["check", "run"],
        &["check", "run/gains.toml"],
        &["show", "run"],
        &["report", "run"],
        &["--traj", "hover", "--warm-start", "run", "--out", "next"],
        &["check", "run/gains.toml", "--baseline", "run"],
    ];
    for command in commands {
        assert_eq!(refused(here, command), (65, said.clone()), "{command:?}");
    }
    assert!(
        said.ends_with(
            "restore it with `bo --resume run`, or copy it elsewhere and name that file"
        )
    );
    // A copy elsewhere is the user's own.
    fs::rename(here.join("run/gains.toml"), here.join("mine.toml")).expect("possible");
    let output = bo(here, &["export", "mine.toml", "--to", "json"]);
    assert!(output.status.success(), "{}", stderr(&output));

    let study = fs::read_to_string(here.join("run/config.toml")).expect("written");
    put(
        here,
        "run/config.toml",
        &study.replace("effort_m = 0.0", "effort_m = 0.5"),
    );
    let (code, said) = refused(here, &["report", "run"]);
    assert_eq!(code, 65);
    assert!(said.contains("config.toml has "), "{said}");
}

#[test]
fn a_cost_that_its_own_flights_do_not_add_up_to_is_refused() {
    let folder = temporary();
    let here = folder.path();
    tuned(here, &[]);
    fs::remove_file(here.join("run/manifest.json")).expect("there");
    let mut run: Value = serde_json::from_str(&run_json(here)).expect("JSON");
    run["trials"][2]["cost_m"] = 1.918.into();
    put(here, "run/run.json", &run.to_string());
    let commands: [&[&str]; 3] = [
        &["export", "run", "--to", "json"],
        &["report", "run"],
        &["--traj", "hover", "--warm-start", "run", "--out", "next"],
    ];
    for command in commands {
        let output = bo(here, command);
        assert_eq!(output.status.code(), Some(65), "{command:?}");
        let said = stderr(&output);
        assert!(said.contains("a trial's cost is 1.918, not 0."), "{said}");
        assert!(said.contains("as its own flights say"), "{said}");
    }
}

/// Three flights an evaluation, one lost: the evaluation has a cost, and everybody says so.
#[test]
fn an_evaluation_that_lost_one_flight_of_three_is_no_lost_evaluation_to_anyone() {
    let folder = temporary();
    let here = folder.path();
    tuned(here, &["--flights", "3"]);
    fs::remove_file(here.join("run/manifest.json")).expect("there");
    let mut run: Value = serde_json::from_str(&run_json(here)).expect("JSON");
    let lost = serde_json::json!({"end": "diverged", "at_s": 1.0, "why": "spinning"});
    let kept = serde_json::json!({"end": "completed"});
    for trial in run["trials"].as_array_mut().expect("a list") {
        let flights = trial["flights"].as_array_mut().expect("three");
        for (flight, outcome) in flights.iter_mut().zip([&kept, &lost, &kept]) {
            flight["outcome"] = outcome.clone();
        }
        let ace = |k: usize| flights[k]["score"]["ace_m"].as_f64().expect("a number");
        let cost = (ace(0).min(2.0) + 2.0 + ace(2).min(2.0)) / 3.0;
        trial["cost_m"] = cost.into();
        trial["lost"] = false.into();
    }
    put(here, "run/run.json", &run.to_string());
    let output = bo(here, &["report", "run"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = fs::read_to_string(here.join("run/report.html")).expect("written");
    assert!(
        page.contains("7 evaluations, 0 of them lost"),
        "no evaluation is lost"
    );
    assert!(page.contains("7 evaluations of the tuning lost a flight"));
    let path = here.join("run/run.json");
    let record = bo::run::disk::archive::read(&path)
        .expect("a record")
        .record;
    assert_eq!(record.lost(), 0);
    let start = bo::study::known_by(&path).expect("data");
    assert!(
        start
            .trials
            .iter()
            .all(|trial| !trial.lost && trial.cost_m > 0.6)
    );
    let output = bo(here, &["export", "run", "--to", "json", "--anyway"]);
    assert!(
        output.status.success(),
        "not a run that lost everything: {}",
        stderr(&output)
    );
}

/// The journal's records with `change` made to the text of record `n`, its checksum made anew.
fn rewritten(folder: &Path, n: usize, change: impl Fn(&str) -> String) {
    let path = folder.join("run/trials.log");
    let journal = fs::read_to_string(&path).expect("UTF-8");
    let lines = journal.lines().enumerate().map(|(number, line)| {
        if number != n {
            return format!("{line}\n");
        }
        let json = change(&line[9..]);
        assert_ne!(json, line[9..], "something is changed");
        format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()))
    });
    fs::write(&path, lines.collect::<String>()).expect("writable");
}

#[test]
fn a_journal_whose_test_or_cost_is_not_the_run_s_is_refused_without_a_panic() {
    let folder = temporary();
    let here = folder.path();
    tuned(here, &[]);
    let journal = fs::read(here.join("run/trials.log")).expect("written");
    // Header, seven evaluations, then tests: one value short.
    rewritten(here, 8, |json| {
        let mut test: Value = serde_json::from_str(json).expect("a record");
        drop(test["ace_m"].as_array_mut().expect("a list").pop());
        test.to_string()
    });
    let (code, said) = refused_resume(here);
    assert_eq!(code, 65, "{said}");
    assert!(
        said.contains("holds a test of the default gains in gusty wind")
            && said.ends_with("the number of flights differs"),
        "{said}"
    );
    fs::write(here.join("run/trials.log"), journal).expect("writable");
    rewritten(here, 3, |json| {
        let mut trial: Value = serde_json::from_str(json).expect("a record");
        trial["cost_m"] = 0.001.into();
        trial.to_string()
    });
    let (code, said) = refused_resume(here);
    assert_eq!(code, 65, "{said}");
    assert!(
        said.contains("an evaluation 2") && said.ends_with("the cost differs"),
        "{said}"
    );
}

/// As [`refused`], of a resume, which also says what it goes on after.
fn refused_resume(folder: &Path) -> (i32, String) {
    let output = bo(folder, &["--resume", "run"]);
    let text = stderr(&output);
    let last = text.lines().last().unwrap_or_default().to_owned();
    assert!(!text.contains("panicked"), "{text}");
    (output.status.code().expect("an exit code"), last)
}

/// What happens to the bytes of a journal.
type Damage = fn(&mut Vec<u8>);

#[test]
fn a_damaged_header_is_made_again_from_the_study_file_beside_it() {
    let folder = temporary();
    let here = folder.path();
    tuned(here, &[]);
    let path = here.join("run/trials.log");
    let whole = fs::read(&path).expect("written");
    let header = whole.iter().position(|byte| *byte == b'\n').expect("lines");
    let damages: [Damage; 3] = [
        |bytes| bytes[2] ^= 1,
        |bytes| bytes[300] ^= 64,
        |bytes| bytes[..1024].fill(0),
    ];
    for (n, damage) in damages.into_iter().enumerate() {
        let mut bytes = whole.clone();
        damage(&mut bytes);
        fs::write(&path, &bytes).expect("writable");
        let (code, said) = refused(here, &["verify", "run"]);
        assert!(
            code == 65 && said.contains("`bo verify run --repair`"),
            "{said}"
        );
        let output = bo(here, &["verify", "run", "--repair"]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(fs::read(&path).expect("there"), whole, "damage {n}");
        let copy = match n {
            0 => "run/trials.log.cut-at-0".to_owned(),
            n => format!("run/trials.log.cut-at-0-{}", n + 1),
        };
        assert_eq!(fs::read(here.join(copy)).expect("kept"), bytes);
        assert!(stdout(&output).contains("the run is whole"));
    }
    // Another study is not put in the header's place, and nobody is told to repair again.
    let mut bytes = whole.clone();
    bytes[..header].fill(b'x');
    fs::write(&path, &bytes).expect("writable");
    let (code, said) = refused(here, &["verify", "run", "--repair"]);
    assert_eq!(code, 65);
    assert!(
        said.contains("cannot be repaired") && !said.contains("--repair"),
        "{said}"
    );
    assert_eq!(
        fs::read(&path).expect("there"),
        bytes,
        "nothing was written"
    );
}

#[test]
fn what_is_no_finished_run_is_called_what_it_is() {
    let folder = temporary();
    let here = folder.path();
    tuned(here, &[]);
    fs::create_dir(here.join("empty")).expect("free");
    put(here, "file", "");
    for (args, code, said) in [
        (
            &["verify", "empty"][..],
            66,
            "error: empty is not the folder of a run: it has no trials.log",
        ),
        (
            &["verify", "none"],
            66,
            "error: none is not the folder of a run: there is no such folder",
        ),
        (
            &["verify", "file"],
            66,
            "error: file is not the folder of a run: it is a file",
        ),
    ] {
        assert_eq!(refused(here, args), (code, said.to_owned()));
    }
    fs::remove_file(here.join("run/run.json")).expect("there");
    fs::rename(here.join("run"), here.join("my run")).expect("possible");
    let said = "error: my run holds an unfinished run; bring it to its end with `bo --resume 'my run'` first";
    let export = ["export", "my run", "--to", "json"];
    assert_eq!(refused(here, &export), (66, said.to_owned()));
    fs::create_dir(here.join("compared")).expect("free");
    put(here, "compared/plan.json", "{}");
    let (code, said) = refused(here, &["report", "compared"]);
    assert!(code == 66 && said.contains("compared/table.md"), "{said}");
    let (code, said) = refused(here, &["export", "compared", "--to", "json"]);
    assert!(
        code == 66 && said.contains("compared holds a comparison, not a run"),
        "{said}"
    );
}

#[test]
fn the_report_s_commands_stand_on_lines_of_their_own_and_make_the_run_again() {
    let folder = temporary();
    let here = folder.path();
    let more = ["--acquisition", "ei", "--flights", "2", "--lambda", "0.25"];
    let run = ["--traj", "hover", "--surrogate", "dil-gp", "--out", "run"];
    assert!(tune(here, &[&run[..], &more].concat()).status.success());
    let page = |here: &Path| {
        let output = bo(here, &["report", "run"]);
        assert!(output.status.success(), "{}", stderr(&output));
        fs::read_to_string(here.join("run/report.html")).expect("written")
    };
    let commands = |page: &str| {
        let (_, rest) = page
            .split_once("How to reproduce</h3>\n<pre>")
            .expect("there");
        let (commands, _) = rest.split_once("</pre>").expect("closed");
        commands.to_owned()
    };
    let with_study = commands(&page(here));
    assert_eq!(with_study.lines().count(), 3, "{with_study}");
    assert!(!with_study.contains('\u{fffd}'), "{with_study}");
    let command = with_study.lines().next().expect("the first");
    // What it promises: the same record, byte for byte.
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    assert!(bo(here, &words).status.success(), "{command}");
    assert_eq!(
        fs::read_to_string(here.join("again/run.json")).expect("written"),
        run_json(here)
    );
}

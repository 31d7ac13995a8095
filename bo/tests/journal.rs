//! A run's journal as a user meets it: killed, cut, flipped, held by another, out of room.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::program::{
    Dice, awaited, bo, kills, signal, spawn, stderr, stdout, succeeded, temporary,
};
use bo::run::disk::journal::{Contents, ScanOf};

fn scan(bytes: &[u8]) -> ScanOf<Contents> {
    bo::run::disk::journal::scan::<Contents>(bytes)
}

/// A run of 14 evaluations by the quickest surrogate.
const RUN: [&str; 10] = [
    "--traj",
    "hover",
    "--surrogate",
    "rf",
    "--initial",
    "6",
    "--iterations",
    "8",
    "--held-out",
    "3",
];

/// The files that depend on the settings alone.
const SAME: [&str; 10] = [
    "run.json",
    "manifest.json",
    "trials.log",
    "trials.csv",
    "gains.toml",
    "config.toml",
    "before-after.svg",
    "flight.svg",
    "flight.png",
    "convergence.svg",
];

fn begin(folder: &Path, out: &str, more: &[&str]) -> Output {
    succeeded(folder, &[&RUN[..], &["--out", out], more].concat())
}

/// The journal of a run that nobody disturbed.
fn undisturbed(folder: &Path) -> Vec<u8> {
    begin(folder, "whole", &[]);
    fs::read(folder.join("whole/trials.log")).expect("written")
}

/// The folder of a run `out` that has this journal and nothing else.
fn only_journal(folder: &Path, out: &str, journal: impl AsRef<[u8]>) -> PathBuf {
    let run = folder.join(out);
    let _ = fs::remove_dir_all(&run);
    fs::create_dir(&run).expect("free");
    fs::write(run.join("trials.log"), journal).expect("writable");
    run
}

fn assert_same(folder: &Path, out: &str) {
    for file in SAME {
        let read = |run: &str| fs::read(folder.join(run).join(file)).expect("written");
        assert!(read("whole") == read(out), "{file} differs in {out}");
    }
    assert!(
        !folder.join(out).join("trials.pid").exists(),
        "nobody holds a run that is over"
    );
}

/// Whole records in the journal of `run`.
fn records(run: &Path) -> usize {
    let bytes = fs::read(run.join("trials.log")).unwrap_or_default();
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// Kills a run `kills` times at instants spread over its course, each time takes it up again, and
/// compares it with one that nobody disturbed. A run that ends before it is killed is compared and
/// begun anew.
fn kill_and_resume(kills: u32) {
    let folder = temporary();
    let since = Instant::now();
    undisturbed(folder.path());
    let whole = since.elapsed();
    let run = folder.path().join("killed");
    let command = [&RUN[..], &["--out", "killed", "--resume"][..]].concat();
    let (mut done, mut dice, mut acknowledged) = (0, Dice(12_345), 0);
    while done < kills {
        let mut child = spawn(folder.path(), &command);
        sleep(Duration::from_micros(
            dice.below(whole.as_micros() as u64 / 2),
        ));
        if child.try_wait().expect("ours").is_some() {
            let output = child.wait_with_output().expect("ended");
            assert!(output.status.success(), "{}", stderr(&output));
            assert_same(folder.path(), "killed");
            fs::remove_dir_all(&run).expect("ours");
            acknowledged = 0;
            continue;
        }
        child.kill().expect("alive");
        child.wait().expect("dead");
        done += 1;
        let now = records(&run);
        assert!(
            now >= acknowledged,
            "kill {done}: {now} of {acknowledged} records are left"
        );
        acknowledged = now;
    }
    begin(folder.path(), "killed", &["--resume"]);
    assert_same(folder.path(), "killed");
}

#[test]
fn a_run_killed_at_any_instant_ends_as_if_it_had_not_been() {
    kill_and_resume(kills(5));
}

#[test]
#[ignore = "takes minutes"]
fn a_run_survives_a_hundred_kills() {
    kill_and_resume(100);
}

/// [`RUN`] with so many evaluations that the surrogate chooses, and in rounds of so many.
fn shorter(folder: &Path, out: &str, iterations: &str, together: &str) {
    let mut run = RUN.to_vec();
    run[7] = iterations;
    succeeded(
        folder,
        &[&run[..], &["--together", together, "--out", out]].concat(),
    );
}

#[test]
fn a_finished_run_with_more_iterations_ends_as_one_that_was_begun_so() {
    let folder = temporary();
    let here = folder.path();
    for (together, fewer) in [("1", "3"), ("3", "5")] {
        let _ = fs::remove_dir_all(here.join("whole"));
        begin(here, "whole", &["--together", together]);
        let out = format!("grown-{together}");
        // A round of three that was not whole is made whole.
        shorter(here, &out, fewer, together);
        let more = ["--resume", &out, "--iterations", "8"];
        let output = succeeded(here, &more);
        let said = format!("8 iterations, not {fewer}: the run resumes after ");
        assert!(stderr(&output).contains(&said), "{}", stderr(&output));
        assert_same(here, &out);
        // Once it is so it stays so, and goes without saying.
        assert!(!stderr(&succeeded(here, &more)).contains("iterations, not"));
        assert_same(here, &out);
    }
    // One that was cut short, killed on its way, and resumed as usual.
    fs::remove_dir_all(here.join("whole")).expect("ours");
    begin(here, "whole", &[]);
    shorter(here, "killed", "3", "1");
    let journal = fs::read(here.join("killed/trials.log")).expect("written");
    let run = only_journal(here, "killed", &journal[..starts(&journal)[5] + 3]);
    let mut child = spawn(here, &["--resume", "killed", "--iterations", "8"]);
    awaited("evaluation", || (records(&run) > 6).then_some(()));
    child.kill().expect("alive");
    child.wait().expect("dead");
    assert!(!run.join("run.json").exists());
    succeeded(here, &["--resume", "killed"]);
    assert_same(here, "killed");
}

#[test]
fn a_run_takes_no_fewer_iterations_than_it_flew_and_no_other_settings() {
    let folder = temporary();
    let here = folder.path();
    let journal = undisturbed(here);
    for (flags, said) in [
        (
            &["--iterations", "7"][..],
            "whole has 14 evaluations already: 6 initial ones and --iterations 7 are fewer; begin that run in a new folder",
        ),
        (
            &["--iterations", "20", "--seed", "2"],
            "whole was begun with other settings: line ",
        ),
    ] {
        let output = bo(here, &[&["--resume", "whole"], flags].concat());
        assert_eq!(output.status.code(), Some(2));
        let text = stderr(&output);
        assert!(text.starts_with(&format!("error: {said}")), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
    assert_eq!(
        fs::read(here.join("whole/trials.log")).expect("there"),
        journal
    );
    assert!(here.join("whole/run.json").exists());
}

/// Bytes at which the records of `journal` begin, and its length.
fn starts(journal: &[u8]) -> Vec<usize> {
    let feeds = journal.iter().enumerate().filter(|(_, b)| **b == b'\n');
    std::iter::once(0)
        .chain(feeds.map(|(at, _)| at + 1))
        .collect()
}

#[test]
fn a_journal_cut_at_every_byte_of_its_last_three_records_loses_one_record_at_most() {
    let folder = temporary();
    let journal = undisturbed(folder.path());
    let starts = starts(&journal);
    let records = starts.len() - 1;
    for cut in starts[records - 3]..=journal.len() {
        let scan = scan(&journal[..cut]);
        assert_eq!(scan.damage, None, "cut at {cut}");
        let begun = starts.iter().filter(|start| **start < cut).count();
        let contents = scan.contents.expect("the header is whole");
        let kept = 1 + contents.trials.len() + contents.tests.len() + usize::from(contents.ended);
        assert!(kept + 1 >= begun, "cut at {cut}: {kept} of {begun} records");
        assert_eq!(scan.whole, starts[kept], "cut at {cut}");
    }
    // The program itself, where a record begins, in its middle and before its line feed; of an
    // evaluation and of the last records.
    let trial = starts[9];
    for (n, cut) in [trial, trial + 5, starts[10] - 1, starts[records - 1] + 3]
        .into_iter()
        .enumerate()
    {
        let out = format!("cut-{n}");
        only_journal(folder.path(), &out, &journal[..cut]);
        let output = succeeded(folder.path(), &["--resume", &out]);
        let dropped = stderr(&output).contains("dropped an unfinished record");
        assert_eq!(dropped, !starts.contains(&cut), "{}", stderr(&output));
        assert_same(folder.path(), &out);
    }
}

#[test]
fn no_flipped_bit_of_a_journal_goes_unnoticed() {
    let folder = temporary();
    let journal = undisturbed(folder.path());
    let whole = scan(&journal);
    let starts = starts(&journal);
    let bits = journal.len() * 8;
    // A stride without a common factor with the number of bits visits 2,000 different ones.
    let stride = (bits / 2000).max(1) | 1;
    for n in 0..2000 {
        let bit = (n * stride) % bits;
        let mut flipped = journal.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let scan = scan(&flipped);
        let record = starts
            .iter()
            .rposition(|start| *start <= bit / 8)
            .expect("0 is first");
        match scan.damage {
            Some(damage) => assert_eq!(damage.offset, starts[record], "bit {bit}"),
            // The last line feed: what stands before it is an unfinished record.
            None => {
                assert_eq!(bit / 8, journal.len() - 1, "bit {bit}");
                assert!(scan.whole < journal.len());
                assert_ne!(scan, whole);
            }
        }
    }
}

#[test]
fn a_damaged_journal_is_refused_with_its_byte_and_repaired_with_a_copy() {
    let folder = temporary();
    let mut journal = undisturbed(folder.path());
    let start = starts(&journal)[7];
    journal[start + 40] ^= 4;
    let run = only_journal(folder.path(), "broken", &journal);
    for command in [&["--resume", "broken"][..], &["verify", "broken"]] {
        let output = bo(folder.path(), command);
        assert_eq!(output.status.code(), Some(65));
        let text = stderr(&output);
        assert!(text.contains(&format!("damaged at byte {start}")), "{text}");
        assert!(
            text.contains("--repair") && text.lines().count() == 1,
            "{text}"
        );
    }
    assert_eq!(fs::read(run.join("trials.log")).expect("there"), journal);

    let output = succeeded(folder.path(), &["verify", "broken", "--repair"]);
    assert!(
        stdout(&output).contains("6 evaluations"),
        "{}",
        stdout(&output)
    );
    let copy = fs::read(run.join(format!("trials.log.cut-at-{start}"))).expect("kept");
    assert_eq!(copy, journal[start..]);
    succeeded(folder.path(), &["--resume", "broken"]);
    assert_same(folder.path(), "broken");
    let output = bo(folder.path(), &["verify", "broken"]);
    assert!(
        stdout(&output).contains("the run is whole"),
        "{}",
        stdout(&output)
    );
}

/// `journal` with `old` replaced by `new` in one record, whose checksum is made anew.
fn rewritten(journal: &str, record: usize, old: &str, new: &str) -> String {
    let lines = journal.lines().enumerate().map(|(n, line)| {
        if n != record {
            return format!("{line}\n");
        }
        assert!(line.contains(old), "{line}");
        let json = line[9..].replacen(old, new, 1);
        format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()))
    });
    lines.collect()
}

#[test]
fn a_journal_of_another_version_or_of_other_flights_is_refused() {
    let folder = temporary();
    let journal = String::from_utf8(undisturbed(folder.path())).expect("UTF-8");
    let version = format!("\"windhover\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let cases = [
        (
            0,
            version.as_str(),
            "\"windhover\":\"0.0.9\"",
            "was begun by Windhover 0.0.9",
        ),
        (
            3,
            "\"domain\":\"",
            "\"domain\":\"x",
            "evaluation 2 that its own settings would not make: the weather",
        ),
        (
            3,
            "\"number\":2",
            "\"number\":4",
            "the record is out of order",
        ),
        (
            3,
            "\"trial\"",
            "\"trail\"",
            "of no kind that this version knows",
        ),
        (
            0,
            "journal/2",
            "journal/9",
            "of no kind that this version knows",
        ),
    ];
    for (record, old, new, said) in cases {
        only_journal(
            folder.path(),
            "other",
            rewritten(&journal, record, old, new),
        );
        let output = bo(folder.path(), &["--resume", "other"]);
        assert_eq!(output.status.code(), Some(65), "{new}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

/// The tests of gains that another build recommended are no tests of these.
#[test]
fn a_test_of_other_gains_is_flown_again_and_a_finished_journal_stays_as_it_is() {
    let folder = temporary();
    let journal = String::from_utf8(undisturbed(folder.path())).expect("UTF-8");
    let record = fs::read(folder.path().join("whole/run.json")).expect("written");
    let of = |line: &str| line.contains("\"gains\":\"recommended\"");
    let tested = journal.lines().position(of).expect("tested");
    let forged = rewritten(&journal, tested, "\"ace_m\":[", "\"ace_m\":[0.001,");
    let forged = rewritten(&forged, tested, "\"kp\":", "\"kp\":1");
    let unnamed = rewritten(&journal, tested, "\"flown\":", "\"earlier\":");
    for journal in [forged, unnamed] {
        for finished in [true, false] {
            let end = journal.lines().last().expect("ended").len() + 1;
            let kept = &journal[..journal.len() - if finished { 0 } else { end }];
            let run = only_journal(folder.path(), "other", kept);
            succeeded(folder.path(), &["--resume", "other"]);
            assert!(fs::read(run.join("run.json")).expect("written") == record);
            let now = fs::read_to_string(run.join("trials.log")).expect("UTF-8");
            assert_eq!(now == kept, finished);
        }
    }
}

#[test]
fn there_is_nothing_to_resume_where_there_is_no_run() {
    let folder = temporary();
    let cases = [
        (&["--resume", "none"][..], 66, "none/trials.log is missing"),
        (&["verify", "none"], 66, "none is not the folder of a run"),
        (&["--resume"], 2, "--resume needs the run's folder"),
    ];
    for (command, code, said) in cases {
        let output = bo(folder.path(), command);
        assert_eq!(output.status.code(), Some(code), "{command:?}");
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1);
    }
}

#[test]
fn a_run_is_not_resumed_with_other_settings() {
    let folder = temporary();
    let before = undisturbed(folder.path());
    let command = [&RUN[..], &["--kappa", "3", "--out", "whole", "--resume"]].concat();
    let output = bo(folder.path(), &command);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(
        text.contains("`kappa = 2.0`") && text.contains("`kappa = 3.0`"),
        "{text}"
    );
    // The same command again finds the run whole and makes nothing new.
    begin(folder.path(), "whole", &["--resume"]);
    let after = fs::read(folder.path().join("whole/trials.log")).expect("there");
    assert_eq!(before, after);
}

/// A run that is still under way when it is looked at.
pub fn long(folder: &Path) -> Child {
    let args = "--traj=hover --surrogate=rf --initial=2000 --out=long";
    let child = spawn(folder, &args.split(' ').collect::<Vec<_>>());
    awaited("third record", || {
        (records(&folder.join("long")) >= 3).then_some(())
    });
    child
}

#[test]
fn a_second_process_is_refused_with_the_holder_s_number() {
    let folder = temporary();
    let mut first = long(folder.path());
    for command in [
        &["--resume", "long"][..],
        &["--traj", "hover", "--out", "long"],
        &["verify", "long", "--repair"],
    ] {
        let since = Instant::now();
        let output = bo(folder.path(), command);
        assert_eq!(output.status.code(), Some(73), "{command:?}");
        let expected = format!("error: long is in use by process {}\n", first.id());
        assert_eq!(stderr(&output), expected, "{command:?}");
        assert!(since.elapsed() < Duration::from_secs(20), "at once");
    }
    let seen = bo(folder.path(), &["verify", "long"]);
    assert!(stdout(&seen).contains(&format!("In use by process {}", first.id())));
    first.kill().expect("alive");
    first.wait().expect("dead");
    // Its lock went with it; its unfinished folder is not taken for an empty one.
    let output = bo(folder.path(), &["--traj", "hover", "--out", "long"]);
    assert_eq!(output.status.code(), Some(73));
    assert!(
        stderr(&output).contains("go on with `bo --resume long`"),
        "{}",
        stderr(&output)
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_flown_and_says_how_to_go_on() {
    for (sent, code) in [("-INT", 130), ("-TERM", 143)] {
        let folder = temporary();
        let child = long(folder.path());
        signal(sent, child.id());
        let output = child.wait_with_output().expect("ends");
        assert_eq!(output.status.code(), Some(code));
        let text = stderr(&output);
        let last = text.lines().last().expect("something was said");
        let kept = records(&folder.path().join("long")) - 1;
        let expected = format!(
            "error: interrupted after {kept} evaluations, all of them kept; go on with `bo --resume long`"
        );
        assert_eq!(last, expected);
        assert_eq!(stdout(&output), "");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_the_run_goes_on_when_there_is_room() {
    let folder = temporary();
    undisturbed(folder.path());
    // Files end at 16 KiB: the header fits, some evaluations fit, the next does not.
    let program = assert_cmd::cargo::cargo_bin("bo");
    let script = format!(
        "trap '' XFSZ; ulimit -f 16; exec {} {} --out full",
        program.display(),
        RUN.join(" ")
    );
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path())
        .output()
        .expect("bash is there");
    assert_eq!(output.status.code(), Some(74), "{}", stderr(&output));
    let text = stderr(&output);
    let last = text.lines().last().expect("something was said");
    assert!(
        last.contains("cannot write full/trials.log: ") && last.contains("--resume"),
        "{last}"
    );
    assert!(
        records(&folder.path().join("full")) > 2,
        "some evaluations were kept"
    );
    let output = succeeded(folder.path(), &["--resume", "full"]);
    assert!(
        !stderr(&output).contains("dropped"),
        "half a record was taken back"
    );
    assert_same(folder.path(), "full");
}

//! Inputs without an end, numbers too large to draw, and outputs that have no room.

use std::fs;

use crate::sandbox::Sandbox;

const GOOD: &str = "x,y\n0,1\n1,3\n2,2\n3,5\n";

const FIT: &str = "exec $DILGP fit --surrogate gp --train a.csv --test a.csv";

#[test]
fn devices_pipes_and_folders_are_refused_as_every_kind_of_input() {
    let folder = Sandbox::with(&[("a.csv", GOOD)]);
    assert_eq!(folder.shell("mkfifo pipe && mkdir it").code, 0);
    for (path, what) in [
        ("/dev/zero", "a pipe, a socket or a device"),
        ("./pipe", "a pipe, a socket or a device"),
        ("it", "a folder"),
    ] {
        for flags in [
            format!("fit --surrogate gp --train {path} --test a.csv"),
            format!("fit --surrogate gp --train a.csv --test {path}"),
            format!("fit --surrogate dil-gp --train a.csv --test a.csv --environments {path}"),
        ] {
            let ran = folder.shell(&format!("exec $DILGP {flags}"));
            assert_eq!(ran.code, 65, "{flags}: {}", ran.stderr);
            let message = format!("error: cannot read {path}: it is {what}, not a file\n");
            assert_eq!(ran.stderr, message, "{flags}");
        }
    }
    let large = fs::File::create(folder.path("large.csv")).unwrap();
    // A hole in a file: it takes no room.
    large.set_len(70_000_000).unwrap();
    let ran = folder.shell("exec $DILGP fit --surrogate gp --train large.csv --test a.csv");
    assert_eq!(ran.code, 65);
    let message = ran.stderr;
    assert!(message.contains("more than 67108864 bytes"), "{message}");
}

#[test]
fn standard_output_without_room_is_a_failure_and_a_closed_pipe_is_none() {
    let folder = Sandbox::with(&[("a.csv", GOOD)]);
    for line in [
        FIT.to_owned(),
        format!("{FIT} --json"),
        "exec $DILGP --help".to_owned(),
    ] {
        let ran = folder.shell(&format!("{line} > /dev/full"));
        assert_eq!(ran.code, 74, "{line}: {}", ran.stderr);
        assert_eq!(
            ran.stderr,
            "error: cannot write to standard output: No space left on device (os error 28)\n"
        );
        let line = line.replace("exec ", "");
        let ran = folder.shell(&format!(
            "({line}; echo $? > code) 2> errors | true; cat code errors"
        ));
        assert_eq!(ran.stdout, "0\n", "{line}");
    }
}

#[test]
fn a_full_disk_ends_with_74_and_leaves_no_file_that_was_cut() {
    let folder = Sandbox::with(&[("a.csv", GOOD)]);
    let limit = "trap '' XFSZ; ulimit -f 8;";
    let ran = folder.shell(&format!("{limit} {FIT} --out full"));
    let text = ran.stderr;
    assert_eq!(ran.code, 74, "{text}");
    assert!(
        text.starts_with("error: cannot write full/fit.svg: "),
        "{text}"
    );
    assert_eq!(text.lines().count(), 1);
    let left = folder.files("full");
    assert_eq!(left, ["predictions.csv", "result.json"]);
}

/// Time stamps in nanoseconds are larger than anything that is drawn.
#[test]
fn a_fit_of_numbers_too_large_to_draw_is_printed_all_the_same() {
    let stamps = "t,y\n1700000000000000000,1\n1700000001000000000,3\n\
                  1700000002000000000,2\n1700000003000000000,5\n";
    let folder = Sandbox::with(&[("a.csv", stamps)]);
    let ran = folder.shell(&format!("{FIT} --out f"));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let text = ran.stdout;
    assert!(
        text.contains("RMSE") && text.contains("wrote f/result.json"),
        "{text}"
    );
    assert!(!text.contains("fit.svg"), "{text}");
    let message = ran.stderr;
    assert_eq!(message.lines().count(), 1, "{message}");
    let reason = "is 1.7e18: expected a finite number of at most 1e12\n";
    assert!(message.starts_with("warning: cannot draw f/fit: value "));
    assert!(message.ends_with(reason), "{message}");
    assert!(message.len() < 200, "{message}");
    assert!(folder.path("f/predictions.csv").exists());
    assert!(folder.path("f/calibration.svg").exists());
}

#[test]
fn control_characters_do_not_reach_the_terminal_and_long_cells_are_cut() {
    let cell = "\u{1b}[31m".to_owned() + &"w".repeat(100_000);
    let folder = Sandbox::with(&[("a.csv", &format!("x,y\n0,{cell}\n"))]);
    let ran = folder.shell(FIT);
    assert_eq!(ran.code, 65);
    let text = ran.stderr;
    assert!(
        text.starts_with("error: a.csv: line 2, column 2: `\\u{1b}[31mwww"),
        "{text}"
    );
    assert_eq!(
        (text.lines().count(), text.len() < 200),
        (1, true),
        "{text}"
    );
    let ran = folder
        .shell("exec $DILGP fit --surrogate gp --train \"$(printf 'n\\033[2J')\" --test a.csv");
    let text = ran.stderr;
    assert_eq!(ran.code, 66);
    assert!(
        text.starts_with("error: cannot read n\\u{1b}[2J: "),
        "{text}"
    );
}

//! The tables of numbers and the labels that the program reads, nearly right: no panic, no result that
//! is not finite, and each refusal on one line that steers no terminal. How long that goes on is set
//! by `WINDHOVER_FUZZ_SECONDS` (`checks::fuzzing::SECONDS`).

use std::fs;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use checks::fuzzing::fuzz;

/// Texts tried, a process each.
const PROCESSES: u64 = 80;

const TABLE: &str = "a,b,y\n0,1,1.5\n0.5,2,-0.25\n1,0,2e-1\n1.5,0.5,3\n2,1,0.75\n";
const LABELS: &str = "0\n1\n0\n1\n1\n";

/// Fits with `name` in the place of one of the files.
fn tried(name: &str, right: &str, line: &str) {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in [("a.csv", TABLE), ("b.csv", TABLE), ("l.csv", LABELS)] {
        fs::write(folder.path().join(file), text).unwrap();
    }
    let (mut accepted, mut refused) = (0, 0);
    fuzz(name, &[right], PROCESSES, |text| {
        fs::write(folder.path().join(name), text).unwrap();
        let mut program = Command::new(cargo_bin("dilgp"));
        let output = program
            .current_dir(folder.path())
            .args(line.split(' '))
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        match output.status.code() {
            Some(0) => {
                accepted += 1;
                let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                assert!(json["rmse"].is_f64(), "{json}");
            }
            Some(65) => {
                refused += 1;
                assert_eq!(said.lines().count(), 1, "{said:?}");
                assert!(!said.trim_end().contains(char::is_control), "{said:?}");
            }
            code => panic!("{code:?}: {said}"),
        }
    });
    // Otherwise the texts say nothing about the parser.
    assert!(accepted > 5 && refused > 5, "{accepted} {refused}");
}

#[test]
fn tables_of_training_and_of_test() {
    let line = "fit --surrogate gp --train a.csv --test b.csv --json";
    tried("a.csv", TABLE, line);
    tried("b.csv", TABLE, line);
}

#[test]
fn labels_of_environments() {
    let line = "fit --mode hierarchical --environments l.csv --train a.csv --test b.csv --json";
    tried("l.csv", LABELS, line);
}

//! The tables of numbers and the labels that the program reads, nearly right: no panic, no result that
//! is not finite, and each refusal on one line that steers no terminal. How long is set
//! by `WINDHOVER_FUZZ_SECONDS` (`checks::fuzzing::SECONDS`).

use std::fs;

use crate::sandbox::Sandbox;
use checks::fuzzing::fuzz;

/// Texts tried, a process each.
const PROCESSES: u64 = 80;

const TABLE: &str = "a,b,y\n0,1,1.5\n0.5,2,-0.25\n1,0,2e-1\n1.5,0.5,3\n2,1,0.75\n";
const LABELS: &str = "0\n1\n0\n1\n1\n";

/// Fits with `name` in the place of one of the files.
fn tried(name: &str, right: &str, line: &str) {
    let folder = Sandbox::with(&[("a.csv", TABLE), ("b.csv", TABLE), ("l.csv", LABELS)]);
    let (mut accepted, mut refused) = (0, 0);
    fuzz(name, &[right], PROCESSES, |text| {
        fs::write(folder.path(name), text).unwrap();
        let ran = folder.run(line);
        match ran.code {
            0 => {
                accepted += 1;
                let json = ran.json();
                assert!(json["rmse"].is_f64(), "{json}");
            }
            65 => {
                refused += 1;
                let message = ran.stderr;
                assert_eq!(message.lines().count(), 1, "{message:?}");
                assert!(
                    !message.trim_end().contains(char::is_control),
                    "{message:?}"
                );
            }
            code => panic!("{code:?}: {}", ran.stderr),
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

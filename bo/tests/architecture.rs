//! The house: which room may name which, and which file knows which foreign library, read from the
//! sources.

use checks::sources::{
    circles, crowded, files_without_module, in_order, library_in_one_file, rooms_name_only,
};
use std::path::Path;

fn src() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

fn shell() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/shell/src"))
}

/// From the ground up: each room may name those that it lists, and none above it. `error` holds what
/// can go wrong in the rooms above `search`.
#[test]
fn a_room_names_none_above_it() {
    let ground = ["error", "streams"];
    let with = |more: &[&'static str]| -> Vec<&'static str> {
        ground.iter().chain(more).copied().collect()
    };
    let flights = with(&["search"]);
    let run = with(&["flights", "search"]);
    let study = with(&["flights", "run", "search"]);
    let shown = with(&["flights", "run", "search", "study"]);
    let judged = with(&["flights", "report"]);
    in_order(rooms_name_only(
        src(),
        &[
            ("check", &judged),
            ("comparison", &shown),
            ("error", &["search"]),
            ("flights", &flights),
            ("report", &shown),
            ("run", &run),
            ("search", &["streams"]),
            ("serve", &["error", "run", "search"]),
            ("streams", &[]),
            ("study", &study),
        ],
    ));
}

#[test]
fn no_modules_name_one_another_in_a_circle() {
    in_order(circles(src()));
    in_order(circles(shell()));
}

/// The acquisition is maximised with argmin, in this one place and for every surrogate: its gradient
/// where it has one, its values where not.
#[test]
fn argmin_stands_where_the_acquisition_is_maximised() {
    in_order(library_in_one_file(
        src(),
        "argmin",
        "search/climb/ascent.rs",
    ));
    let ascent = std::fs::read_to_string(src().join("search/climb/ascent.rs")).expect("there");
    assert!(ascent.contains("the acquisition maximised with argmin"));
}

#[test]
fn foreign_libraries_are_known_to_one_file_each() {
    for (library, file) in [
        ("rustfft", "report/analysis/oscillation.rs"),
        ("sobol_burley", "search/climb/sobol.rs"),
    ] {
        in_order(library_in_one_file(src(), library, file));
    }
    for (library, file) in [
        ("crc32fast", "checksum.rs"),
        ("indicatif", "progress.rs"),
        ("signal_hook", "interrupt.rs"),
        ("statrs", "statistics/mod.rs"),
        ("strsim", "names.rs"),
    ] {
        in_order(library_in_one_file(shell(), library, file));
    }
}

/// Nobody finds a way about a folder with more.
#[test]
fn no_room_is_crowded() {
    in_order(crowded(src(), 11));
}

/// The tests of a crate are one program, so a file that its root does not name would never run.
#[test]
fn every_file_of_tests_is_run() {
    let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    for package in ["bo", "dilgp", "plots", "sim", "trajectories"] {
        let tests = workspace.join(package).join("tests");
        let left_out = files_without_module(&tests, "suite.rs");
        assert_eq!(left_out, [""; 0], "{package}/tests/suite.rs");
    }
}

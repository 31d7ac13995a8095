//! The house: which room may name which, and which file knows which foreign library, read from the
//! sources.

use checks::sources::{
    circles, crowded, files_without_module, in_order, library_in_one_file, named_with,
    rooms_name_only,
};
use std::path::Path;

fn src() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

fn shell() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/shell/src"))
}

fn search() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/search/src"))
}

/// From the ground up: each room may name those that it lists, and none above it.
#[test]
fn a_room_names_none_above_it() {
    let ground = ["error", "streams"];
    let with = |more: &[&'static str]| -> Vec<&'static str> {
        ground.iter().chain(more).copied().collect()
    };
    let flights = with(&[]);
    let run = with(&["flights"]);
    let study = with(&["flights", "run"]);
    let shown = with(&["flights", "run", "study"]);
    let reported = with(&["flights", "run", "serve", "study"]);
    let judged = with(&["flights", "report"]);
    in_order(rooms_name_only(
        src(),
        &[
            ("check", &judged),
            ("comparison", &shown),
            ("error", &[]),
            ("flights", &flights),
            ("report", &reported),
            ("run", &run),
            ("serve", &["error", "run"]),
            ("streams", &[]),
            ("study", &study),
        ],
    ));
}

#[test]
fn no_modules_name_one_another_in_a_circle() {
    in_order(circles(src()));
    in_order(circles(search()));
    in_order(circles(shell()));
}

/// The acquisition is maximised with argmin, in this one place and for every surrogate: its gradient
/// where it has one, its values where not.
#[test]
fn argmin_stands_where_the_acquisition_is_maximised() {
    in_order(library_in_one_file(
        search(),
        "argmin",
        "maximise/ascent.rs",
    ));
    let ascent = std::fs::read_to_string(search().join("maximise/ascent.rs")).expect("there");
    assert!(ascent.contains("the acquisition maximised with argmin"));
}

#[test]
fn foreign_libraries_are_known_to_one_file_each() {
    in_order(library_in_one_file(
        src(),
        "rustfft",
        "report/analysis/oscillation.rs",
    ));
    in_order(library_in_one_file(
        search(),
        "sobol_burley",
        "maximise/points.rs",
    ));
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

/// Words of earlier versions for which the field has a term: see the glossary.
#[test]
fn names_are_the_field_s_and_no_private_words() {
    let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let words = [
        "again",
        "ahead",
        "apart",
        "belief",
        "believed",
        "believes",
        "beside",
        "crew",
        "desk",
        "hear",
        "heard",
        "keeper",
        "lend",
        "lesson",
        "loud",
        "owed",
        "pace",
        "shelf",
        "strangers",
        "told",
        "unborn",
    ];
    for src in [
        "trajectories/src",
        "sim/src",
        "dilgp/src",
        "plots/src",
        "bo/src",
        "bo/search/src",
        "bo/shell/src",
    ] {
        in_order(named_with(&workspace.join(src), &words));
    }
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

/// What a package and its features need, as "name version features" lines.
fn tree(arguments: &[&str]) -> std::collections::BTreeSet<String> {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--prefix", "none"])
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .expect("cargo runs its tests");
    let tree = String::from_utf8(output.stdout).expect("text");
    let lines = tree.lines().map(|line| line.trim_end_matches(" (*)"));
    lines.map(str::to_owned).collect()
}

/// A package with other features is compiled again, and with it all that needs it: minutes before the first test.
#[test]
fn programs_and_tests_share_one_build() {
    let format = ["--format", "{p} {f}"];
    let tests = tree(&[&["--workspace", "--edges", "all"][..], &format].concat());
    for program in ["bo", "sim"] {
        let alone = tree(&[&["--package", program, "--edges", "no-dev"][..], &format].concat());
        assert!(alone.len() > 100, "{alone:?}");
        assert_eq!(alone.difference(&tests).next(), None, "{program}");
    }
}

/// The optimiser alone brings no vehicle, no picture and no command line.
#[test]
fn the_optimiser_stands_without_vehicles_pictures_and_programs() {
    let packages = tree(&[
        "--package",
        "search",
        "--edges",
        "normal",
        "--format",
        "{p}",
    ]);
    let names = packages.iter().filter_map(|line| line.split(' ').next());
    let packages: std::collections::BTreeSet<&str> = names.collect();
    assert!(packages.contains("dilgp"), "{packages:?}");
    for package in [
        "sim",
        "plots",
        "plotters",
        "clap",
        "rapier3d",
        "rapier3d-f64",
    ] {
        assert!(!packages.contains(package), "{package}");
    }
    assert!(packages.len() <= 120, "{}", packages.len());
}

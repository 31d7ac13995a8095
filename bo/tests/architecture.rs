//! The house: which room may name which, and which file knows which foreign library, read from the
//! sources.

use checks::sources::{circles, crowded, in_order, library_in_one_file, rooms_name_only};
use std::path::Path;

fn src() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

/// From the ground up: every room may name some of those that stand before it. `error` holds what can
/// go wrong in the rooms above `search`.
#[test]
fn a_room_names_none_above_it() {
    let ground: [&str; 5] = ["error", "files", "interrupt", "statistics", "streams"];
    let search = ["streams"];
    let flights = [
        "error",
        "export",
        "interrupt",
        "search",
        "statistics",
        "streams",
    ];
    let with = |more: &[&'static str]| -> Vec<&'static str> {
        ground.iter().copied().chain(more.iter().copied()).collect()
    };
    let run = with(&["export", "flights", "search", "terminal"]);
    let study = with(&["export", "flights", "run", "search", "terminal"]);
    let shown = with(&[
        "export", "flights", "markdown", "run", "search", "study", "terminal",
    ]);
    in_order(rooms_name_only(
        src(),
        &[
            ("checksum", &[]),
            ("comparison", &shown),
            ("error", &["export", "search", "terminal"]),
            ("export", &[]),
            ("files", &[]),
            ("flights", &flights),
            ("interrupt", &["terminal"]),
            ("markdown", &[]),
            ("measure", &["markdown", "search", "streams"]),
            ("report", &shown),
            ("run", &run),
            ("search", &search),
            ("serve", &["search"]),
            ("statistics", &[]),
            ("streams", &[]),
            ("study", &study),
            ("terminal", &[]),
        ],
    ));
}

#[test]
fn no_modules_name_one_another_in_a_circle() {
    in_order(circles(src()));
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
        ("crc32fast", "checksum.rs"),
        ("rustfft", "oscillation.rs"),
        ("sobol_burley", "sobol.rs"),
        ("statrs", "statistics.rs"),
    ] {
        in_order(library_in_one_file(src(), library, file));
    }
}

#[test]
fn no_room_is_crowded() {
    in_order(crowded(src(), 18));
}

//! What the layout promises, read from the sources: which room may name which, one foreign library
//! in one file, and a library that stands without pictures, threads and files.

use checks::sources::{
    circles, crowded, files_with_library, files_with_macro, in_order, library_in_one_file,
    rooms_name_only,
};
use std::path::{Path, PathBuf};

fn src() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

fn program() -> PathBuf {
    src().join("bin/sim")
}

#[test]
fn rooms_name_only_those_below_them() {
    let below_flight = [
        "vehicle", "control", "wind", "world", "lanes", "margins", "error",
    ];
    in_order(rooms_name_only(
        src(),
        &[
            (
                "interop",
                &["autopilot", "flight", "vehicle", "control", "wind", "error"],
            ),
            ("autopilot", &["control", "vehicle", "error"]),
            ("flight", &below_flight),
            ("margins", &["control", "vehicle", "wind"]),
            ("control", &["vehicle", "lanes", "random", "error"]),
            ("wind", &["control", "random", "error"]),
            ("vehicle", &["world", "lanes", "random", "error"]),
            ("world", &["error"]),
            ("lanes", &[]),
            ("random", &[]),
            ("error", &[]),
        ],
    ));
    in_order(rooms_name_only(
        &program(),
        &[
            ("command", &["args", "robustness"]),
            ("args", &[]),
            ("robustness", &[]),
        ],
    ));
}

#[test]
fn no_two_modules_name_each_other() {
    in_order(circles(src()));
    in_order(circles(&program()));
}

#[test]
fn no_folder_is_a_flat_heap() {
    in_order(crowded(src(), 11));
    in_order(crowded(&program(), 9));
}

#[test]
fn foreign_libraries_are_known_to_one_file_each() {
    for (library, file) in [
        ("rapier3d", "vehicle/contact/mod.rs"),
        ("mcap", "interop/log/mcap.rs"),
        ("roxmltree", "interop/vehicle_file/xml.rs"),
        ("rustfft", "wind/gust_statistics/axis.rs"),
        ("pulp", "lanes/x86.rs"),
        ("rayon", "bin/sim/command/montecarlo/mod.rs"),
    ] {
        in_order(library_in_one_file(src(), library, file));
    }
    let typed = files_with_library(src(), "clap");
    let elsewhere = |file: &&String| !file.starts_with("bin/sim/args/");
    assert_eq!(
        typed.iter().find(elsewhere),
        None,
        "what was typed has a room"
    );
    assert!(!typed.is_empty());
    for gone in ["strsim", "statrs", "indicatif", "getrandom"] {
        assert_eq!(files_with_library(src(), gone), [""; 0], "{gone}");
    }
}

/// It runs where there are none: in a browser, on bare metal.
#[test]
fn the_library_stands_without_pictures_threads_and_files() {
    for path in [
        "plots",
        "clap",
        "rayon",
        "shell::files",
        "shell::terminal",
        "std::env",
        "std::fs",
        "std::net",
        "std::process",
        "std::thread",
        "std::time",
    ] {
        let outside = |file: &String| !file.starts_with("bin/");
        let found: Vec<String> = (files_with_library(src(), path).into_iter())
            .filter(outside)
            .collect();
        assert_eq!(found, [""; 0], "{path}");
    }
    let printing = files_with_macro(src(), &["print", "println", "eprint", "eprintln", "dbg"]);
    assert_eq!(printing, [""; 0]);
}

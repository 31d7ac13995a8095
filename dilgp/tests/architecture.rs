//! One foreign library, one file; which room may name which; one posterior: what the layout promises,
//! read from the sources.

use std::path::Path;

use checks::sources::{
    circles, files_with_library, files_with_macro, in_order, library_in_one_file, rooms_name_only,
};

fn src() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

#[test]
fn foreign_libraries_are_named_by_one_file_each() {
    for (library, file) in [
        ("argmin", "minimise.rs"),
        ("faer", "cholesky.rs"),
        ("pulp", "lanes.rs"),
        ("rayon", "threads.rs"),
    ] {
        in_order(library_in_one_file(src(), library, file));
    }
    let typed = files_with_library(src(), "clap");
    let elsewhere = |file: &&String| *file != "bin/dilgp/args.rs";
    assert_eq!(
        typed.iter().find(elsewhere),
        None,
        "the command line has its own file"
    );
    assert!(!typed.is_empty());
}

#[test]
fn the_library_prints_nothing_and_only_the_program_has_pictures() {
    let printing = files_with_macro(src(), &["println", "eprintln", "print", "eprint", "dbg"]);
    assert_eq!(printing, [""; 0]);
    let drawing = files_with_library(src(), "plots");
    assert!(!drawing.is_empty());
    let of_program = |file: &String| file.starts_with("bin/");
    assert!(drawing.iter().all(of_program), "{drawing:?}");
}

/// The rooms of the library from the bottom to the top, each with those that it may name.
const ROOMS: [(&str, &[&str]); 9] = [
    ("error", &[]),
    ("threads", &[]),
    ("surrogate", &["error"]),
    ("matrix", &["error"]),
    ("minimise", &["error", "surrogate", "threads"]),
    ("baselines", &["error", "surrogate", "matrix"]),
    ("process", &["error", "surrogate", "matrix", "minimise"]),
    (
        "dil",
        &["error", "surrogate", "matrix", "minimise", "process"],
    ),
    ("validation", &["error", "surrogate", "matrix", "dil"]),
];

#[test]
fn a_room_names_only_those_that_it_may() {
    in_order(rooms_name_only(src(), &ROOMS));
    in_order(circles(src()));
    in_order(circles(&src().join("bin/dilgp")));
}

#[test]
fn only_the_process_conditions_on_data() {
    let mut solving = Vec::new();
    files_with(".solve_", src(), &mut solving);
    solving.sort();
    assert_eq!(
        solving,
        [
            "process/joint.rs",
            "process/likelihood.rs",
            "process/posterior.rs",
        ]
    );
}

fn files_with(word: &str, folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            files_with(word, &path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        let code = text.split("#[cfg(test)]").next().unwrap_or(&text);
        if code.contains(word) {
            let name = path.strip_prefix(src()).expect("below it");
            found.push(name.display().to_string());
        }
    }
}

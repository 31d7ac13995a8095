//! One foreign library, one file: what the layout promises, read from the sources.

use std::path::Path;

use checks::sources::{
    circles, files_with_library, files_with_macro, in_order, library_in_one_file,
};

fn src() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

#[test]
fn foreign_libraries_are_known_to_one_file_each() {
    for (library, file) in [
        ("argmin", "minimise.rs"),
        ("faer", "cholesky.rs"),
        ("pulp", "lanes.rs"),
        ("clap", "args.rs"),
        ("rayon", "comparison.rs"),
    ] {
        in_order(library_in_one_file(src(), library, file));
    }
}

#[test]
fn the_library_prints_nothing() {
    let printing = files_with_macro(src(), &["println", "eprintln", "print", "eprint", "dbg"]);
    assert_eq!(printing, [""; 0]);
}

#[test]
fn only_the_program_knows_pictures() {
    let knowing = files_with_library(src(), "plots");
    assert!(!knowing.is_empty());
    assert!(
        knowing.iter().all(|file| file.starts_with("bin/")),
        "{knowing:?}"
    );
}

#[test]
fn no_two_modules_of_the_program_name_each_other() {
    in_order(circles(&src().join("bin/dilgp")));
}

//! One foreign library, one file: what the layout promises, read from the sources.

#![allow(clippy::unwrap_used)] // helpers of tests fail by panicking

use std::path::Path;

fn files_with(word: &str, folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_with(word, &path, found);
        } else if std::fs::read_to_string(&path).unwrap().contains(word) {
            found.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
}

#[test]
fn foreign_libraries_are_known_to_one_file_each() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (word, file) in [
        ("argmin::", "minimise.rs"),
        ("faer::", "cholesky.rs"),
        ("indicatif::", "progress.rs"),
        ("pulp::", "lanes.rs"),
        ("strsim::", "error.rs"),
        ("clap::", "args.rs"),
        ("rayon::", "comparison.rs"),
        ("statrs::", "statistics.rs"),
    ] {
        let mut found = Vec::new();
        files_with(word, &sources, &mut found);
        assert_eq!(found, [file], "{word}");
    }
}

#[test]
fn the_library_prints_nothing() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for word in ["println!", "eprint", "print!", "dbg!"] {
        let mut found = Vec::new();
        files_with(word, &sources, &mut found);
        assert_eq!(found, [""; 0], "{word}");
    }
}

#[test]
fn only_the_program_knows_pictures() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let [mut all, mut program] = [Vec::new(), Vec::new()];
    files_with("plots::", &sources, &mut all);
    files_with("plots::", &sources.join("bin"), &mut program);
    assert!(!program.is_empty());
    assert_eq!(all.len(), program.len(), "{all:?}");
}

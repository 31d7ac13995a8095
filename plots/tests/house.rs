//! The house: which file may know which foreign library, and what the font must show.

// Helpers of an integration test are not inside a test function, where unwrap is allowed.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else {
            files.push(path);
        }
    }
    files
}

fn knowing(library: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut names: Vec<String> = sources(&folder)
        .into_iter()
        .filter(|path| std::fs::read_to_string(path).unwrap().contains(library))
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn each_foreign_library_is_known_to_one_file() {
    assert_eq!(knowing("plotters::"), ["ink.rs"]);
    assert_eq!(knowing("ab_glyph::"), ["letters.rs"]);
    assert_eq!(knowing("png::"), ["files.rs"]);
    assert_eq!(knowing("thiserror::"), ["error.rs"]);
}

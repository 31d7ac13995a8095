//! The house: which file may know which foreign library, and what the font must show.

use checks::sources::{in_order, library_in_one_file};
use std::path::Path;

#[test]
fn each_foreign_library_is_known_to_one_file() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (library, file) in [
        ("plotters", "ink.rs"),
        ("ab_glyph", "letters.rs"),
        ("png", "files.rs"),
        ("thiserror", "error.rs"),
    ] {
        in_order(library_in_one_file(&src, library, file));
    }
}

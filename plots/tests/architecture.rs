//! The layout: which room may name which, that no two files name each other, and which file may use
//! which foreign library.

use checks::sources::{circles, in_order, library_in_one_file, rooms_name_only};
use std::path::Path;

/// Every room, a folder or a file at the top of `src`, and the rooms that it may name.
const ROOMS: [(&str, &[&str]); 8] = [
    ("error", &[]),
    ("page", &[]),
    ("axes", &["page"]),
    ("scene", &["axes", "page"]),
    ("files", &["error", "page"]),
    ("palette", &["axes", "page"]),
    ("document", &["palette"]),
    ("picture", &["axes", "error", "files", "page", "scene"]),
];

/// Every foreign library, and the one file that uses it.
const LIBRARIES: [(&str, &str); 4] = [
    ("ab_glyph", "page/letters.rs"),
    ("plotters", "page/ink/mod.rs"),
    ("png", "files.rs"),
    ("thiserror", "error.rs"),
];

fn src() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

#[test]
fn a_room_names_only_those_that_it_may() {
    in_order(rooms_name_only(src(), &ROOMS));
}

#[test]
fn no_two_files_name_each_other() {
    in_order(circles(src()));
}

#[test]
fn each_foreign_library_is_used_by_one_file() {
    for (library, file) in LIBRARIES {
        in_order(library_in_one_file(src(), library, file));
    }
}

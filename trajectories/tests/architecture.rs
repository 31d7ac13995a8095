//! The layout: no trajectory knows another, and no two files name each other.

use checks::sources::{circles, in_order, library_in_one_file, rooms_name_only};
use std::path::Path;

fn src() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

#[test]
fn a_trajectory_knows_no_other() {
    in_order(rooms_name_only(
        src(),
        &[
            ("fig8", &[]),
            ("from_ground", &["remark"]),
            ("hover", &[]),
            ("remark", &[]),
            ("sin_forward", &[]),
            ("spiral_up", &[]),
            ("waypoints", &["remark"]),
        ],
    ));
}

#[test]
fn no_two_files_name_each_other() {
    in_order(circles(src()));
}

/// Only the answer to an unknown name needs more than what a trajectory is.
#[test]
fn the_shell_is_known_to_the_root_alone() {
    in_order(library_in_one_file(src(), "shell", "lib.rs"));
}

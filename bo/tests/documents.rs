//! What the documents say that this program prints.

mod program;

use assert_cmd::Command;
use program::{bo, stdout};
use std::path::Path;

#[test]
fn blocks_of_the_documents_are_what_the_program_prints() {
    let documents = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"));
    let here = tempfile::tempdir().expect("a folder");
    let held = checks::documents::hold(documents, "bo", |arguments| {
        stdout(&bo(here.path(), arguments))
    });
    assert!(held >= 8, "{held} blocks");
}

#[test]
fn the_readme_has_at_most_a_thousand_words() {
    let readme = include_str!("../../README.md");
    let words = readme.split_whitespace().count();
    assert!(words <= 1000, "{words} words");
}

#[test]
fn short_help_is_short_and_long_help_says_every_flag() {
    let held = checks::help::hold("bo", |arguments| {
        let mut program = Command::cargo_bin("bo").expect("the program is built");
        let narrow = program.env("COLUMNS", "80").args(arguments);
        String::from_utf8(narrow.output().expect("it starts").stdout).expect("UTF-8")
    });
    assert!(held >= 15, "{held} commands");
}

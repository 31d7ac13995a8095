//! What the documents say that this program prints.

use crate::program::{sim, stdout, temporary};
use assert_cmd::Command;
use std::path::Path;

#[test]
fn blocks_of_the_documents_are_what_the_program_prints() {
    let documents = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"));
    let here = temporary();
    let held = checks::documents::hold(documents, "sim", |arguments| {
        stdout(&sim(here.path(), arguments))
    });
    assert!(held >= 1, "{held} blocks");
}

#[test]
fn short_help_is_short_and_long_help_says_every_flag() {
    let held = checks::help::hold("sim", |arguments| {
        let mut program = Command::cargo_bin("sim").expect("the program is built");
        let narrow = program.env("COLUMNS", "80").args(arguments);
        String::from_utf8(narrow.output().expect("it starts").stdout).expect("UTF-8")
    });
    assert!(held >= 9, "{held} commands");
}

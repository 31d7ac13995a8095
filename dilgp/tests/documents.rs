//! What the documents say that this program prints.

use assert_cmd::Command;
use std::path::Path;

#[test]
fn blocks_of_the_documents_are_what_the_program_prints() {
    let documents = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"));
    let held = checks::documents::hold(documents, "dilgp", |arguments| {
        let mut program = Command::cargo_bin("dilgp").expect("the program is built");
        let output = program.args(arguments).output().expect("it starts");
        String::from_utf8(output.stdout).expect("UTF-8")
    });
    assert!(held >= 1, "{held} blocks");
}

#[test]
fn short_help_is_short_and_long_help_says_every_flag() {
    let held = checks::help::hold("dilgp", |arguments| {
        let mut program = Command::cargo_bin("dilgp").expect("the program is built");
        let narrow = program.env("COLUMNS", "80").args(arguments);
        String::from_utf8(narrow.output().expect("it starts").stdout).expect("UTF-8")
    });
    assert!(held >= 6, "{held} commands");
}

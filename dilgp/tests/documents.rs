//! What the program says of itself.

use assert_cmd::Command;

#[test]
fn short_help_is_short_and_long_help_says_every_flag() {
    let held = checks::help::hold("dilgp", |arguments| {
        let mut program = Command::cargo_bin("dilgp").expect("the program is built");
        let narrow = program.env("COLUMNS", "80").args(arguments);
        String::from_utf8(narrow.output().expect("it starts").stdout).expect("UTF-8")
    });
    assert!(held >= 6, "{held} commands");
}

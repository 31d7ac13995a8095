//! What the documents say that this program prints.

use assert_cmd::Command;
use std::path::Path;

#[test]
fn the_list_of_guardrails_is_whole() {
    let documents = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"));
    let all = || {
        sim::GUARDRAILS
            .iter()
            .chain(&bo::flights::trust::GUARDRAILS)
    };
    let said = |guardrail: &sim::Guardrail| {
        let does = match guardrail.severity {
            sim::Severity::Warning => "warns",
            sim::Severity::Refusal => "refuses",
        };
        format!("{} {does}: {}\n", guardrail.name, guardrail.when)
    };
    let held = checks::documents::hold(documents, "guardrails", |_| all().map(said).collect());
    assert_eq!(held, 1);
    let names: std::collections::BTreeSet<&str> = all().map(|guardrail| guardrail.name).collect();
    assert_eq!(names.len(), all().count(), "every name is one guardrail's");
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

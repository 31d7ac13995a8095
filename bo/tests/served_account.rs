//! What `bo show`, `report`, `export` and `list` say of a served study, from its journal alone.

use super::program::{bo, stderr, stdout, temporary};
use assert_cmd::prelude::*;
use std::fs;
use std::path::Path;
use std::process::Command;

const INIT: &str = r#"{"type":"init","name":"rig <1>","seed":3,"budget":9,"space":[{"name":"kp","low":0.1,"high":30,"log":true},{"name":"n","low":1,"high":9,"integer":true},{"name":"law, of turns","choices":["tilt-first","angles"]}]}"#;

/// A conversation over a pipe, kept in `folder/j`.
fn kept(folder: &Path, lines: &[&str]) {
    fs::write(folder.join("lines"), lines.join("\n") + "\n").expect("writable");
    let mut command = Command::cargo_bin("bo").expect("the program is built");
    command
        .current_dir(folder)
        .args(["serve", "--jsonl", "--journal", "j"])
        .stdin(fs::File::open(folder.join("lines")).expect("written"));
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", stderr(&output));
}

/// What the command printed.
fn said(folder: &Path, args: &[&str]) -> String {
    let output = bo(folder, args);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn a_study_is_shown_drawn_listed_and_exported() {
    let folder = temporary();
    let mut lines = vec![INIT.to_owned()];
    for k in 0..6 {
        let law = ["tilt-first", "angles"][k % 2];
        let kp = 1.5 * (k + 1) as f64;
        let y = (kp - 6.0).powi(2);
        lines.push(format!(
            r#"{{"type":"tell","x":[{kp},{n},"{law}"],"y":{y},"sem":0.5}}"#,
            n = k + 1
        ));
    }
    lines.push(r#"{"type":"tell","x":[20,9,"angles"],"crashed":true}"#.to_owned());
    lines.push(r#"{"type":"note","id":1,"text":"wind & rain, \"gusty\""}"#.to_owned());
    lines.push(r#"{"type":"withdraw","id":4,"why":"propeller loose"}"#.to_owned());
    kept(
        folder.path(),
        &lines.iter().map(String::as_str).collect::<Vec<_>>(),
    );

    let shown = said(folder.path(), &["show", "j"]);
    assert!(
        shown.starts_with("rig <1>: 6 of 9 evaluations told, 1 of them lost;"),
        "{shown}"
    );
    // Evaluation 3 has the lowest value, 0.
    assert!(
        shown.contains("in evaluation 3, at kp 6, n 4, law, of turns angles"),
        "{shown}"
    );

    said(folder.path(), &["export", "j", "--to", "csv"]);
    let table = fs::read_to_string(folder.path().join("j/evaluations.csv")).expect("written");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(
        rows[0],
        "kp,n,\"law, of turns\",value,standard_error,second_answer,note"
    );
    assert_eq!(
        rows[2],
        "3.0,2,angles,9.0,0.5,,\"wind & rain, \"\"gusty\"\"\""
    );
    assert_eq!(rows[6], "20.0,9,angles,,,,");
    assert_eq!(rows.len(), 7, "without the one that was withdrawn: {table}");

    said(folder.path(), &["report", "j"]);
    let page = fs::read_to_string(folder.path().join("j/report.html")).expect("written");
    for part in [
        "<h1>Windhover study: rig &lt;1&gt;</h1>",
        "In noise so good a value is partly luck.",
        "wind &amp; rain, &quot;gusty&quot;",
        "<b>withdrawn:</b> propeller loose",
        "<h2 id=\"what-matters\">",
        "<h2 id=\"model-along-each-parameter\">",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("Not drawn"));
    let listed = said(folder.path(), &["list", "."]);
    assert!(
        listed.contains("rig <1>") && listed.contains("6 of 9 evaluations told"),
        "{listed}"
    );

    let refused = bo(folder.path(), &["export", "j", "--to", "px4"]);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        stderr(&refused),
        "error: a served study is exported --to csv\n"
    );
    let refused = bo(folder.path(), &["export", "j", "--to", "csv"]);
    assert_eq!(refused.status.code(), Some(73), "{}", stderr(&refused));
}

#[test]
fn a_study_without_an_evaluation_has_a_page_that_says_so() {
    let folder = temporary();
    kept(folder.path(), &[INIT]);
    said(folder.path(), &["report", "j"]);
    let page = fs::read_to_string(folder.path().join("j/report.html")).expect("written");
    assert!(page.contains("No evaluation was told yet."));
    assert!(!page.contains("Not drawn") && !page.contains("<h2 id=\"evaluations\">"));
}

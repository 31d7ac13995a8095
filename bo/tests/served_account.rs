//! What `bo show`, `report`, `export` and `list` say of a served study, from its journal alone.

use super::program::{awaited, bo, stderr, stdout, temporary};
use super::server::{INIT as TWO_REALS, Server, say, tell};
use assert_cmd::prelude::*;
use bo::run::disk::journal::Records;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
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
        "at kp 6.000, n 4, law, of turns angles</title>",
        "What the model predicts for each choice",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("Not drawn") && !page.contains("incumbent"));
    let verified = said(folder.path(), &["verify", "j"]);
    assert!(verified.contains(" 7 values told"), "{verified}");
    let front = bo(folder.path(), &["show", "j", "--front"]);
    assert_eq!(
        stderr(&front),
        "error: j has no front: no output of it is `traded`\n"
    );
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
fn what_was_measured_beside_the_value_is_exported_by_name_and_the_front_is_shown() {
    let folder = temporary();
    let init = r#"{"type":"init","seed":3,"surrogate":"auto","space":[{"name":"kp","low":0,"high":1}],"covariates":[{"name":"wind_rms","mean":4,"deviation":1.5}],"outputs":[{"name":"effort","traded":true},{"name":"kp","most":9}]}"#;
    let mut lines = vec![init.to_owned()];
    for k in 0..8 {
        let (kp, wind) = (f64::from(k) / 8.0, 4.0 + f64::from(k % 3));
        let y = 2.0 - kp + 0.1 * f64::from(k % 2);
        lines.push(format!(
            r#"{{"type":"tell","x":[{kp}],"y":{y},"covariates":[{wind}],"outputs":[{kp},1]}}"#
        ));
    }
    lines.push(r#"{"type":"tell","x":[1],"crashed":true}"#.to_owned());
    lines.push(r#"{"type":"history"}"#.to_owned());
    kept(
        folder.path(),
        &lines.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    said(folder.path(), &["export", "j", "--to", "csv"]);
    let table = fs::read_to_string(folder.path().join("j/evaluations.csv")).expect("written");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(
        rows[0],
        "kp,value,standard_error,second_answer,note,wind_rms,effort,output_2"
    );
    assert_eq!(rows[3], "0.25,1.75,,,,6.0,0.25,1.0");
    assert_eq!(rows[9], "1.0,,,,,,,");
    let shown = said(folder.path(), &["show", "j", "--format", "json"]);
    let shown: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
    let history = &shown["history"];
    assert_eq!(history[2]["covariates"], serde_json::json!([6.0]));
    assert!(history[8]["covariates"].is_null());

    let front = said(folder.path(), &["show", "j", "--front"]);
    assert!(
        front.starts_with("What the models predict at the points of the front"),
        "{front}"
    );
    assert!(
        front.contains("effort") && front.contains(" +- "),
        "{front}"
    );
    let front = said(folder.path(), &["show", "j", "--front", "--format", "json"]);
    let front: serde_json::Value = serde_json::from_str(&front).expect("JSON");
    assert_eq!(front["schema"], "windhover-study-front/1");
    let members = front["front"].as_array().expect("a list");
    assert!(
        members.len() > 1 && members[0]["told"].is_object(),
        "{front}"
    );
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

/// What the page's port answers to `request`.
fn sent(port: u16, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    // A request that is too long may be refused before it is all read.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_browser_with_the_token_sees_the_study_grow_and_no_request_changes_it() {
    let folder = temporary();
    let server = Server::start(folder.path(), &["--page", "127.0.0.1:0"]).listening();
    let port = awaited("page", || {
        let said = fs::read_to_string(folder.path().join("stderr")).ok()?;
        let rest = said.split_once("http://127.0.0.1:")?.1;
        rest.split_once('/')?.0.parse::<u16>().ok()
    });
    let token = fs::read_to_string(folder.path().join("j/token")).expect("made");
    let get = |target: &str| sent(port, format!("GET {target} HTTP/1.1\r\n\r\n").as_bytes());
    let page = || get(&format!("/?token={}", token.trim()));
    assert!(page().starts_with("HTTP/1.1 200 OK\r\n"), "{}", page());
    assert!(page().contains("No evaluation was told yet."));
    let mut client = server.client();
    say(&mut client, TWO_REALS);
    for _ in 0..5 {
        let lease = say(&mut client, r#"{"type":"ask"}"#);
        client.say(&tell(&lease)).expect("told");
    }
    let shown = page();
    assert!(shown.contains("5 of 12 evaluations told"), "{shown}");
    assert!(
        shown.contains("<title>evaluation 4: "),
        "no note on a value"
    );
    assert!(shown.contains("http-equiv=\"refresh\" content=\"5\""));

    let before = server.messages().count();
    let long = format!("GET /?token={} HTTP/1.1\r\n\r\n", "a".repeat(100_000));
    let tell = r#"{"type":"tell","x":[0.5,0.5],"y":0}"#;
    let hello = format!(
        "{{\"type\":\"hello\",\"token\":\"{}\"}}\r\n{tell}\r\n\r\n",
        token.trim()
    );
    let post = format!("POST /?token={} HTTP/1.1\r\n\r\n{tell}", token.trim());
    for (request, status) in [
        ("GET / HTTP/1.1\r\n\r\n", "401"),
        ("GET /?token=0123456789abcdef HTTP/1.1\r\n\r\n", "401"),
        ("GET /../../etc/passwd HTTP/1.1\r\n\r\n", "404"),
        ("GET /j/token HTTP/1.1\r\n\r\n", "404"),
        (&post, "405"),
        (&hello, "400"),
        ("\0\u{ff}\r\n\r\n", "400"),
    ] {
        let answer = sent(port, request.as_bytes());
        let line = answer.lines().next().unwrap_or_default();
        assert!(
            line.starts_with(&format!("HTTP/1.1 {status} ")),
            "{request}: {line}"
        );
        assert!(!answer.contains(token.trim()) && !answer.contains("evaluations told"));
    }
    assert!(!sent(port, long.as_bytes()).contains("evaluations told"));
    // One that says nothing does not keep the others waiting.
    let silent = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    assert!(page().contains("5 of 12 evaluations told"));
    drop(silent);
    assert_eq!(server.messages().count(), before);
    say(&mut client, r#"{"type":"status"}"#);
}

#[test]
fn a_page_is_for_a_port_of_this_machine() {
    let folder = temporary();
    for (address, why) in [
        ("0.0.0.0:0", "only this machine is served"),
        ("unix:page.sock", "--page needs a port for a browser"),
    ] {
        let served = [
            "serve",
            "--listen",
            "unix:s",
            "--journal",
            "j",
            "--page",
            address,
        ];
        let refused = bo(folder.path(), &served);
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains(why), "{}", stderr(&refused));
        assert!(!folder.path().join("j").exists(), "nothing is begun");
    }
}

//! `bo serve --listen` and `bo serve --journal` as the programs that evaluate meet them.

use crate::server::{INIT, Server, bo, replays, say, tell, value};
use bo::serve::client::Client;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

fn refusal(client: &mut Client, message: &Value) -> String {
    client.say(message).expect_err("refused").to_string()
}

#[test]
fn evaluations_are_lent_come_back_and_are_told_once() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let server = Server::start(folder.path(), &["--lease", "1"]).listening();
    let mode = fs::metadata(folder.path().join("j/token")).expect("made");
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    let (mut a, mut b) = (server.client(), server.client());
    let before = refusal(&mut a, &json!({"type": "ask"}));
    assert!(before.contains("`ask` before `init`"), "{before}");
    for client in [&mut a, &mut b] {
        assert_eq!(say(client, INIT)["ready"], true);
    }
    let other = INIT.replace("\"seed\":3", "\"seed\":4");
    let other = refusal(&mut b, &serde_json::from_str(&other).expect("JSON"));
    assert!(other.contains("`init` was already said"), "{other}");

    let first = say(&mut a, r#"{"type":"ask"}"#);
    let second = say(&mut b, r#"{"type":"ask","lease_s":600}"#);
    assert_eq!((&first["id"], &second["id"]), (&json!(0), &json!(1)));
    assert_eq!(
        (&first["lease_s"], &second["lease_s"]),
        (&json!(1), &json!(600))
    );
    assert_ne!(first["x"], second["x"]);
    let mut stolen = tell(&second);
    stolen["key"] = first["key"].clone();
    let stolen = refusal(&mut a, &stolen);
    assert!(
        stolen.contains("`key` is not that of a lease of evaluation 1"),
        "{stolen}"
    );

    std::thread::sleep(Duration::from_millis(1050));
    let again = say(&mut b, r#"{"type":"ask","lease_s":600}"#);
    assert_eq!(
        (&again["id"], &again["x"]),
        (&first["id"], &first["x"]),
        "first in the queue"
    );
    assert_ne!(again["key"], first["key"]);
    let late = a.say(&tell(&first)).expect("kept as data");
    assert_eq!((&late["told"], &late["late"]), (&json!(true), &json!(true)));
    let doubled = b.say(&tell(&again)).expect("its own work");
    assert_eq!(doubled, json!({"id": 0, "told": true, "late": true}));
    let repeated = b.say(&tell(&again)).expect("told before");
    assert_eq!(repeated, json!({"id": 0, "told": true}));
    // Prior knowledge is nobody's evaluation, and answers for none.
    let known = json!({"type": "tell", "x": second["x"], "y": 3.5});
    assert_eq!(a.say(&known).expect("data")["id"], 2);
    assert_eq!(b.say(&tell(&second)).expect("its own")["told"], true);
    let status = say(&mut a, r#"{"type":"status"}"#);
    let numbers = ["told", "out", "waiting", "lost", "budget"].map(|name| status[name].clone());
    assert_eq!(numbers, [3, 0, 0, 0, 12].map(Value::from));

    // The budget ends it, and nobody asks for more.
    let mut lent = Vec::new();
    loop {
        let answer = say(&mut a, r#"{"type":"ask","lease_s":600}"#);
        match answer["wait"].as_bool() {
            Some(true) => break,
            _ => lent.push(answer),
        }
    }
    assert_eq!(lent.len(), 9);
    for lease in lent.iter().rev() {
        b.say(&tell(lease))
            .expect("a key is a key, whoever brings it");
    }
    assert_eq!(say(&mut a, r#"{"type":"ask"}"#), json!({"done": true}));
    let best = say(&mut a, r#"{"type":"recommend"}"#);
    assert!(value(&best["x"]) < 0.5, "{best}");
    drop(server);
    replays(folder.path());
}

#[test]
fn a_killed_server_has_all_that_it_acknowledged_and_goes_on_as_if_it_had_not_been() {
    let answers = |init: &str, told: fn(&Value) -> Value, kills: bool| {
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let mut server = Server::start(folder.path(), &[]).listening();
        let mut client = server.client();
        say(&mut client, init);
        let mut points = Vec::new();
        let mut lent: Vec<Value> = Vec::new();
        for step in 0..9 {
            lent.push(say(&mut client, r#"{"type":"ask"}"#));
            lent.push(say(&mut client, r#"{"type":"ask"}"#));
            points.extend(lent.iter().rev().take(2).map(|lease| lease["x"].clone()));
            if kills {
                server.kill();
                let journal = folder.path().join("j/messages.log");
                let mut torn = fs::File::options()
                    .append(true)
                    .open(journal)
                    .expect("there");
                torn.write_all(b"0123abcd {\"record\":").expect("room");
                server = Server::start(folder.path(), &[]).listening();
            }
            for _ in 0..=step % 3 {
                if let Some(lease) = lent.pop().filter(|lease| lease["id"].is_u64()) {
                    client
                        .say(&told(&lease))
                        .expect("a lease outlives its server");
                }
            }
            if step % 4 == 3 {
                points.push(say(&mut client, r#"{"type":"recommend"}"#));
            }
        }
        let status = say(&mut client, r#"{"type":"status"}"#);
        points.push(say(&mut client, r#"{"type":"recommend"}"#));
        points.push(status);
        if kills {
            let said = fs::read_to_string(folder.path().join("stderr")).expect("kept");
            let dropped = said.matches("unfinished record of 19 bytes").count();
            assert_eq!(dropped, 9, "{said}");
            drop(server);
            verified(folder.path());
            replays(folder.path());
        }
        points
    };
    // A process that grows, and surrogates that are fitted anew.
    for (surrogate, noise) in [
        ("matern", false),
        ("matern", true),
        ("auto", true),
        ("rf", true),
    ] {
        let mut init: Value = serde_json::from_str(INIT).expect("JSON");
        init["surrogate"] = surrogate.into();
        init["noise"] = noise.into();
        init["budget"] = Value::from(30);
        let init = init.to_string();
        let [killed, whole] = [true, false].map(|kills| answers(&init, tell, kills));
        assert_eq!(killed, whole, "{init}");
    }
    // What is told of covariates is kept with the rest.
    for surrogate in ["auto", "gp-level-set"] {
        let init = in_wind(surrogate).to_string();
        let [killed, whole] = [true, false].map(|kills| answers(&init, windy, kills));
        assert_eq!(killed, whole, "{init}");
    }
}

/// An `init` that declares a covariate.
fn in_wind(surrogate: &str) -> Value {
    let mut init: Value = serde_json::from_str(INIT).expect("JSON");
    init["surrogate"] = surrogate.into();
    init["noise"] = true.into();
    init["budget"] = Value::from(30);
    init["covariates"] = json!([{"name": "wind_rms", "mean": 4.0, "deviation": 1.5}]);
    init
}

/// The answer to a lease in a wind of its own that costs a multiple of what the point does; every seventh
/// evaluation is lost and says nothing of its wind.
fn windy(lease: &Value) -> Value {
    let id = lease["id"].as_u64().expect("numbered");
    let mut told = tell(lease);
    if id % 7 == 5 {
        told.as_object_mut().expect("an object").remove("y");
        told["crashed"] = true.into();
        return told;
    }
    let wind = 2.0 + (id * 5 % 9) as f64 / 2.0;
    told["y"] = (value(&lease["x"]) + 3.0 * wind).into();
    told["covariates"] = json!([wind]);
    told
}

#[test]
fn covariates_count_of_evaluations_that_are_late_lost_or_from_elsewhere_and_replay() {
    // With the winds as they were, and with the mean wind in the place of each.
    let recommended = |told: fn(&Value) -> Value| {
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let server = Server::start(folder.path(), &["--lease", "1"]).listening();
        let (mut a, mut b) = (server.client(), server.client());
        let init = in_wind("auto").to_string();
        let other = init.replace("\"mean\":4.0", "\"mean\":5.0");
        assert_eq!(say(&mut a, &init)["ready"], true);
        let other = refusal(&mut b, &serde_json::from_str(&other).expect("JSON"));
        assert!(other.contains("`init` was already said"), "{other}");
        assert_eq!(say(&mut b, &init)["ready"], true);

        let first = say(&mut a, r#"{"type":"ask"}"#);
        let mut silent = told(&first);
        let fields = silent.as_object_mut().expect("an object");
        fields.remove("covariates");
        let silent = refusal(&mut a, &silent);
        assert!(
            silent.contains("`covariates`: expected 1, as `init` declares, given 0"),
            "{silent}"
        );
        std::thread::sleep(Duration::from_millis(1050));
        let again = say(&mut b, r#"{"type":"ask","lease_s":600}"#);
        assert_eq!(again["id"], first["id"]);
        assert_eq!(a.say(&told(&first)).expect("kept as data")["late"], true);
        let mut known = told(&first);
        let known = known.as_object_mut().expect("an object");
        known.extend([("x".to_owned(), json!([0.5, 0.5]))]);
        known.retain(|field, _| field != "id" && field != "key");
        let known = json!(known);
        assert_eq!(a.say(&known).expect("data")["told"], true);
        for _ in 0..16 {
            let lease = say(&mut a, r#"{"type":"ask","lease_s":600}"#);
            a.say(&told(&lease)).expect("its own");
        }
        let status = say(&mut a, r#"{"type":"status"}"#);
        assert_eq!((&status["told"], &status["lost"]), (&json!(18), &json!(2)));
        let best = say(&mut a, r#"{"type":"recommend"}"#).to_string();
        drop(server);
        replays(folder.path());
        best
    };
    let in_the_mean = |lease: &Value| {
        let mut told = windy(lease);
        if told["crashed"] != true {
            told["covariates"] = json!([4.0]);
        }
        told
    };
    assert_ne!(recommended(windy), recommended(in_the_mean));
}

/// `bo verify` counts what a journal holds, names the byte where it is damaged and saves what is whole.
fn verified(folder: &Path) {
    let verify = |more: &[&str]| {
        let output = bo()
            .current_dir(folder)
            .args(["verify", "j"])
            .args(more)
            .output();
        let output = output.expect("starts");
        let said = [output.stdout, output.stderr].concat();
        (
            output.status.code(),
            String::from_utf8(said).expect("UTF-8"),
        )
    };
    let (code, said) = verify(&[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains(" values told"), "{said}");
    let path = folder.join("j/messages.log");
    let whole = fs::read(&path).expect("there");
    let mut damaged = whole.clone();
    let at = whole.len() - 5;
    damaged[at] ^= 1;
    fs::write(&path, &damaged).expect("writable");
    let (code, said) = verify(&[]);
    assert_eq!(code, Some(65), "{said}");
    assert!(
        said.contains("j/messages.log is damaged at byte "),
        "{said}"
    );
    let (code, said) = verify(&["--repair"]);
    assert_eq!(code, Some(0), "{said}");
    let saved = fs::read(&path).expect("there");
    assert!(!saved.is_empty() && whole.starts_with(&saved), "{said}");
    fs::write(&path, &whole).expect("writable");
}

#[test]
fn a_pipe_that_keeps_its_messages_asks_again_what_was_not_told() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
    let start = || {
        let mut child = bo()
            .current_dir(folder.path())
            .args(["serve", "--jsonl", "--journal", "j"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        (child, output)
    };
    let ask = |child: &mut Child, output: &mut BufReader<_>, line: &str| -> Value {
        let input = child.stdin.as_mut().expect("piped");
        writeln!(input, "{line}").expect("it reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("it answers");
        serde_json::from_str(&line).expect("JSON")
    };
    let (mut child, mut output) = start();
    writeln!(child.stdin.as_mut().expect("piped"), "{INIT}").expect("it reads");
    let asked: Vec<Value> = (0..4)
        .map(|_| ask(&mut child, &mut output, r#"{"type":"ask"}"#))
        .collect();
    let told = ask(&mut child, &mut output, &tell(&asked[1]).to_string());
    assert_eq!(told, json!({"id": 1, "told": true}));
    // As a client says it that knows nothing of numbers: there is no answer.
    let plain = json!({"type": "tell", "x": asked[0]["x"], "y": 1.0});
    writeln!(child.stdin.as_mut().expect("piped"), "{plain}").expect("it reads");
    let status = ask(&mut child, &mut output, r#"{"type":"status"}"#);
    assert_eq!((&status["told"], &status["out"]), (&json!(2), &json!(2)));
    child.kill().expect("it runs");
    child.wait().expect("it ends");

    let (mut child, mut output) = start();
    writeln!(child.stdin.as_mut().expect("piped"), "{INIT}").expect("it reads");
    for lease in &asked[2..] {
        let again = ask(&mut child, &mut output, r#"{"type":"ask"}"#);
        assert_eq!((&again["id"], &again["x"]), (&lease["id"], &lease["x"]));
    }
    let new = ask(&mut child, &mut output, r#"{"type":"ask"}"#);
    assert_eq!(new["id"], 4);
    drop(child.stdin.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    replays(folder.path());
}

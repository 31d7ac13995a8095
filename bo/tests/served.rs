//! `bo serve --listen` and `bo serve --journal` as many other programs meet them, hostile ones among
//! them.

#![cfg(unix)]

mod server;

use bo::serve::client::Client;
use serde_json::{Value, json};
use server::{INIT, Server, bo, replays, tell, value};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

fn heard(stream: &mut BufReader<UnixStream>) -> Value {
    let mut line = String::new();
    stream.read_line(&mut line).expect("an answer");
    serde_json::from_str(&line).unwrap_or_default()
}

fn say(client: &mut Client, line: &str) -> Value {
    let message = serde_json::from_str(line).expect("JSON");
    client.say(&message).expect("answered")
}

fn refusal(client: &mut Client, message: &Value) -> String {
    client.say(message).expect_err("refused").to_string()
}

#[test]
fn evaluations_are_lent_come_back_and_are_told_once() {
    let folder = tempfile::tempdir().expect("temporary folder");
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
    let doubled = refusal(&mut b, &tell(&again));
    assert!(
        doubled.contains("evaluation 0 was told already"),
        "{doubled}"
    );
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
        let folder = tempfile::tempdir().expect("temporary folder");
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
    // A process that grows, surrogates that are fitted anew, and each way to suppose what is out.
    for (surrogate, pending, noise) in [
        ("matern", "mean", false),
        ("matern", "draw", true),
        ("auto", "mean", true),
        ("rf", "worst", true),
    ] {
        let mut init: Value = serde_json::from_str(INIT).expect("JSON");
        init["surrogate"] = surrogate.into();
        init["pending"] = pending.into();
        init["noise"] = noise.into();
        init["budget"] = Value::from(30);
        let init = init.to_string();
        let [killed, whole] = [true, false].map(|kills| answers(&init, tell, kills));
        assert_eq!(killed, whole, "{init}");
    }
    // What is told of covariates is kept with the rest.
    for (surrogate, pending) in [("auto", "mean"), ("gp-matern", "draw")] {
        let mut init = in_wind(surrogate);
        init["pending"] = pending.into();
        let init = init.to_string();
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
        let folder = tempfile::tempdir().expect("temporary folder");
        let server = Server::start(folder.path(), &["--lease", "1"]).listening();
        let (mut a, mut b) = (server.client(), server.client());
        let init = in_wind("gp-matern").to_string();
        let other = init.replace("\"mean\":4.0", "\"mean\":5.0");
        assert_eq!(say(&mut a, &init)["ready"], true);
        let other = refusal(&mut b, &serde_json::from_str(&other).expect("JSON"));
        assert!(other.contains("`init` was already said"), "{other}");
        assert_eq!(say(&mut b, &init)["ready"], true);

        let first = say(&mut a, r#"{"type":"ask"}"#);
        let mut silent = told(&first);
        silent
            .as_object_mut()
            .expect("an object")
            .remove("covariates");
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
    assert!(said.contains(" evaluations told"), "{said}");
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
    let folder = tempfile::tempdir().expect("temporary folder");
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

#[test]
fn addresses_tokens_and_folders_that_cannot_be_are_refused_on_one_line() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let refused = |args: &[&str], code: i32, words: &str| {
        let output = bo()
            .current_dir(folder.path())
            .args(args)
            .output()
            .expect("starts");
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(words) && said.lines().count() == 1, "{said}");
    };
    let serve = |address, more: &[&'static str]| {
        [&["serve", "--listen", address, "--journal", "j"][..], more].concat()
    };
    refused(
        &serve("0.0.0.0:4000", &[]),
        2,
        "only this machine is served",
    );
    refused(
        &serve("example.org:4000", &[]),
        2,
        "only this machine is served",
    );
    let open = folder.path().join("open");
    fs::write(&open, "0123456789abcdef").expect("writable");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o640)).expect("ours");
    refused(
        &serve("unix:s", &["--token-file", "open"]),
        65,
        "may be read by others (mode 640)",
    );
    fs::set_permissions(&open, fs::Permissions::from_mode(0o600)).expect("ours");
    fs::write(&open, "short").expect("writable");
    refused(
        &serve("unix:s", &["--token-file", "open"]),
        65,
        "holds no token",
    );
    fs::write(folder.path().join("mine"), "").expect("writable");
    refused(
        &["serve", "--listen", "unix:s", "--journal", "."],
        73,
        "already holds files",
    );
    let connect = [
        "worker",
        "--connect",
        "unix:none",
        "--token-file",
        "open",
        "--patience",
        "0",
    ];
    fs::write(&open, "0123456789abcdef").expect("writable");
    refused(&connect, 66, "no server answers at unix:none");
    let server = Server::start(folder.path(), &[]).listening();
    refused(&serve("unix:t", &[]), 73, "in use by process");
    let mut wrong = connect;
    wrong[2] = "unix:s";
    refused(&wrong, 65, "say hello with the server's token first");
    drop(server);
}

#[test]
fn a_hostile_client_neither_stops_the_server_nor_changes_what_another_hears() {
    let connections: usize = std::env::var("WINDHOVER_CONNECTIONS")
        .map_or(500, |count| count.parse().expect("a number"));
    let answers = |hostile: bool| {
        let folder = tempfile::tempdir().expect("temporary folder");
        let server = Server::start(folder.path(), &[]).listening();
        let mut client = server.client();
        let mut heard_of = vec![say(&mut client, INIT)];
        let token = fs::read_to_string(folder.path().join("j/token")).expect("made");
        for step in 0..6 {
            let lease = say(&mut client, r#"{"type":"ask"}"#);
            if hostile {
                strangers(&server, step);
                insider(&server, token.trim(), &lease, step == 0);
            }
            heard_of.push(lease["x"].clone());
            client.say(&tell(&lease)).expect("its own");
        }
        if hostile {
            for _ in 0..connections {
                drop(server.raw());
            }
        }
        heard_of.push(say(&mut client, r#"{"type":"recommend"}"#));
        heard_of.push(say(&mut client, r#"{"type":"status"}"#));
        heard_of
    };
    assert_eq!(answers(true), answers(false));
}

/// Those that do not know the token.
fn strangers(server: &Server, step: usize) {
    let noise: Vec<u8> = (0..100_000u32)
        .map(|k| (k.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let lines: [&[u8]; 8] = [
        b"\n",
        b"{\"type\":\"ask\"}\n",
        b"{\"type\":\"hello\"}\n",
        b"{\"type\":\"hello\",\"token\":\"0000000000000000000000000000000000000000000000000000000000000000\"}\n",
        b"{\"type\":\"hello\",\"token\":[1]}\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\xff\xfe\n",
        &noise,
    ];
    let mut stream = server.raw();
    // It may be refused before it has said all.
    let _ = stream.get_mut().write_all(lines[step % lines.len()]);
    let _ = stream.get_mut().shutdown(std::net::Shutdown::Write);
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    let said = String::from_utf8_lossy(&rest);
    assert!(!said.contains("\"x\"") && !said.contains("ready"), "{said}");
}

/// One that knows the token.
fn insider(server: &Server, token: &str, lease: &Value, large: bool) {
    let mut stream = server.raw();
    let mut ask = |bytes: &[u8]| {
        stream.get_mut().write_all(bytes).expect("it reads");
        heard(&mut stream)
    };
    let hello = json!({"type": "hello", "token": token}).to_string() + "\n";
    assert_eq!(ask(hello.as_bytes())["hello"], "windhover");
    let (id, x) = (&lease["id"], &lease["x"]);
    for message in [
        json!({"type": "tell", "id": id, "key": "00", "y": -9.0}),
        json!({"type": "tell", "id": id, "key": "f".repeat(32), "y": -9.0}),
        json!({"type": "tell", "id": id, "x": x, "y": -9.0}),
        json!({"type": "tell", "id": u64::MAX, "key": lease["key"], "y": -9.0}),
        json!({"type": "tell", "key": lease["key"], "y": -9.0}),
        json!({"type": "ask", "lease_s": 0}),
        json!({"type": "hello", "token": token}),
        json!([1, 2]),
    ] {
        let answer = ask((message.to_string() + "\n").as_bytes());
        assert!(answer["error"].is_string(), "{message}: {answer}");
    }
    assert!(ask(b"\xff\xfe\n")["error"].is_string());
    if large {
        let mut line = vec![b'['; 100_000_000];
        line.push(b'\n');
        assert!(ask(&line)["error"].is_string());
    }
}

//! Who may connect to `bo serve --listen`: addresses, tokens and folders, and programs that mean no good.

use crate::server::{INIT, Server, bo, say, tell};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;

fn heard(stream: &mut BufReader<UnixStream>) -> Value {
    let mut line = String::new();
    stream.read_line(&mut line).expect("an answer");
    serde_json::from_str(&line).unwrap_or_default()
}

#[test]
fn addresses_tokens_and_folders_that_cannot_be_are_refused_on_one_line() {
    let folder = temp_dir::TempDir::new().expect("temporary folder");
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
        let folder = temp_dir::TempDir::new().expect("temporary folder");
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

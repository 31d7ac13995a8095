//! A server under test, and what it is asked.

use crate::program::awaited;
use bo::run::disk::journal::{Records, scan};
use bo::serve::address::Address;
use bo::serve::client::Client;
use bo::serve::messages::Messages;
use serde_json::{Value, json};
use shell::token;
use std::fs;
use std::io::BufReader;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub const INIT: &str = r#"{"type":"init","space":[{"name":"kp","low":0.02,"high":2.0,"log":true},{"name":"kd","low":0,"high":1}],"seed":3,"noise":false,"initial":4,"budget":12}"#;

pub fn bo() -> Command {
    Command::new(env!("CARGO_BIN_EXE_bo"))
}

/// A server on a socket in a folder.
pub struct Server {
    pub child: Child,
    pub folder: PathBuf,
}

impl Server {
    pub fn start(folder: &Path, more: &[&str]) -> Server {
        let said = fs::File::options()
            .create(true)
            .append(true)
            .open(folder.join("stderr"))
            .expect("writable");
        let child = bo()
            .current_dir(folder)
            .args(["serve", "--listen", "unix:s", "--journal", "j"])
            .args(more)
            .stdin(Stdio::null())
            .stderr(said)
            .spawn()
            .expect("starts");
        Server {
            child,
            folder: folder.to_owned(),
        }
    }

    /// Waits until it listens.
    pub fn listening(self) -> Server {
        let socket = self.folder.join("s");
        awaited("listener", || UnixStream::connect(&socket).ok());
        self
    }

    pub fn client(&self) -> Client {
        let address = format!("unix:{}", self.folder.join("s").display());
        let token = token::read(&self.folder.join("j/token")).expect("made");
        let address = Address::parse(&address).expect("a path");
        Client::new(address, token, Duration::from_secs(60))
    }

    pub fn raw(&self) -> BufReader<UnixStream> {
        let stream = UnixStream::connect(self.folder.join("s")).expect("listens");
        let limit = Some(Duration::from_secs(60));
        stream.set_read_timeout(limit).expect("a socket");
        BufReader::new(stream)
    }

    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    pub fn messages(&self) -> Messages {
        messages(&self.folder)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn messages(folder: &Path) -> Messages {
    let bytes = fs::read(folder.join("j").join(Messages::NAME)).expect("kept");
    let scan = scan::<Messages>(&bytes);
    assert_eq!(scan.damage, None);
    scan.contents.expect("whole")
}

pub fn value(x: &Value) -> f64 {
    let at = |k: usize| x[k].as_f64().expect("a number");
    (at(0).ln() + 1.0).powi(2) + (at(1) - 0.3).powi(2)
}

pub fn tell(lease: &Value) -> Value {
    json!({"type": "tell", "id": lease["id"], "key": lease["key"], "y": value(&lease["x"])})
}

pub fn replays(folder: &Path) {
    let replayed = bo()
        .current_dir(folder)
        .args(["serve", "--replay", "--journal", "j"])
        .output()
        .expect("starts");
    let said = String::from_utf8_lossy(&replayed.stdout).into_owned();
    let wrong = String::from_utf8_lossy(&replayed.stderr).into_owned();
    assert!(said.contains("the same bytes"), "{said}{wrong}");
}

/// The answer to `line`, which must be taken.
pub fn say(client: &mut Client, line: &str) -> Value {
    let message = serde_json::from_str(line).expect("JSON");
    client.say(&message).expect("answered")
}

//! Client: sends one message at a time to a server and receives its answer, even if the server is killed
//! and started again meanwhile.

use super::address::{Address, Stream};
use crate::Error;
use serde_json::{Value, json};
use shell::{Failure, exit};
use std::io::{BufRead, BufReader, ErrorKind, Result, Write};
use std::thread;
use std::time::{Duration, Instant};

/// Between two tries to reach a server.
const RETRY_EVERY: Duration = Duration::from_millis(100);

/// A client of one server.
pub struct Client {
    address: Address,
    token: String,
    /// How long a server may be away.
    patience: Duration,
    stream: Option<BufReader<Stream>>,
}

impl Client {
    /// A client of the server at `address`; nothing is sent yet.
    pub fn new(address: Address, token: String, patience: Duration) -> Client {
        Client {
            address,
            token,
            patience,
            stream: None,
        }
    }

    /// The server's answer to `message`. If the server goes away before it answers, the message is
    /// sent again: an evaluation that is told again counts once.
    ///
    /// # Errors
    /// Nobody who answers, or what the server refuses.
    pub fn say(&mut self, message: &Value) -> std::result::Result<Value, Error> {
        let began = Instant::now();
        loop {
            let source = match self.try_say(message) {
                Ok(answer) => {
                    return match answer["error"].as_str() {
                        None => Ok(answer),
                        Some(said) => Err(Error::Refused(said.to_owned())),
                    };
                }
                Err(source) => source,
            };
            self.stream = None;
            if began.elapsed() > self.patience {
                let line = format!("no server answers at {}: {source}", self.address);
                return Err(Failure::new(line, exit::NO_INPUT).into());
            }
            thread::sleep(RETRY_EVERY);
        }
    }

    fn try_say(&mut self, message: &Value) -> Result<Value> {
        if self.stream.is_none() {
            let stream = self.address.connect()?;
            // A server may take long over a point, but not for ever.
            stream.read_within(Some(Duration::from_secs(600)))?;
            let mut stream = BufReader::new(stream);
            let hello = exchange(&mut stream, &json!({"type": "hello", "token": self.token}))?;
            if hello["error"].is_string() {
                return Ok(hello);
            }
            self.stream = Some(stream);
        }
        match &mut self.stream {
            Some(stream) => exchange(stream, message),
            None => Err(ErrorKind::NotConnected.into()),
        }
    }
}

fn exchange(stream: &mut BufReader<Stream>, message: &Value) -> Result<Value> {
    let mut output: &Stream = stream.get_ref();
    output.write_all(format!("{message}\n").as_bytes())?;
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 || !line.ends_with('\n') {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(serde_json::from_str(&line)?)
}

//! Listen: the sockets of a server. A thread for each client reads its lines; one durable session answers
//! them one by one.

use super::address::{Listener, Stream};
use super::durable::DurableSession;
use super::session::Reply;
use super::{Line, Lines};
use crate::interrupt::Interrupt;
use serde_json::{Value, json};
use shell::token::same;
use shell::{Failure, exit};
use std::io::{BufRead, BufReader, ErrorKind, Result, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Most clients at once.
pub const MOST_CLIENTS: usize = 256;

/// How long a client may take to send its token, and to read an answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Longest first line \[bytes\].
const LONGEST_HELLO: usize = 4096;

/// How often the server looks whether it is to end.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Memory of a client's thread \[bytes\]: suggestions are chosen on it.
const STACK: usize = 2 << 20;

/// What the threads share.
struct Shared {
    /// No client is answered once it is gone.
    durable: Mutex<Option<DurableSession>>,
    token: String,
    failed: Mutex<Option<Failure>>,
}

/// Serves the clients of `listener` that know `token` until the user interrupts.
///
/// # Errors
/// An interrupt, or a journal that cannot be written.
pub fn listen(
    listener: Listener,
    token: String,
    durable: DurableSession,
    interrupt: &Interrupt,
) -> std::result::Result<(), Failure> {
    let shared = Arc::new(Shared {
        durable: Mutex::new(Some(durable)),
        token,
        failed: Mutex::new(None),
    });
    let listener = Arc::new(listener);
    let (door, inside) = (Arc::clone(&listener), Arc::clone(&shared));
    let full = |stream: &Stream| {
        let said = format!("{MOST_CLIENTS} clients are connected, the limit");
        send(stream, &json!({ "error": said }))
    };
    let serve = move |stream: &Stream| serve_client(stream, &inside);
    thread::spawn(move || serve_each(&door, MOST_CLIENTS, full, serve));
    loop {
        thread::sleep(LOOK_EVERY);
        let failed = shared.failed.lock();
        let failed = failed.map_or(Some(broken()), |mut failed| failed.take());
        if failed.is_none() && !interrupt.raised() {
            continue;
        }
        // The request under way is answered first, and none after it.
        let durable = shared.durable.lock().map(|mut durable| durable.take());
        listener.remove();
        return Err(match (failed, durable) {
            (Some(failed), _) => failed,
            (None, Ok(Some(durable))) => {
                let messages = durable.kept();
                let line = format!(
                    "interrupted; {messages} messages are kept, go on with the same command"
                );
                Failure::new(line, exit::INTERRUPTED)
            }
            (None, _) => broken(),
        });
    }
}

/// Serves each client of `listener` on a thread of its own; beyond `most` at once they are refused.
pub(super) fn serve_each(
    listener: &Listener,
    most: usize,
    refuse: impl Fn(&Stream) -> Result<()>,
    serve: impl Fn(&Stream) -> Result<()> + Send + Sync + 'static,
) {
    let (serve, clients) = (Arc::new(serve), Arc::new(AtomicUsize::new(0)));
    loop {
        let Ok(stream) = listener.accept() else {
            // Too many open files, say; the next one may find room.
            thread::sleep(LOOK_EVERY);
            continue;
        };
        if clients.load(Ordering::SeqCst) >= most {
            let _ = stream.write_within(Some(LOOK_EVERY));
            let _ = refuse(&stream);
            continue;
        }
        clients.fetch_add(1, Ordering::SeqCst);
        let (serve, inside) = (Arc::clone(&serve), Arc::clone(&clients));
        let client = thread::Builder::new().stack_size(STACK).spawn(move || {
            // A client that goes away is no failure of the server's.
            let _ = serve(&stream);
            inside.fetch_sub(1, Ordering::SeqCst);
        });
        if client.is_err() {
            clients.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Answers one client until it goes.
fn serve_client(stream: &Stream, shared: &Shared) -> Result<()> {
    stream.write_within(Some(PATIENCE))?;
    let mut input = BufReader::new(stream);
    let hello = first_part(&mut input, stream, b"\n", LONGEST_HELLO)?;
    if !authenticates(&hello, &shared.token) {
        return send(
            stream,
            &json!({"error": "say hello with the server's token first"}),
        );
    }
    stream.read_within(None)?;
    let version = env!("CARGO_PKG_VERSION");
    send(stream, &json!({"hello": "windhover", "version": version}))?;
    let mut lines = Lines::new(input);
    while let Some(line) = lines.next_line()? {
        match answer(&line, shared)? {
            Reply::Json(value) => send(stream, &value)?,
            Reply::Nothing => send(stream, &json!({}))?,
            Reply::Quit => break,
        }
    }
    Ok(())
}

/// The answer to `line`, after which the server ends where it could not be kept.
fn answer(line: &Line, shared: &Shared) -> Result<Reply> {
    let Ok(mut inside) = shared.durable.lock() else {
        fail(shared, broken());
        return Err(ErrorKind::Other.into());
    };
    let Some(durable) = inside.as_mut() else {
        return Err(ErrorKind::Other.into());
    };
    durable.answer(line, &mut |_| ()).map_err(|error| {
        // The request changed the session but is not on the disk: no client may be answered from it.
        *inside = None;
        fail(shared, error);
        ErrorKind::Other.into()
    })
}

/// Something that must not happen happened while a message was answered.
fn broken() -> Failure {
    let line = "a message could not be answered; what was acknowledged before it is kept";
    Failure::new(line, exit::SOFTWARE)
}

fn fail(shared: &Shared, error: Failure) {
    if let Ok(mut failed) = shared.failed.lock() {
        failed.get_or_insert(error);
    }
}

fn send(mut stream: &Stream, value: &Value) -> Result<()> {
    stream.write_all(format!("{value}\n").as_bytes())
}

/// What a client sends until `end`, within a time and at most so many bytes; else nothing.
pub(super) fn first_part(
    input: &mut BufReader<&Stream>,
    stream: &Stream,
    end: &[u8],
    most: usize,
) -> Result<Vec<u8>> {
    let until = Instant::now() + PATIENCE;
    let mut part = Vec::new();
    while !part.ends_with(end) {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || part.len() >= most {
            return Ok(Vec::new());
        }
        stream.read_within(Some(left))?;
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        let Some(last) = end.last().filter(|_| !chunk.is_empty()) else {
            break;
        };
        let found = chunk.iter().position(|byte| byte == last);
        let used = found.map_or(chunk.len(), |at| at + 1);
        part.extend_from_slice(&chunk[..used]);
        input.consume(used);
    }
    Ok(part)
}

/// Whether `hello` carries the token.
fn authenticates(hello: &[u8], token: &str) -> bool {
    let said: Value = serde_json::from_slice(hello).unwrap_or_default();
    let given = said["token"].as_str().unwrap_or_default();
    said["type"] == "hello" && same(given.as_bytes(), token.as_bytes())
}

//! Page: a served study for a browser on this machine, over HTTP. A request has to carry the server's token, is
//! short, and changes nothing.

use super::address::{Listener, Stream};
use super::listen::{PATIENCE, first_part, serve_each};
use crate::Error;
use shell::token::same;
use std::io::{BufReader, Result, Write};
use std::thread;

/// Most browsers at once.
const MOST_READERS: usize = 8;

/// Longest head of a request \[bytes\].
const LONGEST_HEAD: usize = 8192;

/// What the page may do in a browser: it has all that it needs in itself.
const HEADERS: &str = "Content-Type: text/html; charset=utf-8\r\nConnection: close\r\nCache-Control: no-store\r\n\
    Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n\
    Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
    img-src data:; form-action 'self'; frame-ancestors 'none'\r\n";

/// What a browser shows that did not send the token.
const FORM: &str = "<!DOCTYPE html><html lang=\"en\"><title>Windhover study</title><h1>Windhover study</h1>\
    <form><label>Token of the server, from the file <code>token</code> in the folder of its journal:<br>\
    <input name=\"token\" type=\"password\" size=\"70\" autofocus></label> <button>Show</button></form></html>\n";

/// Sends what `draw` gives to every browser that asks `listener` with `token`, until the process ends.
pub fn show(
    listener: Listener,
    token: String,
    draw: impl Fn() -> std::result::Result<String, Error> + Send + Sync + 'static,
) {
    let answer = move |stream: &Stream| {
        stream.write_within(Some(PATIENCE))?;
        let head = first_part(
            &mut BufReader::new(stream),
            stream,
            b"\r\n\r\n",
            LONGEST_HEAD,
        )?;
        match asked(&head, &token) {
            Ok(()) => match draw() {
                Ok(page) => send(stream, "200 OK", &page),
                Err(error) => {
                    let line = format!("{}\n", plots::document::escape(&error.to_string()));
                    send(stream, "500 Internal Server Error", &line)
                }
            },
            Err(status) if status.starts_with("401") => send(stream, status, FORM),
            Err(status) => send(stream, status, &format!("{status}\n")),
        }
    };
    let busy = |stream: &Stream| send(stream, "503 Service Unavailable", "too many browsers\n");
    thread::spawn(move || serve_each(&listener, MOST_READERS, busy, answer));
}

/// Whether the request asks for the page with the token; else the status that says what is wrong.
fn asked(head: &[u8], token: &str) -> std::result::Result<(), &'static str> {
    let line = std::str::from_utf8(head)
        .ok()
        .and_then(|head| head.lines().next());
    let words: Vec<&str> = line.unwrap_or_default().split(' ').collect();
    let [method, target, version] = words[..] else {
        return Err("400 Bad Request");
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    match (method, path) {
        _ if !version.starts_with("HTTP/1.") => Err("400 Bad Request"),
        ("GET", "/") => {
            let mut fields = query
                .split('&')
                .filter_map(|field| field.strip_prefix("token="));
            let given = fields.next().map(decoded).unwrap_or_default();
            match same(&given, token.as_bytes()) {
                true => Ok(()),
                false => Err("401 Unauthorized"),
            }
        }
        ("GET", _) => Err("404 Not Found"),
        _ => Err("405 Method Not Allowed"),
    }
}

/// The bytes that a value of a form stands for.
fn decoded(value: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), value.as_bytes());
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let code = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        let (byte, left) = match (first, code) {
            (b'%', Some(code)) => (code, &after[2..]),
            (first, _) => (*first, after),
        };
        bytes.push(byte);
        rest = left;
    }
    bytes
}

fn send(mut stream: &Stream, status: &str, body: &str) -> Result<()> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{HEADERS}Content-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_page_is_sent_and_only_for_the_token() {
        let asked = |line: &str| asked(format!("{line}\r\nHost: x\r\n\r\n").as_bytes(), "a+b%c&d");
        assert_eq!(asked("GET /?token=a+b%25c%26d HTTP/1.1"), Ok(()));
        assert_eq!(asked("GET /?x=1&token=a%2Bb%25c%26d HTTP/1.0"), Ok(()));
        for (line, status) in [
            ("GET / HTTP/1.1", "401"),
            ("GET /?token= HTTP/1.1", "401"),
            ("GET /?token=a+b HTTP/1.1", "401"),
            ("GET /?token=a+b%25c%26dd HTTP/1.1", "401"),
            ("GET /?token=%zz%2 HTTP/1.1", "401"),
            ("GET /../token?token=a+b%25c%26d HTTP/1.1", "404"),
            ("GET //?token=a+b%25c%26d HTTP/1.1", "404"),
            ("POST /?token=a+b%25c%26d HTTP/1.1", "405"),
            ("HEAD / HTTP/1.1", "405"),
            ("GET /", "400"),
            ("", "400"),
            (r#"{"type":"hello","token":"a+b%c&d"}"#, "400"),
            ("GET / SMTP", "400"),
        ] {
            let refused = asked(line).expect_err(line);
            assert!(refused.starts_with(status), "{line}: {refused}");
        }
        assert!(super::asked(b"GET /\xff HTTP/1.1\r\n\r\n", "x").is_err());
    }
}

//! `bo serve --jsonl`: ask and tell over standard streams.

use bo::Error;
use bo::terminal::forgiven;
use std::io::{Result as Written, Write, stderr, stdin, stdout};
use std::path::PathBuf;

/// Serves until `quit`, the end of the input or of the reader.
///
/// # Errors
/// Where standard input cannot be read, or an answer cannot be written though somebody reads.
pub fn serve() -> Result<String, Error> {
    let mut answers = Answers {
        out: stdout().lock(),
        failed: None,
    };
    bo::serve::serve(stdin().lock(), &mut answers, stderr().lock()).map_err(|source| {
        Error::Read {
            path: PathBuf::from("standard input"),
            source,
        }
    })?;
    match answers.failed {
        Some(error) => Err(Error::Output(error)),
        None => Ok(String::new()),
    }
}

/// A stream that remembers why it failed: to the session every failure is the end of the reader.
struct Answers<W> {
    out: W,
    failed: Option<std::io::Error>,
}

impl<W> Answers<W> {
    fn remember<T>(&mut self, written: Written<T>) -> Written<T> {
        written.map_err(|error| {
            let kind = error.kind();
            self.failed = forgiven(Err(error)).err();
            kind.into()
        })
    }
}

impl<W: Write> Write for Answers<W> {
    fn write(&mut self, bytes: &[u8]) -> Written<usize> {
        let written = self.out.write(bytes);
        self.remember(written)
    }

    fn flush(&mut self) -> Written<()> {
        let flushed = self.out.flush();
        self.remember(flushed)
    }
}

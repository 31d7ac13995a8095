//! `bo serve`: ask and tell over standard streams, or for many at once over sockets.

use crate::args::ServeArgs;
use bo::Error;
use bo::interrupt::Interrupt;
use bo::run::disk::journal::{InspectionOf, Records, inspect_of};
use bo::serve::address::Address;
use bo::serve::keeper::{Again, Keeper, replayed};
use bo::serve::listen::listen;
use bo::serve::messages::Messages;
use bo::serve::token;
use bo::terminal::{forgiven, note};
use std::io::{Result as Written, Write, stderr, stdin, stdout};
use std::path::Path;

/// Serves until it is asked to end: over standard streams by `quit`, the end of the input or of the
/// reader.
///
/// # Errors
/// A journal that cannot be had or written, an address or a token that cannot be, standard input that
/// cannot be read, or an answer that cannot be written though somebody reads.
pub fn serve(args: &ServeArgs, interrupt: &Interrupt) -> Result<String, Error> {
    match (&args.journal, &args.listen) {
        (Some(folder), _) if args.replay => replay(folder),
        (Some(folder), Some(given)) => {
            interrupt.listen();
            let address = Address::parse(given)?;
            let keeper = open(folder, Some(args.lease))?;
            let file = args.token_file.clone();
            let file = file.unwrap_or_else(|| folder.join(token::NAME));
            let token = token::read_or_make(&file)?;
            let listener = address.listen()?;
            note(&format!(
                "serving at {}, for clients that have the token in {}",
                listener.address,
                file.display()
            ));
            listen(listener, token, keeper, interrupt)?;
            Ok(String::new())
        }
        (folder, _) => {
            let keeper = folder.as_ref().map(|folder| open(folder, None));
            over_streams(keeper.transpose()?)
        }
    }
}

/// The keeper of the journal in `folder`; says what an earlier process left unfinished.
fn open(folder: &Path, lease_s: Option<u64>) -> Result<Keeper, Error> {
    let keeper = Keeper::open(folder, lease_s)?;
    if let Some(bytes) = keeper.dropped() {
        note(&format!(
            "{} ended in an unfinished record of {bytes} bytes, which nobody was answered for: dropped",
            folder.join(Messages::NAME).display()
        ));
    }
    Ok(keeper)
}

/// Chooses every point of a journal anew and compares.
fn replay(folder: &Path) -> Result<String, Error> {
    let inspection: InspectionOf<Messages> = inspect_of(folder)?;
    let path = inspection.path.clone();
    let messages = inspection.contents()?;
    replayed(&messages, &path, Again::Compare)?;
    Ok(format!(
        "{}: {} messages, answered again with the same bytes\n",
        path.display(),
        messages.count()
    ))
}

fn over_streams(keeper: Option<Keeper>) -> Result<String, Error> {
    let mut answers = Answers {
        out: stdout().lock(),
        failed: None,
    };
    bo::serve::serve(stdin().lock(), &mut answers, stderr().lock(), keeper)?;
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

//! `bo serve`: ask and tell over standard streams, or for many at once over sockets.

use super::report::SHOWN_AGAIN_S;
use crate::args::ServeArgs;
use bo::Error;
use bo::interrupt::Interrupt;
use bo::report::StudyPage;
use bo::run::disk::journal::{InspectionOf, Records, inspect_of};
use bo::serve::address::{Address, Listener};
use bo::serve::durable::{DurableSession, Replay, replayed};
use bo::serve::listen::listen;
use bo::serve::messages::Messages;
use bo::serve::page;
use bo::terminal::{forgiven, note};
use shell::{Failure, token};
use std::io::{Result as Written, Write, stderr, stdin, stdout};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

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
            // Whatever can be refused is refused before a journal begins.
            let page = args.page.as_deref().map(page_address).transpose()?;
            let durable = open(folder, Some(args.lease))?;
            let file = args.token_file.clone();
            let file = file.unwrap_or_else(|| folder.join(token::NAME));
            let token = token::read_or_make(&file)?;
            if let Some(page) = page {
                show_page(page.listen()?, folder, &token);
            }
            let listener = address.listen()?;
            note(&format!(
                "serving at {}, for clients that have the token in {}",
                listener.address,
                file.display()
            ));
            listen(listener, token, durable, interrupt)?;
            Ok(String::new())
        }
        (folder, _) => {
            let durable = folder.as_ref().map(|folder| open(folder, None));
            over_streams(durable.transpose()?)
        }
    }
}

/// The address of a page, which a browser can reach.
fn page_address(given: &str) -> Result<Address, Failure> {
    match Address::parse(given)? {
        loopback @ Address::Loopback(_) => Ok(loopback),
        #[cfg(unix)]
        Address::Unix(_) => {
            let line = "--page needs a port for a browser, such as 127.0.0.1:4001";
            Err(Failure::usage(line))
        }
    }
}

/// Shows the study whose journal is in `folder` to the browsers that `listener` meets.
fn show_page(listener: Listener, folder: &Path, token: &str) {
    note(&format!(
        "a page about the study is at http://{}/, which asks for the token",
        listener.address
    ));
    let page = Mutex::new(StudyPage::of(folder, Some(SHOWN_AGAIN_S)));
    let draw = move || {
        let mut page = page.lock().unwrap_or_else(PoisonError::into_inner);
        page.refresh()?;
        Ok(page.html.clone())
    };
    page::show(listener, token.to_owned(), draw);
}

/// The session of the journal in `folder`; reports what an earlier process left unfinished.
fn open(folder: &Path, lease_s: Option<u64>) -> Result<DurableSession, Error> {
    let durable = DurableSession::open(folder, lease_s)?;
    if let Some(bytes) = durable.dropped() {
        note(&format!(
            "{} ended in an unfinished record of {bytes} bytes, which nobody was answered for: dropped",
            folder.join(Messages::NAME).display()
        ));
    }
    Ok(durable)
}

/// Chooses every point of a journal anew and compares.
fn replay(folder: &Path) -> Result<String, Error> {
    let inspection: InspectionOf<Messages> = inspect_of(folder)?;
    let path = inspection.path.clone();
    let messages = inspection.contents()?;
    replayed(&messages, &path, Replay::Verify)?;
    Ok(format!(
        "{}: {} messages, answered again with the same bytes\n",
        path.display(),
        messages.count()
    ))
}

fn over_streams(durable: Option<DurableSession>) -> Result<String, Error> {
    let mut answers = Answers {
        out: stdout().lock(),
        failed: None,
    };
    bo::serve::serve(stdin().lock(), &mut answers, stderr().lock(), durable)?;
    match answers.failed {
        Some(error) => Err(Failure::output(error).into()),
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

//! `bo verify`: what is in a run's journal, whether it is whole, and whether the files that the run
//! wrote are still those.

use crate::args::VerifyArgs;
use bo::Error;
use bo::flights::evaluation::lost;
use bo::run::disk::journal::{self, Contents, InspectionOf, Records};
use bo::run::disk::record::to_json;
use bo::serve::messages::Messages;
use serde::Serialize;
use shell::Failure;
use shell::manifest::Manifest;
use std::fmt::Write;

/// What a journal was found to hold; what `--format json` prints.
#[derive(Debug, Serialize)]
struct Found {
    schema: &'static str,
    journal: String,
    bytes: usize,
    /// Version of the program that wrote it; absent where not even the header is whole.
    windhover: Option<String>,
    #[serde(flatten)]
    held: Held,
    /// An unfinished last record, which nobody is writing.
    unfinished: Option<Unfinished>,
    in_use: bool,
    /// The process that works on it; `None` if unknown.
    pid: Option<u32>,
    /// With `--repair`: the file that holds what was cut, if anything was.
    cut: Option<String>,
}

/// What its whole records say.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Held {
    /// Of a run.
    Run {
        evaluations: usize,
        lost: usize,
        tests: usize,
        /// Whether the run came to its end.
        whole: bool,
        /// Files that were compared with the run's manifest; absent where the run is not whole, or has
        /// none.
        files: Option<usize>,
    },
    /// Of `bo serve`.
    Served { messages: u64, evaluations: usize },
}

/// A record whose end is missing.
#[derive(Debug, Serialize)]
struct Unfinished {
    at_byte: usize,
    bytes: usize,
}

/// Says what the journal holds; with `--repair` cuts it behind its last whole record first.
///
/// # Errors
/// A journal that is missing, in use while it is to be cut, damaged, or cannot be written; files
/// that differ from the manifest.
pub fn verify(args: &VerifyArgs) -> Result<String, Error> {
    let mut found = match args.dir.join(Messages::NAME).is_file() {
        true => Found::of(args, "windhover-verify-served/1", Held::served)?,
        false => Found::of(args, "windhover-verify/1", Held::of_run)?,
    };
    // While a run is under way, or to be taken up again, its files are still to be written.
    if let Held::Run { whole, files, .. } = &mut found.held
        && *whole
        && !found.in_use
        && let Some(manifest) = Manifest::read(&args.dir)?
    {
        manifest.check(&args.dir)?;
        *files = Some(manifest.files.len());
    }
    if args.output.is_json() {
        return to_json("verification", &found);
    }
    Ok(found.in_words(args.repair))
}

impl Held {
    /// The version that wrote a run's journal, and what it holds.
    fn of_run(contents: Option<&Contents>) -> (Option<String>, Held) {
        let trials = contents.map_or(&[][..], |contents| &contents.trials);
        let held = Held::Run {
            evaluations: trials.len(),
            lost: lost(trials),
            tests: contents.map_or(0, |contents| contents.tests.len()),
            whole: contents.is_some_and(|contents| contents.ended),
            files: None,
        };
        let version = contents.map(|contents| contents.header.windhover.clone());
        (version, held)
    }

    /// The same of a server's.
    fn served(messages: Option<&Messages>) -> (Option<String>, Held) {
        let held = Held::Served {
            messages: messages.map_or(0, Messages::count),
            evaluations: messages.map_or(0, Messages::values),
        };
        let version = messages.map(|messages| messages.header.windhover.clone());
        (version, held)
    }

    fn in_words(&self) -> String {
        match self {
            Held::Run {
                evaluations,
                lost,
                tests,
                whole,
                ..
            } => {
                let ended = match whole {
                    true => "whole",
                    false => "not finished, go on with --resume",
                };
                format!(
                    "{evaluations} evaluations ({lost} lost), {tests} tests; the run is {ended}"
                )
            }
            Held::Served {
                messages,
                evaluations,
            } => format!("{messages} messages, {evaluations} values told"),
        }
    }
}

impl Found {
    fn of<R: Records>(
        args: &VerifyArgs,
        schema: &'static str,
        held: impl Fn(Option<&R>) -> (Option<String>, Held),
    ) -> Result<Found, Failure> {
        let cut = match args.repair {
            true => journal::repair::<R>(&args.dir)?,
            false => None,
        };
        let InspectionOf {
            path,
            bytes,
            scan,
            holder,
        } = journal::inspect_of::<R>(&args.dir)?;
        if let Some(damage) = scan.damage {
            return Err(damage.in_journal(&path));
        }
        let torn = bytes.len() - scan.whole;
        let (windhover, held) = held(scan.contents.as_ref());
        Ok(Found {
            schema,
            journal: path.display().to_string(),
            bytes: bytes.len(),
            windhover,
            held,
            unfinished: (torn > 0 && holder.is_none()).then_some(Unfinished {
                at_byte: scan.whole,
                bytes: torn,
            }),
            in_use: holder.is_some(),
            pid: holder.flatten(),
            cut: cut.map(|path| path.display().to_string()),
        })
    }

    fn in_words(&self, repaired: bool) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        match &self.cut {
            Some(copy) => {
                let _ = writeln!(text, "Repaired; what was there is in {copy}");
            }
            None if repaired => text.push_str("Nothing to repair\n"),
            None => {}
        }
        let _ = writeln!(text, "{}: {} bytes", self.journal, self.bytes);
        if let Some(version) = &self.windhover {
            let _ = writeln!(text, "Windhover {version}: {}", self.held.in_words());
        }
        if let Held::Run {
            files: Some(files), ..
        } = self.held
        {
            let _ = writeln!(
                text,
                "All {files} files of its manifest are as it wrote them"
            );
        }
        if let Some(Unfinished { at_byte, bytes }) = self.unfinished {
            let next = match self.held {
                Held::Run { .. } => "--resume",
                Held::Served { .. } => "the next bo serve",
            };
            let _ = writeln!(
                text,
                "An unfinished record of {bytes} bytes at byte {at_byte}: {next} drops it"
            );
        }
        match self.pid {
            Some(pid) => {
                let _ = writeln!(text, "In use by process {pid}");
            }
            None if self.in_use => text.push_str("In use by another process\n"),
            None => {}
        }
        text
    }
}

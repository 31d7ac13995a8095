//! `bo verify`: what is in a run's journal, whether it is whole, and whether the files that the run
//! wrote are still those.

use crate::args::VerifyArgs;
use bo::Error;
use bo::flights::evaluation::lost;
use bo::run::disk::journal::{self, Contents, Inspection, InspectionOf, Records};
use bo::run::disk::record::to_json;
use bo::serve::messages::Messages;
use serde::Serialize;
use shell::Failure;
use shell::manifest::Manifest;
use std::fmt::Write;
use std::path::PathBuf;

/// What a journal was found to hold; what `--format json` prints.
#[derive(Debug, Serialize)]
struct Found {
    schema: &'static str,
    journal: String,
    bytes: usize,
    /// Version of the program that wrote it; this and what follows are absent where not even the
    /// header is whole.
    windhover: Option<String>,
    evaluations: usize,
    lost: usize,
    tests: usize,
    /// Whether the run came to its end.
    whole: bool,
    /// An unfinished last record, which nobody is writing.
    unfinished: Option<Unfinished>,
    in_use: bool,
    /// The process that works on the run; `None` if unknown.
    pid: Option<u32>,
    /// Files that were compared with the run's manifest; absent where the run is not whole, or has
    /// none.
    files: Option<usize>,
    /// With `--repair`: the file that holds what was cut, if anything was.
    cut: Option<String>,
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
    if args.dir.join(Messages::NAME).is_file() {
        return served(args);
    }
    let cut = if args.repair {
        journal::repair::<Contents>(&args.dir)?
    } else {
        None
    };
    let mut found = Found::of(journal::inspect(&args.dir)?, cut)?;
    // While a run is under way, or to be taken up again, its files are still to be written.
    if found.whole
        && !found.in_use
        && let Some(manifest) = Manifest::read(&args.dir)?
    {
        manifest.check(&args.dir)?;
        found.files = Some(manifest.files.len());
    }
    if args.output.is_json() {
        return to_json("verification", &found);
    }
    Ok(found.in_words(args.repair))
}

/// What a server's journal was found to hold; what `--format json` prints.
#[derive(Debug, Serialize)]
struct Served {
    schema: &'static str,
    journal: String,
    bytes: usize,
    windhover: Option<String>,
    messages: u64,
    evaluations: usize,
    unfinished_bytes: usize,
    in_use: bool,
    cut: Option<String>,
}

/// As [`verify`], of the journal of `bo serve`.
fn served(args: &VerifyArgs) -> Result<String, Error> {
    let cut = match args.repair {
        true => journal::repair::<Messages>(&args.dir)?,
        false => None,
    };
    let InspectionOf {
        path,
        bytes,
        scan,
        holder,
    } = journal::inspect_of::<Messages>(&args.dir)?;
    if let Some(damage) = scan.damage {
        return Err(damage.in_journal(&path).into());
    }
    let messages = scan.contents.as_ref();
    let found = Served {
        schema: "windhover-verify-served/1",
        journal: path.display().to_string(),
        bytes: bytes.len(),
        windhover: messages.map(|messages| messages.header.windhover.clone()),
        messages: messages.map_or(0, Messages::count),
        evaluations: messages.map_or(0, Messages::values),
        unfinished_bytes: bytes.len() - scan.whole,
        in_use: holder.is_some(),
        cut: cut.map(|path| path.display().to_string()),
    };
    if args.output.is_json() {
        return to_json("verification", &found);
    }
    let mut text = found.cut.map_or_else(String::new, |copy| {
        format!("Repaired; what was there is in {copy}\n")
    });
    text += &format!(
        "{}: {} bytes, {} messages, {} values told\n",
        found.journal, found.bytes, found.messages, found.evaluations
    );
    if found.unfinished_bytes > 0 && !found.in_use {
        let bytes = found.unfinished_bytes;
        text += &format!("An unfinished record of {bytes} bytes: the next bo serve drops it\n");
    }
    if found.in_use {
        text += "In use by a server\n";
    }
    Ok(text)
}

impl Found {
    fn of(inspection: Inspection, cut: Option<PathBuf>) -> Result<Found, Failure> {
        let Inspection {
            path,
            bytes,
            scan,
            holder,
        } = inspection;
        if let Some(damage) = scan.damage {
            return Err(damage.in_journal(&path));
        }
        let torn = bytes.len() - scan.whole;
        let contents = scan.contents.as_ref();
        let trials = contents.map_or(&[][..], |contents| &contents.trials);
        Ok(Found {
            schema: "windhover-verify/1",
            journal: path.display().to_string(),
            bytes: bytes.len(),
            windhover: contents.map(|contents| contents.header.windhover.clone()),
            evaluations: trials.len(),
            lost: lost(trials),
            tests: contents.map_or(0, |contents| contents.tests.len()),
            whole: contents.is_some_and(|contents| contents.ended),
            unfinished: (torn > 0 && holder.is_none()).then_some(Unfinished {
                at_byte: scan.whole,
                bytes: torn,
            }),
            in_use: holder.is_some(),
            pid: holder.flatten(),
            files: None,
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
            let ended = if self.whole {
                "whole"
            } else {
                "not finished, go on with --resume"
            };
            let _ = writeln!(
                text,
                "Windhover {version}: {} evaluations ({} lost), {} tests; the run is {ended}",
                self.evaluations, self.lost, self.tests
            );
        }
        if let Some(files) = self.files {
            let _ = writeln!(
                text,
                "All {files} files of its manifest are as it wrote them"
            );
        }
        if let Some(Unfinished { at_byte, bytes }) = self.unfinished {
            let _ = writeln!(
                text,
                "An unfinished record of {bytes} bytes at byte {at_byte}: --resume drops it"
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

//! `bo verify`: what is in a run's journal, and whether it is whole.

use crate::Error;
use crate::args::VerifyArgs;
use crate::journal::{self, Contents, Inspection, JournalError};
use std::fmt::Write;

/// Says what the journal holds; with `--repair` cuts it behind its last whole record first.
///
/// # Errors
/// A journal that is missing, in use while it is to be cut, damaged, or cannot be written.
pub fn verify(args: &VerifyArgs) -> Result<String, Error> {
    let mut text = String::new();
    if args.repair {
        match journal::repair(&args.dir)? {
            // Writing to a String cannot fail.
            Some(copy) => {
                let _ = writeln!(text, "Cut; what was cut is in {}", copy.display());
            }
            None => text.push_str("Nothing to repair\n"),
        }
    }
    let Inspection {
        path,
        bytes,
        scan,
        holder,
    } = journal::inspect(&args.dir)?;
    if let Some(damage) = scan.damage {
        return Err(JournalError::Damaged { path, damage }.into());
    }
    let _ = writeln!(text, "{}: {} bytes", path.display(), bytes.len());
    if let Some(contents) = &scan.contents {
        text += &said(contents);
    }
    let torn = bytes.len() - scan.whole;
    if torn > 0 && holder.is_none() {
        let _ = writeln!(
            text,
            "An unfinished record of {torn} bytes at byte {}: --resume drops it",
            scan.whole
        );
    }
    match holder {
        Some(Some(pid)) => {
            let _ = writeln!(text, "In use by process {pid}");
        }
        Some(None) => text.push_str("In use by another process\n"),
        None => {}
    }
    Ok(text)
}

fn said(contents: &Contents) -> String {
    let lost = contents.trials.iter().filter(|trial| trial.crashed).count();
    let ended = if contents.ended {
        "whole"
    } else {
        "not finished, go on with --resume"
    };
    format!(
        "Windhover {}: {} evaluations ({lost} lost), {} tests; the run is {ended}\n",
        contents.header.windhover,
        contents.trials.len(),
        contents.tests.len()
    )
}

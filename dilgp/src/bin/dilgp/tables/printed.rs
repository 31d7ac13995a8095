//! Printed: what a table prints: its text, or with `--format json` its own record, with the files it
//! wrote.

use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;
use shell::terminal;
use shell::usage::OutputArgs;

use crate::error::Error;

#[derive(Serialize)]
struct Printed<'a, T: Serialize> {
    #[serde(flatten)]
    table: &'a T,
    /// What there is to know of the data files.
    warnings: &'a [&'a String],
    /// Every file that was written.
    files: Vec<String>,
}

/// The `text` of a `table` with the files that were written, or one JSON object, of which the warnings
/// are said on standard error as well, where a person looks.
///
/// # Errors
/// What cannot be JSON.
pub fn printed(
    output: OutputArgs,
    table: &impl Serialize,
    mut text: String,
    files: &[PathBuf],
    warnings: &[&String],
) -> Result<String, Error> {
    if !output.is_json() {
        text.push('\n');
        for path in files {
            let _ = writeln!(text, "wrote {}", path.display());
        }
        return Ok(text);
    }
    warnings.iter().for_each(|warning| terminal::say(warning));
    let printed = Printed {
        table,
        warnings,
        files: files.iter().map(|p| p.display().to_string()).collect(),
    };
    Ok(serde_json::to_string(&printed)? + "\n")
}

//! Printed: what a table prints with `--format json`: its own record, with the files it wrote.

use std::path::PathBuf;

use serde::Serialize;
use shell::terminal;

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

/// One JSON object for standard output; the warnings are said on standard error as well, where a
/// person looks.
pub fn printed(
    table: &impl Serialize,
    files: &[PathBuf],
    warnings: &[&String],
) -> Result<String, Error> {
    warnings.iter().for_each(|warning| terminal::say(warning));
    let printed = Printed {
        table,
        warnings,
        files: files.iter().map(|p| p.display().to_string()).collect(),
    };
    Ok(serde_json::to_string(&printed)? + "\n")
}

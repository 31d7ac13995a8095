//! `bo list`: the runs there are.

use super::RUNS;
use crate::args::ListArgs;
use bo::Error;
use bo::report::overview::{Row, entries, list as lines};
use bo::run::disk::record::to_json;
use bo::terminal;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What `--format json` prints.
#[derive(Debug, Serialize)]
struct Printed {
    schema: &'static str,
    entries: Vec<Row>,
}

/// A line for each run and comparison, the newest first.
///
/// # Errors
/// A folder that cannot be read.
pub fn list(args: &ListArgs) -> Result<String, Error> {
    let nothing_yet = args.dirs.is_empty() && !Path::new(RUNS).exists();
    let folders = match &args.dirs[..] {
        [] if nothing_yet => Vec::new(),
        [] => vec![PathBuf::from(RUNS)],
        named => named.to_vec(),
    };
    let (found, faulty) = entries(&folders)?;
    for error in faulty {
        terminal::warn(&error.to_string());
    }
    let rows: Vec<Row> = found.iter().map(Row::of).collect();
    if args.output.is_json() {
        let schema = "windhover-list/1";
        let entries = rows;
        return to_json("list", &Printed { schema, entries });
    }
    Ok(match &rows[..] {
        [] => "No runs here; `bo tune --traj fig8` makes one\n".to_owned(),
        rows => lines(rows),
    })
}

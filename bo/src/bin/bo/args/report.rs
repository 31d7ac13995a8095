//! Flags of a report.

use super::OutputArgs;
use clap::{Args, ValueHint};
use shell::usage::FILES;
use std::path::PathBuf;

/// Flags of a report.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bo report runs/fig8-dil-gp-1\n  \
    bo report runs/fig8-gp-1 runs/fig8-dil-gp-1 --out both.html\n  \
    bo report --watch runs/fig8-gp-1\n\n\
    One file for any browser; it needs no network and no other file. What the record of a run does\n\
    not keep is flown again. An older report is replaced, any other file is not.")]
pub struct ReportArgs {
    /// Folders of runs; alone, also an unfinished run or a comparison
    #[arg(value_name = "DIR", required = true, value_hint = ValueHint::DirPath)]
    pub dirs: Vec<PathBuf>,
    /// File, or folder, to write [default: report.html in DIR; where there are several, here]
    #[arg(short, long, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
    /// Write the page again while the run in DIR goes on, until it ends
    #[arg(long)]
    pub watch: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
}

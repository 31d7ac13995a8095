//! Flags of the commands about study files, run folders and their reports.

use crate::args::OutputArgs;
use crate::args::flags::StudyFlags;
use clap::{Args, ValueHint};
use shell::usage::FILES;
use std::path::PathBuf;

/// Flags of `bo config`.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  \
        bo config --print > study.toml       every key with its meaning, its default commented out\n  \
        bo config --print --traj hover       the same with what is typed set\n  \
        bo config study.toml                 check a study file"
)]
pub struct ConfigArgs {
    /// Study file to check [default: none, the defaults]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// Print a study file with every key and its meaning: what FILE or a flag sets as set, the
    /// defaults commented out
    #[arg(long)]
    pub print: bool,
    #[command(flatten)]
    pub flags: StudyFlags,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Flags of `bo verify`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bo verify runs/fig8-dil-gp-1\n  \
    bo verify runs/fig8-dil-gp-1 --repair    cut at the last whole record, keep a copy of the rest")]
pub struct VerifyArgs {
    /// Folder of a run, with its trials.log
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: PathBuf,
    /// Cut the journal behind its last whole record; what is cut is kept next to it
    #[arg(long)]
    pub repair: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Flags of `bo list`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bo list\n  \
    bo list experiments --format json")]
pub struct ListArgs {
    /// Folders of runs, or with runs in them [default: runs]
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dirs: Vec<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Flags of the commands about one run.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Folder of a run, finished or not, or of a comparison
    #[arg(value_name = "RUN", value_hint = ValueHint::DirPath)]
    pub dir: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Flags of `bo show`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bo show runs/fig8-dil-gp-1\n  \
    bo show runs/fig8-dil-gp-1 --front    then: bo export runs/fig8-dil-gp-1 --to px4 --at phase=45")]
pub struct ShowArgs {
    #[command(flatten)]
    pub run: RunArgs,
    /// The trade-off of a finished run: error against motor activity and against phase margin
    #[arg(long)]
    pub front: bool,
}

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
    /// Write the page again while the run in DIR continues, until it ends
    #[arg(long)]
    pub watch: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

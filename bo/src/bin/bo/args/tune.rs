//! Flags of a tuning run. What is not typed stays as the study file has it, or the default.

use super::OutputArgs;
use super::flags::StudyFlags;
use bo::Error;
use bo::study::Config;
use clap::{Args, ValueHint};
use shell::Failure;
use shell::usage::{FILES, ThreadsArgs};
use std::path::{Path, PathBuf};

/// Flags of a tuning run.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    next_help_heading = FILES,
    after_long_help = "Examples:\n  \
        bo tune --traj fig8\n  \
        bo tune --config study.toml --seed 2 --dry-run\n  \
        bo tune --resume runs/fig8-dil-gp-1"
)]
pub struct TuneArgs {
    #[command(flatten)]
    pub flags: StudyFlags,
    /// Study file; flags override it (`bo config --print` writes one)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = FILES)]
    pub config: Option<PathBuf>,
    /// Folder, new or empty [default: runs/TRAJ-SURROGATE-SEED]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub out: Option<PathBuf>,
    /// Resume the run in DIR or in --out
    #[arg(long, value_name = "DIR", num_args = 0..=1, value_hint = ValueHint::DirPath, help_heading = FILES)]
    pub resume: Option<Option<PathBuf>>,
    /// Say what would be flown, about how long it takes and where it is written; make nothing
    #[arg(long, conflicts_with = "resume", help_heading = FILES)]
    pub dry_run: bool,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl TuneArgs {
    /// The run that was asked for.
    ///
    /// # Errors
    /// A name that does not exist, a number out of range, or a faulty study file.
    pub fn study(&self) -> Result<Config, Error> {
        self.flags.study(self.config.as_deref(), true)
    }

    /// Whether anything was typed that decides what run this is.
    pub fn says_what(&self) -> bool {
        self.config.is_some() || self.flags.any()
    }

    /// The folder of the run to be resumed, if one is.
    ///
    /// # Errors
    /// A run that is not said, or said twice.
    pub fn resumed(&self) -> Result<Option<&Path>, Failure> {
        match (&self.resume, &self.out) {
            (None, _) => Ok(None),
            (Some(Some(path)), None) | (Some(None), Some(path)) => Ok(Some(path)),
            (Some(None), None) | (Some(Some(_)), Some(_)) => {
                let line = "--resume needs the run's folder: --resume DIR, or --out DIR --resume";
                Err(Failure::usage(line))
            }
        }
    }
}

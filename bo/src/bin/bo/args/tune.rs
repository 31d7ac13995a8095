//! Flags of a tuning run. What is not typed stays as the study file has it, or the default.

use super::OutputArgs;
use super::flags::StudyFlags;
use bo::Error;
use bo::study::Config;
use clap::Args;
use std::path::{Path, PathBuf};

/// Flags of a tuning run.
#[derive(Debug, Args)]
pub struct TuneArgs {
    /// Study file; flags override it (`bo config --print` writes one)
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub flags: StudyFlags,
    /// Folder, new or empty [default: runs/TRAJ-SURROGATE-SEED]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with the run in DIR or in --out
    #[arg(long, value_name = "DIR", num_args = 0..=1)]
    pub resume: Option<Option<PathBuf>>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
}

impl TuneArgs {
    /// The run that was asked for.
    ///
    /// # Errors
    /// A name that does not exist, a number out of range, or a faulty study file.
    pub fn study(&self) -> Result<Config, Error> {
        self.flags.study(self.config.as_deref())
    }

    /// Whether anything was typed that decides what run this is.
    pub fn says_what(&self) -> bool {
        self.config.is_some() || self.flags.any()
    }

    /// The folder of the run to be resumed, if one is.
    ///
    /// # Errors
    /// [`Error::ResumeWhat`] where it is not said which, or said twice.
    pub fn resumed(&self) -> Result<Option<&Path>, Error> {
        match (&self.resume, &self.out) {
            (None, _) => Ok(None),
            (Some(Some(path)), None) | (Some(None), Some(path)) => Ok(Some(path)),
            (Some(None), None) | (Some(Some(_)), Some(_)) => Err(Error::ResumeWhat),
        }
    }
}

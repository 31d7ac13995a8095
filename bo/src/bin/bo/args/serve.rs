//! Flags of the commands for evaluations elsewhere: `serve` and `worker`.

use super::flags::StudyFlags;
use bo::Error;
use bo::serve::LONGEST_LEASE_S;
use bo::study::Config;
use clap::{Args, ValueHint};
use shell::usage::{FILES, Whole};
use std::path::PathBuf;

/// Flags of `serve`.
#[derive(Debug, Args)]
#[command(
    after_help = r#"Example, one JSON object a line, each ask, tell and recommend answered by one:
  {"type":"init","seed":3,"space":[{"name":"kp","low":0.1,"high":30,"log":true}]}
  {"type":"ask"}   {"type":"tell","x":[2.7],"y":0.31}   {"type":"recommend"}   {"type":"quit"}"#
)]
pub struct ServeArgs {
    /// Serve over standard streams, one JSON object a line
    #[arg(long, required_unless_present_any = ["listen", "replay"], conflicts_with_all = ["listen", "replay"])]
    pub jsonl: bool,
    /// Serve many clients at once at unix:PATH or 127.0.0.1:PORT; needs --journal
    #[arg(long, value_name = "ADDRESS", requires = "journal")]
    pub listen: Option<String>,
    /// Folder in which every message is kept before it is answered; an earlier one is taken up again
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub journal: Option<PathBuf>,
    /// Seconds for which an evaluation is lent, where the one who asks says nothing else
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = Whole::from(1).to(LONGEST_LEASE_S), requires = "listen", hide_short_help = true)]
    pub lease: u64,
    /// File with the token that clients have to say, of mode 600; made where it is not there [default: DIR/token]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "listen", hide_short_help = true)]
    pub token_file: Option<PathBuf>,
    /// Show the study in a browser on this machine, at 127.0.0.1:PORT; it asks for the token
    #[arg(long, value_name = "ADDRESS", requires = "listen")]
    pub page: Option<String>,
    /// Choose every point of the journal anew and compare the answers byte for byte
    #[arg(
        long,
        requires = "journal",
        conflicts_with = "listen",
        hide_short_help = true
    )]
    pub replay: bool,
}

/// Flags of `worker`.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Example, the study from one worker, the others without:\n  \
        bo worker --connect unix:tune.sock --token-file my-study/token --traj hover"
)]
pub struct WorkerArgs {
    /// Where the server is: unix:PATH or 127.0.0.1:PORT
    #[arg(long, value_name = "ADDRESS", required = true)]
    pub connect: String,
    /// File with the server's token, of mode 600
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, required = true)]
    pub token_file: PathBuf,
    /// Seconds for which the server may be away
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = Whole::from(0).to(LONGEST_LEASE_S), hide_short_help = true)]
    pub patience: u64,
    #[command(flatten)]
    pub flags: StudyFlags,
    /// Study file; flags override it. Without either the server gives the study
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = FILES)]
    pub config: Option<PathBuf>,
}

impl WorkerArgs {
    /// The study that was typed.
    ///
    /// # Errors
    /// A name that does not exist, a number out of range, or a faulty study file.
    pub fn study(&self) -> Result<Config, Error> {
        self.flags.study(self.config.as_deref(), false)
    }

    /// Whether anything was typed that decides what study this is.
    pub fn says_what(&self) -> bool {
        self.config.is_some() || self.flags.any()
    }
}

//! Flags of the commands about study files and run folders.

use super::OutputArgs;
use clap::Args;
use std::path::PathBuf;

/// Flags of `bo config`.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  \
        bo config --print > study.toml       every field with its meaning and default\n  \
        bo config study.toml                 check a study file"
)]
pub struct ConfigArgs {
    /// Study file to check [default: none, the defaults]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Print the whole study, every field with its meaning
    #[arg(long)]
    pub print: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
}

/// Flags of `bo verify`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bo verify runs/fig8-dil-gp-1\n  \
    bo verify runs/fig8-dil-gp-1 --repair    cut at the last whole record, keep a copy of the rest")]
pub struct VerifyArgs {
    /// Folder of a run, with its trials.log
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Cut the journal behind its last whole record; what is cut is kept beside it
    #[arg(long)]
    pub repair: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub output: OutputArgs,
}

/// Flags of `bo completions`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  \
    bo completions bash > ~/.local/share/bash-completion/completions/bo")]
pub struct CompletionsArgs {
    /// Shell: bash, elvish, fish, powershell or zsh
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    pub shell: clap_complete::Shell,
}

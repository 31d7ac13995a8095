//! `bo completions`: what a shell needs to complete our command lines.

use crate::args::{Cli, CompletionsArgs};
use clap::CommandFactory;

/// The script for the shell.
pub fn completions(args: &CompletionsArgs) -> String {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "bo", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

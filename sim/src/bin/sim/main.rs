//! The `sim` program: fly, replay, test the wind, state the robustness.

mod args;
mod command;
mod failure;
mod terminal;

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;
use terminal::{fail, print, printed};

/// What a command that came to its end says: its text, and whether all it checked was in order.
pub struct Said {
    /// For standard output.
    pub text: String,
    /// Whether every check passed; a failed one makes the exit code 1.
    pub passed: bool,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return fail(&args::one_line(&error), 2),
        // Help and version were asked for: they are results.
        Err(error) => return printed(error.print(), 0),
    };
    match carry_out(&cli) {
        Ok(said) => print(&said.text, u8::from(!said.passed)),
        Err(failure) => fail(&format!("error: {failure}"), failure.exit_code()),
    }
}

fn carry_out(cli: &Cli) -> Result<Said, Failure> {
    match &cli.command {
        Command::Replay(args) => command::replay(args),
        Command::Wind(args) => command::wind(args),
        Command::Fly(args) => command::fly(args),
        Command::Montecarlo(args) => command::montecarlo(args),
        Command::Serve(_) => command::serve(),
    }
}

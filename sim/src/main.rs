//! The `sim` program: fly, replay, test the wind, state the robustness.

mod args;
mod command;
mod failure;

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;
use std::io::Write;
use std::process::ExitCode;

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
        // Help and version were asked for: they are results. A closed pipe is no failure.
        Err(error) => {
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
    };
    match carry_out(&cli) {
        Ok(said) => {
            // Whoever closed the pipe has seen enough.
            let _ = std::io::stdout().write_all(said.text.as_bytes());
            ExitCode::from(u8::from(!said.passed))
        }
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

fn fail(line: &str, code: u8) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "{line}");
    ExitCode::from(code)
}

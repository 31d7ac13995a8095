//! The program `sim`: fly, replay, test the wind, state the robustness.

mod args;
mod command;
mod robustness;

use args::{Cli, Command};
use shell::terminal::{fail, print};
use shell::{Failure, exit, manual, usage};
use std::process::ExitCode;

/// What a command that came to its end says: its text, and whether all it checked was in order.
pub struct Said {
    /// For standard output.
    pub text: String,
    /// Whether every check passed; a failed one makes the exit code 1.
    pub passed: bool,
}

impl Said {
    /// What checks nothing.
    fn so(text: String) -> Said {
        Said { text, passed: true }
    }
}

fn main() -> ExitCode {
    let cli: Cli = match usage::read() {
        Ok(cli) => cli,
        Err(ended) => return ended,
    };
    match carry_out(&cli) {
        Ok(said) if said.passed => print(&said.text, exit::SUCCESS),
        Ok(said) => print(&said.text, exit::CHECK_FAILED),
        Err(failure) => fail(&failure),
    }
}

fn carry_out(cli: &Cli) -> Result<Said, Failure> {
    match &cli.command {
        Command::Replay(args) => command::replay(args),
        Command::Wind(args) => command::wind(args),
        Command::Fly(args) => command::fly(args),
        Command::Montecarlo(args) => command::montecarlo(args),
        Command::Margins(args) => command::margins(args),
        Command::Template(args) => command::template(args),
        Command::Airframe(args) => command::airframe(args),
        Command::Identify(args) => command::identify(args),
        Command::Serve(_) => command::serve(),
        Command::Completions(args) => Ok(Said::so(manual::completions::<Cli>(args))),
        Command::Man(args) => Ok(Said::so(manual::man::<Cli>(args)?)),
    }
}

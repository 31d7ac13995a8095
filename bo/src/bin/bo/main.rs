//! The `bo` program: read the arguments, carry out the command, print what came of it.

mod args;
mod command;

use args::{Cli, Command};
use bo::Error;
use bo::interrupt::Interrupt;
use shell::terminal::{fail, print};
use shell::{exit, usage};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli: Cli = match usage::read() {
        Ok(cli) => cli,
        Err(ended) => return ended,
    };
    let interrupt = Interrupt::default();
    match carry_out(&cli, &interrupt) {
        Ok(text) => print(&text, exit::SUCCESS),
        Err(error) if interrupt.raised() && error.exit_code() == exit::INTERRUPTED => {
            fail(&format!("error: {error}"), interrupt.exit_code())
        }
        Err(error) => fail(&format!("error: {error}"), error.exit_code()),
    }
}

fn carry_out(cli: &Cli, interrupt: &Interrupt) -> Result<String, Error> {
    match &cli.command {
        // These hold nothing that an interrupt could lose: signals keep their default effect.
        Some(Command::Serve(_)) => command::serve(),
        Some(Command::Bench(args)) => command::bench(args),
        Some(Command::Regret(args)) => command::regret(args),
        Some(Command::Export(args)) => command::export(args),
        Some(Command::Report(args)) => command::report(args, interrupt),
        Some(Command::Config(args)) => command::config(args),
        Some(Command::Verify(args)) => command::verify(args),
        Some(Command::Completions(args)) => Ok(command::completions(args)),
        Some(Command::Compare(args)) => {
            interrupt.listen();
            command::compare(args, interrupt)
        }
        None => {
            interrupt.listen();
            command::tune(&cli.tune, interrupt)
        }
    }
}

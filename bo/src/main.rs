//! The `bo` program: read the arguments, carry out the command, print what came of it.

use bo::args::{Cli, Command, one_line};
use bo::interrupt::Interrupt;
use bo::{Error, command};
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return fail(&one_line(&error), 2),
        // Help and version were asked for: they are results. A closed pipe is no failure.
        Err(error) => {
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
    };
    match carry_out(&cli) {
        Ok(text) => {
            // Whoever closed the pipe has seen enough.
            let _ = std::io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => fail(&format!("error: {error}"), error.exit_code()),
    }
}

fn carry_out(cli: &Cli) -> Result<String, Error> {
    let interrupt = Interrupt::listen();
    match &cli.command {
        Some(Command::Compare(args)) => command::compare(args, &interrupt),
        Some(Command::Export(args)) => command::export(args),
        None => command::tune(&cli.tune, &interrupt),
    }
}

fn fail(line: &str, code: u8) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "{line}");
    ExitCode::from(code)
}

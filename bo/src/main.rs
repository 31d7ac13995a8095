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
    let interrupt = Interrupt::default();
    match carry_out(&cli, &interrupt) {
        Ok(text) => {
            // Whoever closed the pipe has seen enough.
            let _ = std::io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) if interrupt.raised() && error.exit_code() == 130 => {
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
        Some(Command::Report(args)) => command::report(args),
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

fn fail(line: &str, code: u8) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "{line}");
    ExitCode::from(code)
}

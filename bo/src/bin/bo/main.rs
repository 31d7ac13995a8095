//! The `bo` program: read the arguments, carry out the command, print what came of it.

mod args;
mod command;

use args::{Cli, Command, one_line};
use bo::Error;
use bo::interrupt::Interrupt;
use bo::terminal;
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return fail(&one_line(&error), 2),
        // Help and version were asked for: they are results.
        Err(error) => {
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            return ended(terminal::forgiven(printed));
        }
    };
    let interrupt = Interrupt::default();
    match carry_out(&cli, &interrupt) {
        Ok(text) => ended(terminal::print(&text)),
        Err(error) if interrupt.raised() && error.exit_code() == 130 => {
            fail(&format!("error: {error}"), interrupt.exit_code())
        }
        Err(error) => fail(&format!("error: {error}"), error.exit_code()),
    }
}

/// Success, unless the result could not be `printed`.
fn ended(printed: std::io::Result<()>) -> ExitCode {
    match printed.map_err(Error::Output) {
        Ok(()) => ExitCode::SUCCESS,
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
    terminal::say(line);
    ExitCode::from(code)
}

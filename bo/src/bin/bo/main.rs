//! The `bo` program: read the arguments, carry out the command, print the outcome.

mod args;
mod command;

use args::{Cli, Command, TuneArgs};
use bo::Error;
use bo::interrupt::Interrupt;
use dilgp::threads::on_all_cores;
use shell::exit::Coded;
use shell::terminal::{fail, print};
use shell::{Failure, exit, manual, usage};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli: Cli = match usage::read() {
        Ok(cli) => cli,
        Err(ended) => return ended,
    };
    let interrupt = Interrupt::default();
    match carry_out(&cli, &interrupt) {
        Ok((text, code)) => print(&text, code),
        Err(error) if interrupt.raised() && error.exit_code() == exit::INTERRUPTED => {
            fail(&Failure::new(&error, interrupt.exit_code()))
        }
        Err(error) => fail(&error.into()),
    }
}

/// What a command says, and its exit code.
fn carry_out(cli: &Cli, interrupt: &Interrupt) -> Result<(String, u8), Error> {
    let said = match &cli.command {
        Some(Command::Check(args)) => {
            interrupt.listen();
            return command::check(args, interrupt);
        }
        // These hold nothing that an interrupt could lose: signals keep their default effect.
        Some(Command::Serve(args)) => command::serve(args, interrupt),
        Some(Command::Bench(args)) => command::bench(args),
        Some(Command::Regret(args)) => command::regret(args),
        Some(Command::Export(args)) => on_all_cores(|| command::export(args)),
        Some(Command::Report(args)) => on_all_cores(|| command::report(args, interrupt)),
        Some(Command::Config(args)) => command::config(args),
        Some(Command::Verify(args)) => command::verify(args),
        Some(Command::List(args)) => command::list(args),
        Some(Command::Show(args)) => on_all_cores(|| command::show(args)),
        Some(Command::Open(args)) => command::open(args, interrupt),
        Some(Command::Completions(args)) => Ok(manual::completions::<Cli>(args)),
        Some(Command::Man(args)) => Ok(manual::man::<Cli>(args)?),
        Some(Command::Compare(args)) => {
            interrupt.listen();
            command::compare(args, interrupt)
        }
        Some(Command::Worker(args)) => {
            interrupt.listen();
            command::worker(args, interrupt)
        }
        Some(Command::Tune(args)) => tune(args, interrupt),
        None => tune(&cli.tune, interrupt),
    };
    Ok((said?, exit::SUCCESS))
}

fn tune(args: &TuneArgs, interrupt: &Interrupt) -> Result<String, Error> {
    interrupt.listen();
    command::tune(args, interrupt)
}

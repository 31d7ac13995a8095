//! The `dilgp` program: read the arguments, carry out the command, print the result.

mod args;
mod csv;
mod fit;
mod statistics;
mod tables;

use std::process::ExitCode;

use shell::terminal::{fail, print};
use shell::{Failure, exit, manual};

use args::{Cli, Command};

fn main() -> ExitCode {
    let command = match args::read() {
        Ok(command) => command,
        Err(ended) => return ended,
    };
    match carry_out(&command) {
        Ok(text) => print(&text, exit::SUCCESS),
        Err(failure) => fail(&failure),
    }
}

fn carry_out(command: &Command) -> Result<String, Failure> {
    match command {
        Command::Fit(args) => fit::run(args),
        Command::Table1(args) => tables::table1::run(args),
        Command::Table2(args) => tables::table2::run(args),
        Command::Completions(args) => Ok(manual::completions::<Cli>(args)),
        Command::Man(args) => Ok(manual::man::<Cli>(args)?),
    }
}

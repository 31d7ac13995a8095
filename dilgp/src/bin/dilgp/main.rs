//! The `dilgp` program: read the arguments, carry out the command, print what came of it.

mod args;
mod calibration;
mod csv;
mod error;
mod fit;
mod folder;
mod input;
mod progress;
mod statistics;
mod tables;
mod terminal;

use std::process::ExitCode;

use args::{Command, Typed};
use error::Error;
use terminal::{fail, print, printed};

fn main() -> ExitCode {
    let command = match args::read() {
        Typed::Command(command) => command,
        Typed::Answered(written) => return printed(written, 0),
        Typed::Wrong(line) => return fail(&line, 2),
    };
    match carry_out(&command) {
        Ok(text) => print(&text, 0),
        Err(error) => fail(&format!("error: {error}"), error.exit_code()),
    }
}

fn carry_out(command: &Command) -> Result<String, Error> {
    match command {
        Command::Fit(args) => fit::run(args),
        Command::Table1(args) => tables::table1::run(args),
        Command::Table2(args) => tables::table2::run(args),
    }
}

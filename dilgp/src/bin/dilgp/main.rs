//! The `dilgp` program: read the arguments, carry out the command, print what came of it.

mod args;
mod automobile;
mod choice;
mod comparison;
mod csv;
mod curves;
mod error;
mod figure1;
mod figure2;
mod fit;
mod folder;
mod housing;
mod input;
mod labels;
mod markdown;
mod methods;
mod paper;
mod pictures;
mod printed;
mod progress;
mod published;
mod sha256;
mod statistics;
mod table1;
mod table2;
mod terminal;
mod units;
mod way;

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
        Command::Table1(args) => table1::run(args),
        Command::Table2(args) => table2::run(args),
    }
}

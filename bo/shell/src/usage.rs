//! Usage: what was typed, read by clap, and what every program answers to it alike.

use crate::{exit, terminal};
use clap::{Args, Parser, ValueEnum};
use std::process::ExitCode;

/// Reads the command line of this process; what cannot be carried out ends it: a usage error on one
/// line, or help and version on standard output.
///
/// # Errors
/// The exit code to end with.
pub fn read<Cli: Parser>() -> Result<Cli, ExitCode> {
    Cli::try_parse().map_err(|error| match error.use_stderr() {
        true => terminal::fail(&one_line(&error), exit::USAGE),
        // Help and version were asked for: they are results.
        false => terminal::printed(error.print(), exit::SUCCESS),
    })
}

/// A usage error of the argument parser on one line: its message and its tip, without the usage.
pub fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    lines.collect::<Vec<_>>().join(" ")
}

/// What a command prints on standard output. Progress and warnings go to standard error in either
/// form, and exit codes are the same.
#[derive(Debug, Clone, Copy, Args)]
pub struct OutputArgs {
    /// Prints text, or json (or just --json): one JSON object with its schema
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text, hide_possible_values = true, hide_default_value = true)]
    pub format: Form,
    /// Short for --format json, and said there: help has few lines
    #[arg(long, conflicts_with = "format", hide = true)]
    pub json: bool,
}

/// The form of what a command prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Tables for a person.
    Text,
    /// One JSON object for a program; its `schema` names its form.
    Json,
}

impl OutputArgs {
    /// Whether one JSON object is wanted.
    pub fn is_json(self) -> bool {
        self.json || self.format == Form::Json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        output: OutputArgs,
        #[arg(long)]
        seed: Option<u64>,
    }

    #[test]
    fn a_usage_error_fits_one_line() {
        let error = Cli::try_parse_from(["fly", "--sed", "3"]).expect_err("no such flag");
        let line = one_line(&error);
        assert!(
            line.starts_with("error: unexpected argument '--sed' found"),
            "{line}"
        );
        assert!(line.contains("'--seed'") && !line.contains('\n'), "{line}");
    }

    #[test]
    fn json_is_asked_for_by_either_flag_and_not_by_both() {
        let typed = |flags: &str| Cli::try_parse_from(format!("fly {flags}").split_whitespace());
        for (flags, json) in [("", false), ("--json", true), ("--format json", true)] {
            let cli = typed(flags).expect("legal");
            assert_eq!((cli.output.is_json(), cli.seed), (json, None), "{flags}");
        }
        assert!(typed("--json --format text").is_err());
    }
}

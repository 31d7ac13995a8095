//! Output: the form of what a command prints, the same flag on every command.

use clap::{Args, ValueEnum};

/// What a command prints on standard output. Progress and warnings go to standard error in either
/// form, and exit codes are the same.
#[derive(Debug, Clone, Copy, Args)]
pub struct OutputArgs {
    /// What is printed: text, or json for one JSON object
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Format::Text, hide_possible_values = true, hide_default_value = true)]
    pub format: Format,
}

/// The form of what a command prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables for a person.
    Text,
    /// One JSON object for a program; its `schema` names its form.
    Json,
}

impl OutputArgs {
    /// Whether one JSON object is wanted.
    pub fn is_json(self) -> bool {
        self.format == Format::Json
    }
}

//! Flags: the settings of a study as flags, made from the table of [`bo::study`].

use bo::Error;
use bo::comparison::SHARED;
use bo::flights::context::Context;
use bo::study::{Config, Field, Flag, Legal, Typed, fields};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use shell::usage::{FILES, FLOWN, JUDGED, TUNED, refused};
use std::ffi::OsStr;
use std::path::Path;
use toml::Value;

/// What was typed of a study's settings, in the order of the table: of all of them, or of those that
/// every cell of a comparison shares.
#[derive(Debug, Clone)]
pub struct Flags<const SHARED_ALONE: bool>(Vec<Typed>);

/// Every setting of a study that has a flag.
pub type StudyFlags = Flags<false>;

/// Those that every cell of a comparison shares.
pub type BudgetFlags = Flags<true>;

impl<const SHARED_ALONE: bool> Flags<SHARED_ALONE> {
    /// What was typed.
    pub fn typed(&self) -> &[Typed] {
        &self.0
    }

    /// Whether any was typed.
    pub fn any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether the setting of that key was typed.
    pub fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(field, _)| field.key == key)
    }

    /// The context, if it was typed.
    ///
    /// # Errors
    /// None: the parser knows the names.
    pub fn environments(&self) -> Result<Option<Context>, Error> {
        let typed = self.0.iter().find(|(field, _)| field.key == TOLD);
        let name = typed.and_then(|(_, value)| value.as_str());
        name.map(Context::by_name).transpose()
    }

    /// The study at `path`, or the default, with what was typed in its place; for what keeps margins,
    /// they are `careful` as [`Config::of_flags`] says.
    ///
    /// # Errors
    /// A name that does not exist, a number out of range, or a faulty study file.
    pub fn study(&self, path: Option<&Path>, careful: bool) -> Result<Config, Error> {
        // Each cell decides whether its surrogate can use it.
        let own = |typed: &&Typed| !SHARED_ALONE || typed.0.key != TOLD;
        let typed: Vec<_> = self.0.iter().filter(own).cloned().collect();
        Config::of_flags(path, &typed, careful)
    }

    fn fields() -> impl Iterator<Item = (&'static Field, Flag)> {
        let own = |field: &&Field| !SHARED_ALONE || SHARED.contains(&field.key);
        let flagged = |field: &'static Field| Some((field, field.flag?));
        fields().filter(own).filter_map(flagged)
    }
}

/// The setting that a surrogate may be unable to follow.
const TOLD: &str = "environments";

/// The flags of short help: with these most runs are said.
const FIRST: [&str; 3] = ["traj", "airframe", "surrogate"];

/// Under which heading of help a setting stands.
fn heading(field: &Field) -> &'static str {
    match field.key {
        "trajectory" | "airframe" | "flight.world" | "budget.flights" | "budget.together" => FLOWN,
        "budget.held_out" | "gains.baseline" => JUDGED,
        "log" => FILES,
        _ => TUNED,
    }
}

/// What a shell completes where a setting has no names.
fn hint(field: &Field) -> ValueHint {
    match field.key {
        "warm_start" => ValueHint::DirPath,
        "flight.world" => ValueHint::FilePath,
        _ => ValueHint::Unknown,
    }
}

/// Reads the text after a flag, and gives a shell its legal words.
#[derive(Debug, Clone, Copy)]
struct Parser(&'static Field);

impl TypedValueParser for Parser {
    type Value = Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        text: &OsStr,
    ) -> Result<Value, clap::Error> {
        let wanted = match self.0.legal {
            Legal::Count(limit) => limit.wanted,
            Legal::Seed => "a whole number from 0 to 18446744073709551615",
            Legal::Number(_) => "a number",
            Legal::NumberOrNone(_) => "a number, or none",
            _ => {
                let read = |text: &str| self.0.of_flag(text);
                return read.parse_ref(command, arg, text);
            }
        };
        let value = text.to_str().and_then(|text| self.0.of_flag(text).ok());
        value.ok_or_else(|| refused(command, arg, text, wanted))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = self.0.names()?;
        Some(Box::new(names.into_iter().map(PossibleValue::new)))
    }
}

impl<const SHARED_ALONE: bool> Args for Flags<SHARED_ALONE> {
    fn augment_args(command: Command) -> Command {
        let usual = Config::default();
        command.args(Self::fields().map(|(field, flag)| {
            // Lambda's default is each surrogate's own, of which a comparison has many.
            let help = match field.key {
                "lambda" if SHARED_ALONE => format!("{} [default: each its own]", field.help),
                _ => field.help(&usual),
            };
            let numeric = !matches!(field.legal, Legal::Own) && field.names().is_none();
            Arg::new(flag.name)
                .long(flag.name)
                .value_name(flag.value)
                .value_hint(hint(field))
                .help(help)
                .help_heading(heading(field))
                .hide_short_help(!FIRST.contains(&flag.name))
                .allow_negative_numbers(numeric)
                .hide_possible_values(true)
                .value_parser(Parser(field))
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const SHARED_ALONE: bool> FromArgMatches for Flags<SHARED_ALONE> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = |(field, flag): (_, Flag)| Some((field, matches.get_one(flag.name).cloned()?));
        Ok(Flags(Self::fields().filter_map(typed).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

//! Flags: the settings of a study as flags, made from the table of [`bo::study`].

use bo::Error;
use bo::comparison::SHARED;
use bo::study::{Config, FIELDS, Field, Legal, field};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use std::ffi::OsStr;
use std::path::Path;
use toml::Value;

/// Every setting of a study that has a flag: what was typed, in the order of the table.
#[derive(Debug, Clone)]
pub struct StudyFlags(Vec<(&'static Field, Value)>);

/// Those that every cell of a comparison shares.
#[derive(Debug, Clone)]
pub struct BudgetFlags(StudyFlags);

impl StudyFlags {
    /// Whether any was typed.
    pub fn any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether the setting of that key was typed.
    pub fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(field, _)| field.key == key)
    }

    /// The study at `path`, or the default, with what was typed in its place.
    ///
    /// # Errors
    /// A name that does not exist, a number out of range, or a faulty study file.
    pub fn study(&self, path: Option<&Path>) -> Result<Config, Error> {
        Config::of_flags(path, &self.0)
    }

    fn of(matches: &ArgMatches, fields: impl Iterator<Item = &'static Field>) -> StudyFlags {
        let typed = fields.filter_map(|field| {
            let value = matches.get_one::<Value>(field.flag?.name)?;
            Some((field, value.clone()))
        });
        StudyFlags(typed.collect())
    }
}

impl BudgetFlags {
    /// A study of the default's with these numbers, and whether lambda was typed.
    ///
    /// # Errors
    /// A number out of range.
    pub fn study(&self) -> Result<(Config, bool), Error> {
        Ok((self.0.study(None)?, self.0.has("lambda")))
    }
}

fn shared() -> impl Iterator<Item = &'static Field> {
    SHARED.into_iter().filter_map(field)
}

/// The flags of `fields`, each with its help.
fn args(fields: impl Iterator<Item = &'static Field>) -> impl Iterator<Item = Arg> {
    let usual = Config::default();
    fields.filter_map(move |field| {
        let flag = field.flag?;
        let numeric = !matches!(field.legal, Legal::Own) && field.names().is_none();
        let arg = Arg::new(flag.name)
            .long(flag.name)
            .value_name(flag.value)
            .help(field.help(&usual))
            .allow_negative_numbers(numeric)
            .hide_possible_values(true)
            .value_parser(Typed(field));
        Some(arg)
    })
}

/// Reads the text behind a flag, and tells a shell its legal words.
#[derive(Debug, Clone, Copy)]
struct Typed(&'static Field);

impl TypedValueParser for Typed {
    type Value = Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        text: &OsStr,
    ) -> Result<Value, clap::Error> {
        let read = |text: &str| self.0.of_flag(text);
        read.parse_ref(command, arg, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        match self.0.legal {
            Legal::Word(names) | Legal::Name(names) => {
                Some(Box::new(names().into_iter().map(PossibleValue::new)))
            }
            _ => None,
        }
    }
}

impl Args for StudyFlags {
    fn augment_args(command: Command) -> Command {
        command.args(args(FIELDS.iter()))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for StudyFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<StudyFlags, clap::Error> {
        Ok(StudyFlags::of(matches, FIELDS.iter()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = StudyFlags::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for BudgetFlags {
    fn augment_args(command: Command) -> Command {
        let lambda = "Weight of the penalty in every form of DIL-GP (formulas: bo config --print) \
                      [default: each its own]";
        let flags = command.args(args(shared()));
        flags.mut_arg("lambda", |arg| arg.help(lambda))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for BudgetFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<BudgetFlags, clap::Error> {
        Ok(BudgetFlags(StudyFlags::of(matches, shared())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = BudgetFlags::from_arg_matches(matches)?;
        Ok(())
    }
}

//! Usage: what was typed, read by clap, and what every program answers to it alike.

use crate::{exit, help, progress, terminal};
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, CommandFactory, FromArgMatches, ValueEnum};
use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

/// Heading of the options that say what flies, where and in what wind.
pub const FLOWN: &str = "What is flown";
/// Heading of the options of a search.
pub const TUNED: &str = "How it is tuned";
/// Heading of the options of a test.
pub const JUDGED: &str = "How it is judged";
/// Heading of the options of a machine and of what is left behind.
pub const FILES: &str = "Files and output";

/// Columns beyond which help is not set: longer lines are hard to read.
const WIDEST_HELP: usize = 100;

/// The command line `Cli` as every program sets its help.
pub fn command<Cli: CommandFactory>() -> Command {
    Cli::command().max_term_width(WIDEST_HELP)
}

/// Reads the command line of this process; what cannot be carried out ends it: a usage error on one
/// line, or help and version on standard output. `--quiet` takes effect here.
///
/// # Errors
/// The exit code to end with.
pub fn read<Cli: CommandFactory + FromArgMatches>() -> Result<Cli, ExitCode> {
    let typed: Vec<OsString> = std::env::args_os().collect();
    let read = || {
        let matches = command::<Cli>().try_get_matches_from(&typed)?;
        if is_quiet(&matches) {
            progress::silence();
        }
        Cli::from_arg_matches(&matches)
    };
    let end = |line: &str| {
        terminal::say(line);
        ExitCode::from(exit::USAGE)
    };
    read().map_err(|error| match error.kind() {
        // Nothing was typed: what could be is more than one line.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => terminal::printed(
            help::asked(command::<Cli>(), error, &typed).print(),
            exit::USAGE,
        ),
        ErrorKind::InvalidUtf8 => end(&not_text(&typed)),
        _ if error.use_stderr() => end(&one_line(&command::<Cli>(), &error)),
        // Help and version were asked for: they are results.
        _ => terminal::printed(
            help::asked(command::<Cli>(), error, &typed).print(),
            exit::SUCCESS,
        ),
    })
}

/// That what was typed is no text, with the flag behind which it stands.
fn not_text(typed: &[OsString]) -> String {
    let place = typed.iter().position(|word| word.to_str().is_none());
    let place = place.unwrap_or_default();
    let shown = |word: &OsString| word.to_string_lossy().into_owned();
    let flag = typed[..place].last().map(shown);
    let flag = flag.filter(|word| word.starts_with('-') && !word.contains('='));
    let words = flag.into_iter().chain(typed.get(place).map(shown));
    let words = words.collect::<Vec<_>>().join(" ");
    format!("error: `{words}` is not UTF-8 text")
}

/// The command of this process and its flags as they were typed, one word each, without those of the
/// identifiers `but`: the same work, to be typed again.
pub fn typed_words<Cli: CommandFactory>(but: &[&str]) -> Vec<OsString> {
    let mut command = command::<Cli>();
    // It was read once: it can be read again.
    let read = command.try_get_matches_from_mut(std::env::args_os());
    read.map_or_else(|_| Vec::new(), |matches| words(&command, &matches, but))
}

fn words(command: &Command, matches: &ArgMatches, but: &[&str]) -> Vec<OsString> {
    let mut words = Vec::new();
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        let typed = matches.value_source(id) == Some(ValueSource::CommandLine);
        let Some(flag) = arg.get_long().filter(|_| typed && !but.contains(&id)) else {
            continue;
        };
        if !arg.get_action().takes_values() {
            words.push(format!("--{flag}").into());
            continue;
        }
        for value in matches.get_raw(id).into_iter().flatten() {
            let mut word = OsString::from(format!("--{flag}="));
            word.push(value);
            words.push(word);
        }
    }
    if let Some((name, matches)) = matches.subcommand() {
        words.push(name.into());
        let below = command.find_subcommand(name);
        words.extend(below.map_or_else(Vec::new, |below| self::words(below, matches, but)));
    }
    words
}

fn is_quiet(matches: &ArgMatches) -> bool {
    let here = matches.try_get_one::<bool>("quiet");
    let below = matches.subcommand().map(|(_, below)| is_quiet(below));
    here.is_ok_and(|quiet| quiet == Some(&true)) || below == Some(true)
}

/// A usage error of the argument parser on one line: its message and its tip, without the usage. Of a flag that other
/// commands take, these are the tip.
pub fn one_line(command: &Command, error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"));
    let lines: Vec<&str> = lines.collect();
    let takers = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(flag)) if error.kind() == ErrorKind::UnknownArgument => {
            takers(command, flag)
        }
        _ => Vec::new(),
    };
    match (error.kind(), &takers[..], &lines[..]) {
        (_, [_, ..], [first, ..]) => format!("{first}; it belongs to {}", takers.join(", ")),
        (ErrorKind::MissingRequiredArgument, ..) => {
            format!("{}; --help explains them", lines.join(" "))
        }
        _ => lines.join(" "),
    }
}

/// The commands below `command` that take `flag`, as they are typed.
fn takers(command: &Command, flag: &str) -> Vec<String> {
    let name = flag.trim_start_matches('-');
    let takes = |below: &&Command| {
        let mut all = below.get_arguments();
        all.any(|arg| arg.get_long() == Some(name) && !arg.is_hide_set())
    };
    let below = command.get_subcommands().filter(takes);
    let typed = |below: &Command| format!("{} {}", command.get_name(), below.get_name());
    below.map(typed).collect()
}

/// What a command prints on standard output. Progress and warnings go to standard error in either
/// form, and exit codes are the same.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = FILES)]
pub struct OutputArgs {
    /// Prints text, or json (or just --json): one JSON object with its schema
    #[arg(hide_short_help = true, long, value_name = "FORM", value_enum, default_value_t = Form::Text, hide_possible_values = true, hide_default_value = true)]
    pub format: Form,
    /// Short for --format json, and said there: help has few lines
    #[arg(long, conflicts_with = "format", hide = true)]
    pub json: bool,
    /// No progress; warnings and errors are said all the same
    #[arg(hide_short_help = true, short, long)]
    pub quiet: bool,
}

/// How many threads work.
#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = FILES)]
pub struct ThreadsArgs {
    /// Threads [default: one a core]; the result does not depend on them
    #[arg(short = 'j', long, value_name = "N", value_parser = Whole::from(1).to(1024), allow_negative_numbers = true, hide_short_help = true)]
    pub threads: Option<u64>,
}

impl ThreadsArgs {
    /// Threads as rayon counts them: 0 for one a core.
    pub fn count(self) -> usize {
        self.threads.map_or(0, |threads| threads as usize)
    }
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

/// A whole number within limits.
#[derive(Debug, Clone, Copy)]
pub struct Whole {
    least: u64,
    most: u64,
}

impl Whole {
    /// Any from `least` on.
    pub const fn from(least: u64) -> Whole {
        let most = u64::MAX;
        Whole { least, most }
    }

    /// Any up to `most`.
    pub const fn to(self, most: u64) -> Whole {
        Whole { most, ..self }
    }
}

impl TypedValueParser for Whole {
    type Value = u64;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        text: &OsStr,
    ) -> Result<u64, clap::Error> {
        let Whole { least, most } = *self;
        let number = text.to_str().and_then(|text| text.parse().ok());
        let within = number.filter(|number| (least..=most).contains(number));
        let wanted = || format!("a whole number from {least} to {most}");
        within.ok_or_else(|| refused(command, arg, text, &wanted()))
    }
}

/// That what was typed behind a flag is not what is wanted there.
pub fn refused(command: &Command, arg: Option<&Arg>, text: &OsStr, wanted: &str) -> clap::Error {
    let flag = arg.and_then(Arg::get_long).unwrap_or_default();
    let given = text.to_string_lossy();
    let said = format!("--{flag} is {given}; it must be {wanted}\n");
    clap::Error::raw(ErrorKind::ValueValidation, said).with_cmd(command)
}

/// A word that a shell completes to one of these names; any other is taken as well, for it may be a
/// file or a list, and its command answers a wrong one.
#[derive(Debug, Clone)]
pub struct Offered(Vec<&'static str>);

impl Offered {
    /// These names.
    pub fn these(names: impl IntoIterator<Item = &'static str>) -> Offered {
        Offered(names.into_iter().collect())
    }
}

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        text: &OsStr,
    ) -> Result<String, clap::Error> {
        clap::builder::StringValueParser::new().parse_ref(command, arg, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().copied().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usage::one_line;
    use clap::{CommandFactory, Parser};

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        output: OutputArgs,
        #[arg(long)]
        seed: Option<u64>,
        #[arg(long)]
        traj: Option<String>,
    }

    #[test]
    fn a_usage_error_fits_one_line() {
        let error = Cli::try_parse_from(["fly", "--sed", "3"]).expect_err("no such flag");
        let line = one_line(&Cli::command(), &error);
        assert!(
            line.starts_with("error: unexpected argument '--sed' found"),
            "{line}"
        );
        assert!(line.contains("'--seed'") && !line.contains('\n'), "{line}");
    }

    #[test]
    fn a_flag_of_another_command_names_that_command() {
        #[derive(Debug, Parser)]
        #[command(name = "p")]
        enum Program {
            Fly(Cli),
            Check {
                #[arg(long)]
                winds: bool,
            },
        }
        let error = Program::try_parse_from(["p", "fly", "--winds"]).expect_err("not of fly");
        assert_eq!(
            one_line(&Program::command(), &error),
            "error: unexpected argument '--winds' found; it belongs to p check"
        );
        let error = Program::try_parse_from(["p", "check", "--wind"]).expect_err("no such flag");
        let line = one_line(&Program::command(), &error);
        assert!(line.contains("'--winds'"), "{line}");
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

    #[test]
    fn work_is_typed_again_without_what_concerns_a_process_alone() {
        #[derive(Debug, Parser)]
        enum Program {
            Fly(Cli),
        }
        let mut command = Program::command();
        let line = "p fly --traj=a=b -q --seed 3 --json";
        let matches = command
            .try_get_matches_from_mut(line.split(' '))
            .expect("legal");
        let typed = words(&command, &matches, &["quiet", "json"]);
        assert_eq!(typed, ["fly", "--seed=3", "--traj=a=b"]);
    }

    #[test]
    fn quiet_is_heard_before_and_behind_a_command() {
        #[derive(Debug, Parser)]
        enum Program {
            Fly(Cli),
        }
        for (line, quiet) in [("p fly -q", true), ("p fly", false)] {
            let matches = Program::command().try_get_matches_from(line.split(' '));
            assert_eq!(is_quiet(&matches.expect("legal")), quiet, "{line}");
        }
    }

    #[derive(Debug, Parser)]
    struct Values {
        #[arg(long, value_parser = Whole::from(1).to(9))]
        seed: Option<u64>,
        #[arg(long, value_parser = Offered::these(["fig8"]))]
        traj: Option<String>,
    }

    #[test]
    fn a_number_is_asked_for_in_words() {
        for given in ["x", "0", "10", "-1", "1e3", "99999999999999999999999"] {
            let error = Values::try_parse_from(["fly", &format!("--seed={given}")]);
            let line = one_line(&Values::command(), &error.expect_err("no such number"));
            assert!(
                line == format!("error: --seed is {given}; it must be a whole number from 1 to 9"),
                "{line}"
            );
        }
    }

    #[test]
    fn a_name_that_is_offered_is_not_the_only_one() {
        let cli = Values::try_parse_from(["fly", "--traj", "my.csv"]).expect("a file");
        assert_eq!(cli.traj.as_deref(), Some("my.csv"));
        let traj = Values::command()
            .get_arguments()
            .find(|a| a.get_id() == "traj")
            .cloned();
        let offered = traj.map(|traj| traj.get_possible_values());
        let offered = offered.unwrap_or_default();
        assert_eq!(offered[0].get_name(), "fig8");
    }
}

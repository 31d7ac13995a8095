//! Help: the short one of `-h`, made from the same command line as the long one of `--help`: what a
//! command does, its usage, and a line for each of the few options that are not hidden there.

use clap::{Arg, ArgAction, Command};
use std::ffi::OsString;

/// Columns of a small terminal.
const COLUMNS: usize = 80;

/// Commands with a line of their own; those behind them are named together.
const FIRST_COMMANDS: usize = 5;

/// What stands for the rest of a text.
const REST: &str = " …";

/// The help that answers `error`, which is what `typed` came to: where `-h` asked for it, or nothing
/// was typed, the short one.
pub fn asked(command: Command, error: clap::Error, typed: &[OsString]) -> clap::Error {
    // The short form does not know --help: it fails otherwise there.
    let again = in_short(command).try_get_matches_from(typed).err();
    again
        .filter(|short| short.kind() == error.kind())
        .unwrap_or(error)
}

/// `command`, and those below it, with the short help for its only one.
fn in_short(command: Command) -> Command {
    let names = command.get_subcommands().map(Command::get_name);
    let others: Vec<String> = names.skip(FIRST_COMMANDS).map(str::to_owned).collect();
    let template = template(&command, &others);
    let [arguments, options] = columns(command.clone());
    let longest = command
        .get_subcommands()
        .map(|below| below.get_name().len());
    let commands = 4 + longest.max().unwrap_or_default();
    let help = Arg::new("help").short('h').action(ArgAction::HelpShort);
    command
        .mut_args(|arg| {
            let taken = match arg.is_positional() {
                true => arguments,
                false => options,
            };
            row(arg, COLUMNS.saturating_sub(taken))
        })
        .mut_subcommands(|below| {
            let hidden = others.iter().any(|name| name == below.get_name());
            let about = below.get_about().map(ToString::to_string);
            let about = clauses(&about.unwrap_or_default(), COLUMNS - commands);
            in_short(below).about(about).hide(hidden)
        })
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .disable_version_flag(true)
        .arg(help.hide(true))
        .help_template(template)
}

/// Usage, then a line for each of what is shown; `others` are the commands that are not.
fn template(command: &Command, others: &[String]) -> String {
    let about = command.get_about().map(ToString::to_string);
    let about = about.unwrap_or_default();
    let mut text = about + "\n{usage-heading} {usage}\n\n";
    let any = |positional| {
        let mut arguments = command.get_arguments();
        arguments.any(|arg| arg.is_positional() == positional && is_shown(arg))
    };
    let parts = [
        (any(true), "{positionals}\n"),
        (any(false), "{options}\n"),
        (command.has_subcommands(), "{subcommands}\n"),
    ];
    text.extend(
        parts
            .into_iter()
            .filter(|(any, _)| *any)
            .map(|(_, part)| part),
    );
    if !others.is_empty() {
        let others = clauses(&others.join(", "), COLUMNS - "  More: ".len() - REST.len());
        text += &format!("  More: {others}\n");
    }
    text + "\n--help says all, with examples\n"
}

fn is_shown(arg: &Arg) -> bool {
    !arg.is_hide_set() && !arg.is_hide_short_help_set()
}

/// Where the texts behind the arguments and behind the options that are shown begin.
fn columns(mut command: Command) -> [usize; 2] {
    // Before, an argument does not know its own name.
    command.build();
    let longest = |positional| {
        let args = command.get_arguments().filter(|arg| is_shown(arg));
        let args = args.filter(|arg| arg.is_positional() == positional);
        let longest = args.map(|arg| arg.to_string().chars().count()).max();
        longest.unwrap_or_default()
    };
    [4 + longest(true), 8 + longest(false)]
}

/// `arg` with what fits `width` of its text and its default.
fn row(arg: Arg, width: usize) -> Arg {
    let mut text = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let defaults = arg.get_default_values().iter();
    let defaults: Vec<_> = defaults.map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() && !arg.is_hide_default_value_set() && arg.get_action().takes_values() {
        text += &format!(" [default: {}]", defaults.join(" "));
    }
    arg.help(clauses(&text, width)).hide_default_value(true)
}

/// The first clauses of `text` that fit `width`, and a mark where others follow.
fn clauses(text: &str, width: usize) -> String {
    let fits = |part: &str| part.chars().count() <= width;
    if fits(text) {
        return text.to_owned();
    }
    // A default is left out whole.
    let said = text.split(" [").next().unwrap_or(text);
    let ends = [", ", "; ", ": ", " ("].into_iter();
    let ends = ends.flat_map(|end| said.match_indices(end));
    let mut ends: Vec<usize> = ends
        .map(|(at, end)| at + usize::from(!end.starts_with(' ')))
        .chain([said.len()])
        .collect();
    ends.sort_unstable();
    let mut cut = ends.iter().map(|at| text[..*at].to_owned() + REST);
    let last = cut.rfind(|part| fits(part));
    last.unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use clap::error::ErrorKind;

    /// Flies.
    #[derive(Debug, Parser)]
    #[command(
        name = "fly",
        arg_required_else_help = true,
        after_help = "Examples:\n  fly --seed 3"
    )]
    struct Cli {
        /// Decides the wind, the noise of every sensor, the vehicle and whatever else is drawn
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Not for a beginner
        #[arg(long, hide_short_help = true)]
        delay: Option<f64>,
    }

    fn answer(line: &str) -> (ErrorKind, String) {
        let typed: Vec<OsString> = line.split(' ').map(Into::into).collect();
        let command = <Cli as clap::CommandFactory>::command().term_width(COLUMNS);
        let error = command.clone().try_get_matches_from(&typed);
        let error = asked(command, error.expect_err("help"), &typed);
        (error.kind(), error.render().to_string())
    }

    #[test]
    fn each_way_to_ask_has_its_help() {
        let (kind, short) = answer("fly -h");
        let lines: Vec<&str> = short.lines().collect();
        assert_eq!(kind, ErrorKind::DisplayHelp);
        assert_eq!(
            lines,
            [
                "Flies",
                "Usage: fly [OPTIONS]",
                "",
                "      --seed <SEED>  Decides the wind, the noise of every sensor, …",
                "",
                "--help says all, with examples"
            ]
        );
        assert_eq!(answer("fly").1, short);
        let (_, long) = answer("fly --help");
        for said in ["--delay <DELAY>", "[default: 1]", "Examples:"] {
            assert!(long.contains(said), "{long}");
        }
    }

    #[test]
    fn a_text_is_cut_between_its_clauses() {
        let text = "one, two; three (four) [default: 5]";
        assert_eq!(clauses(text, 35), text);
        assert_eq!(clauses(text, 34), "one, two; three (four) …");
        assert_eq!(clauses(text, 17), "one, two; three …");
        assert_eq!(clauses(text, 11), "one, two; …");
        assert_eq!(clauses("a single clause", 3), "a single clause");
    }
}

//! Help: the short and the long one of every command of a program.

use std::collections::BTreeMap;

/// Most lines of `-h` at 80 columns.
const MOST_LINES: usize = 12;
/// Columns of a small terminal.
const COLUMNS: usize = 80;

/// Asks `printed`, at 80 columns, for `-h` and `--help` of the program and of every command that its
/// completions for fish know; returns the number of commands.
///
/// # Panics
/// Where a short help is long, or does not say that there is a long one; where a long help lacks a
/// flag that a shell completes, or two flags of a command have one name.
pub fn hold(program: &str, printed: impl Fn(&[&str]) -> String) -> usize {
    let script = printed(&["completions", "fish"]);
    let flags = flags(program, &script);
    for (command, flags) in &flags {
        let answer = |flag| {
            let words = [*command, flag].into_iter().filter(|word| !word.is_empty());
            printed(&words.collect::<Vec<_>>())
        };
        let short = answer("-h");
        assert!(short.lines().count() <= MOST_LINES, "{short}");
        let fits = |line: &str| line.chars().count() <= COLUMNS;
        assert!(short.lines().all(fits), "{short}");
        let last = short.lines().last().unwrap_or_default();
        assert!(last.starts_with("--help "), "{short}");
        let long = answer("--help");
        for (place, flag) in flags.iter().enumerate() {
            // The parser of a build without assertions takes whichever comes first.
            assert!(!flags[..place].contains(flag), "{command} has two --{flag}");
            let flag = format!("--{flag}");
            assert!(long.contains(&flag), "{command} lacks {flag}: {long}");
        }
    }
    flags.len()
}

/// The long flags of each command in a script for fish; the program itself has no name there.
fn flags<'a>(program: &str, script: &'a str) -> BTreeMap<&'a str, Vec<&'a str>> {
    let itself = format!("complete -c {program} -n \"");
    let mut flags: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in script.lines().filter_map(|line| line.strip_prefix(&itself)) {
        let Some((when, what)) = line.split_once("\" ") else {
            continue;
        };
        let mut words = when.split(' ');
        let command = match words.next() {
            Some(first) if first.ends_with("_using_subcommand") => words.next().unwrap_or_default(),
            _ => "",
        };
        if command.starts_with("help") {
            continue;
        }
        let mut words = what.split(' ');
        let flag = words.find(|word| *word == "-l").and_then(|_| words.next());
        flags.entry(command).or_default().extend(flag);
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "function __fish_p_needs_command\n\
        complete -c p -n \"__fish_p_needs_command\" -s V -l version -d 'Print version'\n\
        complete -c p -n \"__fish_p_needs_command\" -f -a \"fly\" -d 'Fly'\n\
        complete -c p -n \"__fish_p_using_subcommand fly\" -s o -l out -d 'A -l here'\n\
        complete -c p -n \"__fish_p_using_subcommand fly\" -l seed -r\n\
        complete -c p -n \"__fish_p_using_subcommand help; and not fly\" -f -a \"fly\"\n";

    #[test]
    fn the_flags_of_each_command_are_found() {
        let found = flags("p", SCRIPT);
        assert_eq!(found[""], ["version"]);
        assert_eq!(found["fly"], ["out", "seed"]);
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn a_flag_that_stands_twice_is_found() {
        let twice = SCRIPT.replace("-l seed -r", "-l out -r");
        let program = |words: &[&str]| match words {
            ["completions", "fish"] => twice.clone(),
            [.., "-h"] => "--help says all\n".to_owned(),
            _ => "a long text that explains --version and --out\n".to_owned(),
        };
        let held = std::panic::AssertUnwindSafe(|| hold("p", program));
        let said = std::panic::catch_unwind(held).expect_err("it stands twice");
        let said = said.downcast::<String>().expect("a sentence");
        assert_eq!(*said, "fly has two --out");
    }

    #[test]
    fn a_flag_that_is_not_explained_is_found() {
        let program = |explained: &'static str| {
            move |words: &[&str]| match words {
                ["completions", "fish"] => SCRIPT.to_owned(),
                [.., "-h"] => "--help says all\n".to_owned(),
                _ => format!("a long text that explains --version, --out{explained}\n"),
            }
        };
        assert_eq!(hold("p", program(" and --seed")), 2);
        assert!(std::panic::catch_unwind(|| hold("p", program(""))).is_err());
    }
}

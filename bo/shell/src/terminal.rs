//! Terminal: what a person reads on standard output and standard error. Names come from files and
//! folders, and none of them may steer the terminal that shows it.

use crate::Failure;
use std::io::{ErrorKind, Result, Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;

/// `text` with everything escaped that a terminal would obey or that would break the line: control
/// characters, and those that turn the direction of writing.
pub fn printable(text: &str) -> String {
    escaped(text, |c| c.escape_default().to_string())
}

fn escaped(text: &str, escape: impl Fn(char) -> String) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match steers(character) {
            true => safe += &escape(character),
            false => safe.push(character),
        }
    }
    safe
}

fn steers(character: char) -> bool {
    let turns = matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || turns
}

/// Letters of the longest line: what is longer quotes an input that is longer still.
const LONGEST_LINE: usize = 2_000;

/// `text` as one line that steers no terminal and ends.
pub fn line(text: &str) -> String {
    let safe = printable(text);
    match safe.char_indices().nth(LONGEST_LINE) {
        None => safe,
        Some((end, _)) => format!("{}…", &safe[..end]),
    }
}

/// One line on standard error.
pub fn say(text: &str) {
    // A closed stderr must not end the program.
    let _ = writeln!(stderr(), "{}", line(text));
}

/// What makes an answer mean less than it seems to, on standard error.
pub fn warn(concern: &str) {
    say(&format!("warning: {concern}"));
}

/// What a person should know, on standard error.
pub fn note(remark: &str) {
    say(&format!("note: {remark}"));
}

/// Says on one line why the program ends early, and ends it.
pub fn fail(failure: &Failure) -> ExitCode {
    say(&format!("error: {failure}"));
    ExitCode::from(failure.exit_code())
}

/// Prints a command's result on standard output and ends with `code`, or says that it could not be
/// printed in full. Whoever closed the pipe has seen enough.
pub fn print(text: &str, code: u8) -> ExitCode {
    printed(stdout().write_all(result(text).as_bytes()), code)
}

/// Ends with `code` after something was printed, as [`print`] does.
pub fn printed(written: Result<()>, code: u8) -> ExitCode {
    match forgiven(written.and_then(|()| stdout().flush())) {
        Ok(()) => ExitCode::from(code),
        Err(error) => fail(&Failure::output(error)),
    }
}

/// `written`, where a reader that went away is no failure.
///
/// # Errors
/// Every other one.
pub fn forgiven(written: Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// `text` of several lines with the rest of what steers a terminal escaped as JSON escapes it, so
/// that an object stays one.
fn result(text: &str) -> String {
    escaped(text, |c| match c {
        '\n' | '\t' => c.to_string(),
        c => format!("\\u{:04x}", u32::from(c)),
    })
}

/// `path` as a POSIX shell takes it for one word, for commands that are to be typed.
pub fn word(path: impl AsRef<Path>) -> String {
    let word = path.as_ref().to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%=,".contains(c);
    if !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(word("fig8-dil-gp-1"), "fig8-dil-gp-1");
        assert_eq!(word("runs/a-1_b.toml"), "runs/a-1_b.toml");
        assert_eq!(word("sp ace/my way é.csv"), "'sp ace/my way é.csv'");
        assert_eq!(word("my run"), "'my run'");
        assert_eq!(word("a'; rm -rf b"), "'a'\\''; rm -rf b'");
        assert_eq!((word(""), word("-x")), ("''".into(), "'-x'".into()));
    }

    #[test]
    fn what_steers_a_terminal_is_escaped_and_nothing_else() {
        assert_eq!(printable("é 中 — fine"), "é 中 — fine");
        assert_eq!(
            printable("a\u{1b}[31mb\r\n\u{9b}\u{202e}"),
            "a\\u{1b}[31mb\\r\\n\\u{9b}\\u{202e}"
        );
    }
    #[test]
    fn a_line_ends() {
        assert_eq!(line("short"), "short");
        assert_eq!(line(&"w".repeat(70_000)).chars().count(), LONGEST_LINE + 1);
    }

    #[test]
    fn a_result_keeps_its_lines_and_a_json_object_stays_one() {
        assert_eq!(result("a\tb\nc\u{1b}[31m"), "a\tb\nc\\u001b[31m");
        assert_eq!(result("\"\u{202e}\u{9b}\""), "\"\\u202e\\u009b\"");
    }
}

//! Terminal: what a person reads on standard output and standard error. Names come from files and
//! folders, and none of them may steer the terminal that shows it.

use std::io::{ErrorKind, Result, Write, stderr, stdout};
use std::path::Path;

/// `text` with everything escaped that a terminal would obey or that would break the line: control
/// characters, and those that turn the direction of writing.
pub fn printable(text: &str) -> String {
    escaped(text, |_| false)
}

fn escaped(text: &str, kept: fn(char) -> bool) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if steers(character) && !kept(character) {
            safe.extend(character.escape_default());
        } else {
            safe.push(character);
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

/// A command's result on standard output.
///
/// # Errors
/// What the system said, but for a reader that went away: it has seen enough.
pub fn print(text: &str) -> Result<()> {
    let text = escaped(text, |c| c == '\n' || c == '\t');
    let mut out = stdout().lock();
    forgiven(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// `written`, where a reader that went away is no failure.
pub fn forgiven(written: Result<()>) -> Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// `path` as a POSIX shell takes it for one word, for commands that are to be typed.
pub fn word(path: impl AsRef<Path>) -> String {
    let word = path.as_ref().to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
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
}

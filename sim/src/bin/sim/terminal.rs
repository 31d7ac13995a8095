//! Terminal: what the program says, on standard output and on standard error.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Exit code of a stream or file that could not be written in full.
pub const IO_ERROR: u8 = 74;

/// Prints a result and ends with `code`, or says that it could not be printed in full. Whoever
/// closed the pipe has seen enough.
pub fn print(text: &str, code: u8) -> ExitCode {
    printed(std::io::stdout().write_all(text.as_bytes()), code)
}

/// Ends with `code` after something was printed, as [`print`] does.
pub fn printed(written: std::io::Result<()>, code: u8) -> ExitCode {
    match written.and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => fail(
            &format!("error: cannot write to standard output: {error}"),
            IO_ERROR,
        ),
        _ => ExitCode::from(code),
    }
}

/// Says on one line what went wrong, and ends with `code`.
pub fn fail(line: &str, code: u8) -> ExitCode {
    say(line);
    ExitCode::from(code)
}

/// Most letters of a line on standard error.
const MOST_LETTERS: usize = 2_000;

/// One line on standard error; that nobody listens there must not end the command.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", visible(line));
}

/// The text with its control characters written out, as in `\u{1b}`: names of files and keys of
/// other people's files must not move a terminal's cursor or change its colours, nor fill it.
fn visible(text: &str) -> String {
    let mut shown = String::new();
    for letter in text.chars().take(MOST_LETTERS) {
        // The marks that turn the direction of writing hide what a name says.
        let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if letter.is_control() || turns {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    if text.chars().nth(MOST_LETTERS).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_out_and_letters_are_not() {
        assert_eq!(visible("é α.csv: m²"), "é α.csv: m²");
        assert_eq!(
            visible(&"w".repeat(70_000)).chars().count(),
            MOST_LETTERS + 1
        );
        assert_eq!(
            visible("a\u{1b}[31m\n\u{9b}\u{202e}"),
            "a\\u{1b}[31m\\n\\u{9b}\\u{202e}"
        );
    }
}

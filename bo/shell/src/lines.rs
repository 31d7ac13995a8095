//! Lines: the lines of a stream, none of which can fill the memory.

use std::io::BufRead;

/// Longest line that is read \[bytes\]; the rest of a longer one is skipped as it arrives.
pub const LONGEST_LINE: usize = 1_000_000;

/// A line of input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Its text, without the line's end.
    Text(String),
    /// Longer than [`LONGEST_LINE`].
    TooLong,
    /// Not UTF-8.
    NotText,
}

/// A stream read line by line.
pub struct Lines<R> {
    input: R,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `input`.
    pub fn new(input: R) -> Self {
        Lines { input }
    }

    /// The next line; `None` at the end. A last line without a line's end counts.
    ///
    /// # Errors
    /// What the system says of a stream that cannot be read.
    pub fn next_line(&mut self) -> std::io::Result<Option<Line>> {
        let mut kept = Vec::new();
        let mut length = 0;
        loop {
            let chunk = match self.input.fill_buf() {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if chunk.is_empty() {
                return Ok((length > 0).then(|| line(kept, length)));
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            length += part.len();
            if length <= LONGEST_LINE {
                kept.extend_from_slice(part);
            } else {
                kept = Vec::new();
            }
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                return Ok(Some(line(kept, length)));
            }
        }
    }
}

fn line(bytes: Vec<u8>, length: usize) -> Line {
    if length > LONGEST_LINE {
        return Line::TooLong;
    }
    String::from_utf8(bytes).map_or(Line::NotText, Line::Text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(BufReader::with_capacity(7, bytes));
        std::iter::from_fn(|| lines.next_line().expect("memory can be read")).collect()
    }

    #[test]
    fn lines_are_split_and_the_last_needs_no_end() {
        let text = |t: &str| Line::Text(t.to_owned());
        assert_eq!(
            lines(b"one\n\nthree, longer than the buffer"),
            [text("one"), text(""), text("three, longer than the buffer")]
        );
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn a_line_at_the_limit_is_read_and_one_beyond_it_is_skipped_whole() {
        let mut bytes = vec![b'a'; LONGEST_LINE];
        bytes.extend_from_slice(b"\n");
        bytes.extend(vec![b'b'; LONGEST_LINE + 1]);
        bytes.extend_from_slice(b"\nnext\n");
        let lines = lines(&bytes);
        assert!(matches!(&lines[0], Line::Text(text) if text.len() == LONGEST_LINE));
        assert_eq!(lines[1..], [Line::TooLong, Line::Text("next".to_owned())]);
    }

    #[test]
    fn bytes_that_are_not_text_are_told_apart() {
        assert_eq!(lines(b"\xff\xfe\n"), [Line::NotText]);
    }
}

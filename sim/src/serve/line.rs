//! Lines of bounded length.

use std::io::BufRead;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line, without its end.
    Text(Vec<u8>),
    /// One that was longer than allowed; it was skipped, not kept.
    TooLong,
    /// The input has ended.
    End,
}

/// Reads one line of at most `most` bytes, its end included.
pub(super) fn read(input: &mut impl BufRead, most: usize) -> std::io::Result<Line> {
    let mut kept = Vec::new();
    let mut length = 0usize;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if available.is_empty() {
            return Ok(match length {
                0 => Line::End,
                length if length > most => Line::TooLong,
                _ => Line::Text(kept),
            });
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(available.len(), |end| end + 1);
        length += taken;
        if length <= most {
            kept.extend_from_slice(&available[..taken]);
        }
        input.consume(taken);
        if end.is_some() {
            if length > most {
                return Ok(Line::TooLong);
            }
            kept.truncate(kept.len() - 1);
            return Ok(Line::Text(kept));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8], most: usize) -> Vec<Line> {
        // A buffer smaller than the lines, as a pipe has.
        let mut input = std::io::BufReader::with_capacity(3, text);
        let mut all = Vec::new();
        loop {
            match read(&mut input, most).expect("memory does not fail") {
                Line::End => return all,
                line => all.push(line),
            }
        }
    }

    #[test]
    fn a_line_at_the_limit_is_kept_and_one_above_is_skipped_whole() {
        let text = |t: &str| Line::Text(t.as_bytes().to_vec());
        assert_eq!(
            lines(b"abcd\nabcde\nx\n\nlast", 5),
            [
                text("abcd"),
                Line::TooLong,
                text("x"),
                text(""),
                text("last")
            ]
        );
        assert_eq!(lines(b"endless", 5), [Line::TooLong]);
        assert_eq!(lines(b"", 5), []);
    }
}

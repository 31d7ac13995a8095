//! Words: numbers that JSON has no word for, in lines that some languages write for JSON all the
//! same: bare `NaN`, `Infinity` and `-Infinity`. They pass the parser as marked strings.

use serde_json::Value;

/// Stands for a number that JSON has no word for, in the text handed to the parser.
pub(super) const MARK: &str = "\\u0000";

/// The line with bare `NaN`, `Infinity` and `-Infinity`, which some languages write for JSON, as
/// marked strings. Words within strings stay.
pub(super) fn with_words_for_numbers(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        if first == '"' {
            let end = end_of_string(rest);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        let word = ["NaN", "-Infinity", "Infinity"]
            .into_iter()
            .find(|w| rest.starts_with(w));
        if let Some(word) = word {
            out.extend(["\"", MARK, word, "\""]);
            rest = &rest[word.len()..];
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// Bytes of the string literal with which `text` begins; all of it where it does not end.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return index + 1,
            _ => {}
        }
    }
    text.len()
}

/// The number that `value` is, in digits or in a marked word.
pub(super) fn as_number(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("\0NaN") => Some(f64::NAN),
        Some("\0Infinity") => Some(f64::INFINITY),
        Some("\0-Infinity") => Some(f64::NEG_INFINITY),
        _ => value.as_f64(),
    }
}

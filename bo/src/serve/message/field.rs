//! Field: one field of a message, of the kind that is wanted: `None` if absent, an error that names it if it
//! is of another kind. Some languages write bare `NaN`, `Infinity` and `-Infinity` for numbers that JSON cannot
//! hold; they pass the parser as marked strings.

use super::parse_error::ParseError;
use serde_json::{Map, Value};

pub(super) fn number(
    object: &Map<String, Value>,
    field: &'static str,
) -> Result<Option<f64>, ParseError> {
    let given = object.get(field);
    let read = |value| as_number(value).ok_or_else(|| wrong(field, value, "a number"));
    given.map(read).transpose()
}

pub(super) fn count(
    object: &Map<String, Value>,
    field: &'static str,
) -> Result<Option<u64>, ParseError> {
    let wanted = "a whole number, not negative";
    let read = |value: &Value| value.as_u64().ok_or_else(|| wrong(field, value, wanted));
    object.get(field).map(read).transpose()
}

pub(super) fn flag(
    object: &Map<String, Value>,
    field: &'static str,
) -> Result<Option<bool>, ParseError> {
    let read = |value: &Value| {
        value
            .as_bool()
            .ok_or_else(|| wrong(field, value, "true or false"))
    };
    object.get(field).map(read).transpose()
}

pub(super) fn text<'a>(
    object: &'a Map<String, Value>,
    field: &'static str,
) -> Result<Option<&'a str>, ParseError> {
    let read = |value: &'a Value| {
        value
            .as_str()
            .ok_or_else(|| wrong(field, value, "a string"))
    };
    object.get(field).map(read).transpose()
}

/// What the name in `field` stands for.
pub(super) fn named<T: Copy>(
    object: &Map<String, Value>,
    field: &'static str,
    known: &[(&str, T)],
) -> Result<Option<T>, ParseError> {
    let Some(given) = text(object, field)? else {
        return Ok(None);
    };
    let found = known.iter().find(|(name, _)| *name == given);
    let names = || known.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    let unknown = || ParseError::UnknownName {
        field,
        given: shortened(given),
        known: names().join(", "),
    };
    Ok(Some(found.ok_or_else(unknown)?.1))
}

/// The numbers in `field`.
pub(super) fn numbers(
    object: &Map<String, Value>,
    field: &'static str,
) -> Result<Option<Vec<f64>>, ParseError> {
    let read = |value: &Value| {
        let numbers = value
            .as_array()
            .map(|all| all.iter().map(as_number).collect());
        let numbers: Option<Option<Vec<f64>>> = numbers;
        (numbers.flatten()).ok_or_else(|| wrong(field, value, "an array of numbers"))
    };
    object.get(field).map(read).transpose()
}

/// That `field` is not what is wanted.
pub(super) fn wrong(field: &'static str, given: &Value, wanted: &'static str) -> ParseError {
    let given = shortened(&given.to_string().replace(MARK, ""));
    ParseError::Kind {
        field,
        given,
        wanted,
    }
}

/// At most forty characters of what was given.
pub(super) fn shortened(given: &str) -> String {
    if given.chars().count() <= 40 {
        return given.to_owned();
    }
    given.chars().take(40).chain("...".chars()).collect()
}

/// What `value` is, in words.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

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

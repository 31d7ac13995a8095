//! Field: one field of a message, of the kind that is wanted: `None` if absent, an error that names it if it
//! is of another kind. Some languages write bare `NaN`, `Infinity` and `-Infinity` for numbers that JSON cannot
//! hold; they pass the parser as marked strings.

use super::ProtocolError;
use serde_json::{Map, Value};
use std::cell::RefCell;

/// The fields of an object, of which those are known that were asked for.
pub(super) struct Fields<'a> {
    object: &'a Map<String, Value>,
    known: RefCell<Vec<&'static str>>,
}

impl<'a> Fields<'a> {
    pub(super) fn of(object: &'a Map<String, Value>) -> Fields<'a> {
        Fields {
            object,
            known: RefCell::default(),
        }
    }

    /// The names of the fields that nobody asked for.
    pub(super) fn unknown(&self) -> impl Iterator<Item = &'a String> {
        let known = self.known.borrow().clone();
        let names = self.object.keys();
        names.filter(move |name| !known.contains(&name.as_str()))
    }

    /// Refuses `what` these fields are of where one is not known.
    pub(super) fn refuse_unknown(&self, what: &str) -> Result<(), ProtocolError> {
        let known = self.known.borrow().clone();
        match self.unknown().next() {
            None => Ok(()),
            Some(field) => {
                let (near, field) = (shell::names::nearest(field, &known), shortened(field));
                Err(
                    format!("field `{field}` of {what} is not known; did you mean `{near}`?")
                        .into(),
                )
            }
        }
    }

    pub(super) fn get(&self, field: &'static str) -> Option<&'a Value> {
        self.known.borrow_mut().push(field);
        self.object.get(field)
    }

    /// What `read` makes of the field, in words as `wanted`.
    pub(super) fn read<T>(
        &self,
        field: &'static str,
        wanted: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, ProtocolError> {
        let read = |value| read(value).ok_or_else(|| wrong(field, value, wanted));
        self.get(field).map(read).transpose()
    }

    pub(super) fn number(&self, field: &'static str) -> Result<Option<f64>, ProtocolError> {
        self.read(field, "a number", as_number)
    }

    pub(super) fn numbers(&self, field: &'static str) -> Result<Option<Vec<f64>>, ProtocolError> {
        let all = |value: &Value| value.as_array()?.iter().map(as_number).collect();
        self.read(field, "an array of numbers", all)
    }

    pub(super) fn count(&self, field: &'static str) -> Result<Option<u64>, ProtocolError> {
        self.read(field, "a whole number, not negative", Value::as_u64)
    }

    pub(super) fn flag(&self, field: &'static str) -> Result<Option<bool>, ProtocolError> {
        self.read(field, "true or false", Value::as_bool)
    }

    pub(super) fn text(&self, field: &'static str) -> Result<Option<&'a str>, ProtocolError> {
        self.read(field, "a string", Value::as_str)
    }

    /// The objects that `field` lists, each of which `declared` reads with its name; none if it is absent.
    pub(super) fn declared<T>(
        &self,
        field: &'static str,
        most: usize,
        declared: impl Fn(&Fields<'a>) -> Result<(String, T), ProtocolError>,
    ) -> Result<Vec<(String, T)>, ProtocolError> {
        let objects = |value: &'a Value| value.as_array()?.iter().map(Value::as_object).collect();
        let entries: Option<Vec<_>> = self.read(field, "an array of objects", objects)?;
        let entries = entries.unwrap_or_default();
        if entries.len() > most {
            let given = entries.len();
            return Err(format!("{given} {field} are declared; the limit is {most}").into());
        }
        let mut all: Vec<(String, T)> = Vec::new();
        for entry in entries {
            let (name, one) = declared(&Fields::of(entry))?;
            if all.iter().any(|(other, _)| *other == name) {
                let (what, name) = (field.trim_end_matches('s'), shortened(&name));
                return Err(format!("{what} `{name}` stands twice").into());
            }
            all.push((name, one));
        }
        Ok(all)
    }

    /// What the name in `field` stands for.
    pub(super) fn named<T: Copy>(
        &self,
        field: &'static str,
        known: &[(&str, T)],
    ) -> Result<Option<T>, ProtocolError> {
        let Some(given) = self.text(field)? else {
            return Ok(None);
        };
        if let Some((_, found)) = known.iter().find(|(name, _)| *name == given) {
            return Ok(Some(*found));
        }
        let known: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let (given, known) = (shortened(given), known.join(", "));
        Err(format!("unknown {field} `{given}`; known: {known}").into())
    }
}

/// That `field` is missing.
pub(super) fn missing(field: &str) -> ProtocolError {
    format!("`{field}` is missing").into()
}

/// That `field` is not what is wanted.
pub(super) fn wrong(field: &str, given: &Value, wanted: &str) -> ProtocolError {
    let given = shortened(&given.to_string().replace(MARK, ""));
    format!("`{field}` is {given}; it must be {wanted}").into()
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
const MARK: &str = "\\u0000";

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

//! Entries: the settings as they stand in a file, before it is known whose file it is.

use crate::autopilot::AutopilotError;

/// A setting with its line, vehicle and profile.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    /// The line, from 1.
    pub(super) line: usize,
    /// The name.
    pub(super) name: String,
    /// The value.
    pub(super) value: Value,
    /// Vehicle and component, where the line names them.
    pub(super) of: Option<(u32, u32)>,
    /// Betaflight's profile, where the line stands below one.
    pub(super) profile: Option<u32>,
}

/// What a setting is set to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A number, perhaps none that can be flown.
    Number(f64),
    /// Anything else.
    Word(String),
}

impl Value {
    /// Whether two values are the same, be they no numbers.
    pub(super) fn is(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Number(one), Value::Number(two)) => one.total_cmp(two).is_eq(),
            _ => self == other,
        }
    }
}

impl Entry {
    /// `name` set to `value` in `line`, by nobody in particular.
    pub(super) fn new(line: usize, name: impl Into<String>, value: Value) -> Entry {
        Entry {
            line,
            name: name.into(),
            value,
            of: None,
            profile: None,
        }
    }
}

/// What stands in one file.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// The file's name.
    pub(super) name: String,
    /// Its settings.
    pub(super) all: Vec<Entry>,
    /// How many lines are none.
    pub(super) skipped: usize,
    /// The first of those.
    pub(super) first_skipped: Vec<(usize, String)>,
    /// What a reader should know.
    pub(super) notes: Vec<String>,
    /// The firmware's version.
    pub(super) version: Option<String>,
    /// Whether it says itself that it holds differences from something else.
    pub(super) is_difference: bool,
    /// Whether it says itself that it is a whole dump.
    pub(super) is_dump: bool,
    /// What is said of it in [`ParameterFile`](super::ParameterFile).
    pub(super) is_log: bool,
    pub(super) doubts: Vec<String>,
    pub(super) foreign: Vec<String>,
    pub(super) changed: Vec<(String, String)>,
    /// Whether it is JSON of ours.
    pub(super) is_json: bool,
    /// Betaflight's profile that is chosen last.
    pub(super) profile: Option<u32>,
}

/// How many lines that are no setting are kept.
const KEPT: usize = 5;

impl Entries {
    /// Counts a line that is no setting.
    pub(super) fn skip(&mut self, line: usize, text: &str) {
        self.skipped += 1;
        if self.first_skipped.len() < KEPT {
            self.first_skipped.push((line, quoted(text)));
        }
    }

    /// What is wrong with a line of the file.
    pub(super) fn wrong(&self, line: usize, said: impl Into<String>) -> AutopilotError {
        AutopilotError::Line {
            name: self.name.clone(),
            line,
            said: said.into(),
        }
    }
}

/// `text`, or as much of it as goes into a sentence.
pub(super) fn quoted(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// A number as autopilots and their tools write it.
pub(super) fn number(text: &str) -> Option<f64> {
    let hexadecimal = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => u64::from_str_radix(digits, 16).ok().map(|n| n as f64),
        None => text.parse().ok(),
    }
}

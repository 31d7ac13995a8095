//! Reader of ULog files: as much as our own hold, strictly. Other readers take a file that was cut
//! short for a whole one; this one tells.

use super::ulog::{END, MAGIC};
use std::collections::BTreeMap;

/// What a file holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UlogContents {
    /// Information by name.
    pub information: BTreeMap<String, String>,
    /// Parameters by name.
    pub parameters: BTreeMap<String, f32>,
    /// Data by topic.
    pub topics: BTreeMap<String, Topic>,
    /// Messages: time [µs] and text.
    pub messages: Vec<(u64, String)>,
}

/// The data of one topic.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Topic {
    /// Names of the fields after the time; an array's are numbered, as in `q[0]`.
    pub fields: Vec<String>,
    /// Time of each sample [µs].
    pub time_us: Vec<u64>,
    /// The fields of each sample.
    pub values: Vec<Vec<f32>>,
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UlogError {
    /// It is no ULog file.
    #[error("this is no ULog file of version 1")]
    Magic,

    /// It ends too early.
    #[error("the ULog file was cut short: it ends at byte {at} without its closing message")]
    Cut {
        /// Where the last whole record ends.
        at: usize,
    },

    /// A record cannot be.
    #[error("the ULog record at byte {at} is faulty: {what}")]
    Record {
        /// Where it starts.
        at: usize,
        /// What is wrong.
        what: &'static str,
    },
}

/// Reads a whole file.
///
/// # Errors
/// [`UlogError`]; a file that was cut anywhere is [`UlogError::Cut`].
pub fn read_ulog(bytes: &[u8]) -> Result<UlogContents, UlogError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(UlogError::Magic);
    }
    let mut reader = Reader::default();
    let mut at = 16;
    let mut ended = false;
    while !ended {
        let cut = UlogError::Cut { at };
        let head = bytes.get(at..at + 3).ok_or(cut.clone())?;
        let length = usize::from(u16::from_le_bytes([head[0], head[1]]));
        let body = bytes.get(at + 3..at + 3 + length).ok_or(cut)?;
        ended = reader
            .record(head[2], body)
            .map_err(|what| UlogError::Record { at, what })?;
        at += 3 + length;
    }
    if at != bytes.len() {
        let what = "it follows the closing message";
        return Err(UlogError::Record { at, what });
    }
    Ok(reader.contents)
}

#[derive(Default)]
struct Reader {
    contents: UlogContents,
    /// Fields of each format.
    formats: BTreeMap<String, Vec<String>>,
    /// Topic of each id.
    ids: BTreeMap<u16, String>,
    records: u64,
}

impl Reader {
    /// Takes in a record; whether it is the closing message.
    fn record(&mut self, kind: u8, body: &[u8]) -> Result<bool, &'static str> {
        match kind {
            b'B' => {}
            b'F' => self.format(text(body)?)?,
            b'I' => {
                let (key, value) = named(body)?;
                let name = key.rsplit(' ').next().unwrap_or(key);
                let value = text(value)?.to_owned();
                self.contents.information.insert(name.to_owned(), value);
            }
            b'P' => {
                let (key, value) = named(body)?;
                let name = key.strip_prefix("float ").ok_or("a parameter is a float")?;
                let value = float(value).ok_or("a parameter has four bytes")?;
                self.contents.parameters.insert(name.to_owned(), value);
            }
            b'A' => {
                let id = body.get(1..3).ok_or("a subscription has an id")?;
                let name = text(&body[3..])?.to_owned();
                let fields = self.formats.get(&name).ok_or("the topic has no format")?;
                let topic = Topic {
                    fields: fields.clone(),
                    ..Topic::default()
                };
                self.contents.topics.insert(name.clone(), topic);
                self.ids.insert(u16::from_le_bytes([id[0], id[1]]), name);
            }
            b'D' => self.data(body)?,
            b'L' => {
                let time_us = body
                    .get(1..9)
                    .and_then(time)
                    .ok_or("a message has a time")?;
                let said = text(&body[9..])?;
                if let Some(count) = said.strip_prefix(END) {
                    let count = count.strip_suffix(" records").map(str::parse);
                    let whole = count == Some(Ok(self.records));
                    return whole.then_some(true).ok_or("records are missing before it");
                }
                self.contents.messages.push((time_us, said.to_owned()));
            }
            _ => return Err("its kind is unknown"),
        }
        self.records += 1;
        Ok(false)
    }

    fn format(&mut self, text: &str) -> Result<(), &'static str> {
        let (name, fields) = text.split_once(':').ok_or("a format has a name")?;
        let fields = fields
            .strip_prefix("uint64_t timestamp;")
            .ok_or("a format starts with its time")?;
        let mut names = Vec::new();
        for field in fields.split(';').filter(|field| !field.is_empty()) {
            match field.split_once(' ') {
                Some(("float", name)) => names.push(name.to_owned()),
                Some((array, name)) => {
                    let count = array
                        .strip_prefix("float[")
                        .and_then(|c| c.strip_suffix(']'));
                    let count = count.and_then(|c| c.parse::<usize>().ok());
                    let count = count.filter(|c| *c <= 1000).ok_or("a field is no float")?;
                    names.extend((0..count).map(|k| format!("{name}[{k}]")));
                }
                None => return Err("a field has a name"),
            }
        }
        self.formats.insert(name.to_owned(), names);
        Ok(())
    }

    fn data(&mut self, body: &[u8]) -> Result<(), &'static str> {
        let id = body.get(..2).ok_or("data has an id")?;
        let id = u16::from_le_bytes([id[0], id[1]]);
        let name = self.ids.get(&id).ok_or("its topic was not announced")?;
        let topic = self
            .contents
            .topics
            .get_mut(name)
            .ok_or("its topic is missing")?;
        let time_us = body.get(2..10).and_then(time).ok_or("data has a time")?;
        let values: Vec<f32> = body[10..].chunks(4).map_while(float).collect();
        if body.len() != 10 + 4 * topic.fields.len() || values.len() != topic.fields.len() {
            return Err("its length is not that of its fields");
        }
        topic.time_us.push(time_us);
        topic.values.push(values);
        Ok(())
    }
}

fn text(bytes: &[u8]) -> Result<&str, &'static str> {
    std::str::from_utf8(bytes).map_err(|_| "its text is not UTF-8")
}

fn named(body: &[u8]) -> Result<(&str, &[u8]), &'static str> {
    let (length, rest) = body.split_first().ok_or("it is empty")?;
    let (key, value) = rest
        .split_at_checked(usize::from(*length))
        .ok_or("its key is longer than it")?;
    Ok((text(key)?, value))
}

fn float(bytes: &[u8]) -> Option<f32> {
    Some(f32::from_le_bytes(bytes.try_into().ok()?))
}

fn time(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

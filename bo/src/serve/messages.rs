//! Messages: the requests to a server, in order, as its journal keeps them. A request is on the disk
//! with its answer before that answer is sent; the same messages at the same times give the same
//! answers.

use super::message::{Message, read};
use super::session::Asked;
use crate::run::disk::journal::{Fault, Records};
use serde::{Deserialize, Serialize};
use shell::token::hexadecimal;

/// Name and version of the form of the journal.
pub const SCHEMA: &str = "windhover-served/1";

/// One record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "snake_case")]
pub enum Entry {
    /// The first.
    Header(Header),
    /// A process took the journal up.
    Begun {
        /// When [ms since 1970].
        at_ms: u64,
        /// How long leases last from now on \[s\]; without end if there is one client alone.
        lease_s: Option<u64>,
    },
    /// A message that changed something.
    #[serde(rename = "said")]
    Request {
        /// When [ms since 1970].
        at_ms: u64,
        /// The message.
        line: String,
        /// Its answer, where one was due.
        answer: Option<String>,
        /// The point that was chosen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<Asked>,
    },
}

/// What a journal is the journal of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program: another one may choose other points.
    pub windhover: String,
    /// What the keys of leases are made from, in hexadecimal digits.
    pub secret: String,
}

impl Header {
    /// The header of a new journal.
    pub fn new(secret: [u8; 32]) -> Header {
        Header {
            schema: SCHEMA.to_owned(),
            windhover: env!("CARGO_PKG_VERSION").to_owned(),
            secret: hexadecimal(&secret),
        }
    }

    /// The secret; `None` if its digits are not hexadecimal.
    pub fn secret(&self) -> Option<[u8; 32]> {
        let mut secret = [0; 32];
        if self.secret.len() != 2 * secret.len() || !self.secret.is_ascii() {
            return None;
        }
        for (byte, at) in secret.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&self.secret[at..at + 2], 16).ok()?;
        }
        Some(secret)
    }
}

/// The records of a server's journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Messages {
    /// The first.
    pub header: Header,
    /// All that follow.
    pub entries: Vec<Entry>,
}

impl Messages {
    /// Values that were told, those included that are second ones or were withdrawn later.
    pub fn values(&self) -> usize {
        let tells = self.entries.iter().filter(|entry| match entry {
            Entry::Request { line, .. } => matches!(read(line, &mut |_| {}), Ok(Message::Tell(_))),
            _ => false,
        });
        tells.count()
    }

    /// When the last of them was written [ms since 1970].
    pub fn last_ms(&self) -> u64 {
        self.entries.last().map_or(0, Entry::at_ms)
    }
}

impl Entry {
    fn at_ms(&self) -> u64 {
        match self {
            Entry::Header(_) => 0,
            Entry::Begun { at_ms, .. } | Entry::Request { at_ms, .. } => *at_ms,
        }
    }
}

impl Records for Messages {
    type Entry = Entry;

    const NAME: &'static str = "messages.log";

    fn begun(header: Entry) -> Result<Messages, Fault> {
        match header {
            Entry::Header(header) if header.schema == SCHEMA && header.secret().is_some() => {
                Ok(Messages {
                    header,
                    entries: Vec::new(),
                })
            }
            Entry::Header(_) => Err(Fault::Kind),
            _ => Err(Fault::Header),
        }
    }

    fn admits(&self, entry: &Entry) -> bool {
        !matches!(entry, Entry::Header(_)) && entry.at_ms() >= self.last_ms()
    }

    fn add(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    fn count(&self) -> u64 {
        self.entries.len() as u64
    }
}

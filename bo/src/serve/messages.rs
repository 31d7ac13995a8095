//! Messages: the requests to a server, in order, as its journal keeps them. A request is on the disk
//! with its answer before that answer is sent; the same messages at the same times give the same
//! answers.

use super::message::{Message, read};
use super::session::Asked;
use crate::run::disk::journal::{Fault, Records};
use serde::{Deserialize, Serialize};
use shell::token::hexadecimal;
use std::collections::BTreeSet;

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
    /// Evaluations that are data, as `status` counts them: without those that were withdrawn, and without second
    /// answers where there is no noise.
    pub fn answered(&self) -> usize {
        let (mut noisy, mut met) = (true, BTreeSet::new());
        // Their numbers; a pipe's have none.
        let mut kept: Vec<Option<u64>> = Vec::new();
        for entry in &self.entries {
            let Entry::Request { line, answer, .. } = entry else {
                continue;
            };
            match read(line, &mut |_| {}) {
                Ok(Message::Init(init)) => noisy = init.settings.noisy,
                Ok(Message::Tell(_)) => {
                    let answer = answer.as_deref().unwrap_or_default();
                    let answer: serde_json::Value =
                        serde_json::from_str(answer).unwrap_or_default();
                    let id = answer["id"].as_u64();
                    if noisy || id.is_none_or(|id| met.insert(id)) {
                        kept.push(id);
                    }
                }
                Ok(Message::Withdraw(id, _)) => {
                    let before = kept.len();
                    kept.retain(|one| *one != Some(id));
                    if kept.len() == before {
                        let place = kept.iter().position(Option::is_none);
                        place.map(|place| kept.remove(place));
                    }
                }
                _ => {}
            }
        }
        kept.len()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_counted_that_are_data() {
        let id = |id: u64| Some(format!("{{\"id\":{id},\"told\":true}}"));
        let tell = r#"{"type":"tell","x":[1],"y":NaN}"#;
        let withdraw = |id: u64| format!("{{\"type\":\"withdraw\",\"id\":{id},\"why\":\"loose\"}}");
        for (noise, expected) in [(true, 4), (false, 3)] {
            let init = format!(
                r#"{{"type":"init","space":[{{"name":"a","low":0,"high":1}}],"noise":{noise}}}"#
            );
            let said = [
                (init, None),
                (tell.to_owned(), id(0)),
                (tell.to_owned(), id(1)),
                // A second answer.
                (tell.to_owned(), id(1)),
                (tell.to_owned(), id(2)),
                (withdraw(0), id(0)),
                // On a pipe there is no answer.
                (tell.to_owned(), None),
                (tell.to_owned(), None),
                (withdraw(3), id(3)),
            ];
            let entry = |(line, answer)| Entry::Request {
                at_ms: 0,
                line,
                answer,
                asked: None,
            };
            let messages = Messages {
                header: Header::new([0; 32]),
                entries: said.into_iter().map(entry).collect(),
            };
            assert_eq!(messages.answered(), expected, "{noise}");
        }
    }
}

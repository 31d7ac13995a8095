//! Scan: what the bytes of a journal are.

use super::entry::{Entry, Header, SCHEMA, Tested};
use crate::checksum::checksum;
use crate::flights::evaluation::Evaluation;

/// Characters of a checksum and the space behind it.
const BEFORE_JSON: usize = 9;

/// What a journal holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    /// What run it belongs to.
    pub header: Header,
    /// Its evaluations in order.
    pub trials: Vec<Evaluation>,
    /// Its tests in order.
    pub tests: Vec<Tested>,
    /// Whether the run is whole.
    pub ended: bool,
}

/// What the bytes of a journal are.
#[derive(Debug, Clone, PartialEq)]
pub struct Scan {
    /// What the whole records say; nothing where not even the header is whole.
    pub contents: Option<Contents>,
    /// Bytes of the whole records before any damage.
    pub whole: usize,
    /// Where the first record stands that is not what was written. An unfinished last record is
    /// no damage.
    pub damage: Option<Damage>,
}

/// Where a journal is not what was written, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    /// First byte of the record.
    pub offset: usize,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It does not begin with a checksum and a space.
    #[error("the record does not begin with a checksum")]
    Form,
    /// Its checksum is not that of its text.
    #[error("the record does not match its checksum")]
    Checksum,
    /// Its text is no record of this schema.
    #[error("the record is of no kind that this version knows")]
    Kind,
    /// It stands where it cannot follow.
    #[error("the record is out of order")]
    Order,
    /// There is no whole header.
    #[error("there is no whole header")]
    Header,
}

impl Damage {
    /// A journal without a header.
    pub(super) const NO_HEADER: Damage = Damage {
        offset: 0,
        fault: Fault::Header,
    };
}

impl Contents {
    pub(super) fn new(header: Header) -> Contents {
        Contents {
            header,
            trials: Vec::new(),
            tests: Vec::new(),
            ended: false,
        }
    }

    /// Whether `entry` may follow.
    fn admits(&self, entry: &Entry) -> bool {
        let trials = self.trials.len() as u64;
        !self.ended
            && match entry {
                Entry::Header(_) => false,
                Entry::Trial(trial) => self.tests.is_empty() && trial.number == trials,
                Entry::Test(_) => true,
                Entry::End { trials: said } => *said == trials,
            }
    }

    pub(super) fn add(&mut self, entry: Entry) {
        match entry {
            Entry::Header(header) => self.header = header,
            Entry::Trial(trial) => self.trials.push(trial),
            Entry::Test(test) => self.tests.push(test),
            Entry::End { .. } => self.ended = true,
        }
    }

    /// The test of these gains in this domain, if it was made.
    pub fn test(&self, gains: &str, domain: &str) -> Option<&Tested> {
        let mut tests = self.tests.iter();
        tests.find(|made| made.gains == gains && made.test.domain == domain)
    }
}

/// Reads a journal as far as it is whole.
pub fn scan(bytes: &[u8]) -> Scan {
    let mut contents: Option<Contents> = None;
    let mut whole = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let Some(record) = line.strip_suffix(b"\n") else {
            // The last record was not finished.
            break;
        };
        if let Err(fault) = read(record).and_then(|entry| place(&mut contents, entry)) {
            return Scan {
                contents,
                whole,
                damage: Some(Damage {
                    offset: whole,
                    fault,
                }),
            };
        }
        whole += line.len();
    }
    let damage = contents.is_none().then_some(Damage::NO_HEADER);
    Scan {
        contents,
        whole,
        damage,
    }
}

/// The entry of one line.
fn read(record: &[u8]) -> Result<Entry, Fault> {
    if record.len() < BEFORE_JSON || record[BEFORE_JSON - 1] != b' ' {
        return Err(Fault::Form);
    }
    let json = &record[BEFORE_JSON..];
    // Compared as text: an upper-case digit is not what was written.
    if record[..BEFORE_JSON - 1] != *checksum(json).as_bytes() {
        return Err(Fault::Checksum);
    }
    serde_json::from_slice(json).map_err(|_| Fault::Kind)
}

fn place(contents: &mut Option<Contents>, entry: Entry) -> Result<(), Fault> {
    match (contents.as_mut(), entry) {
        (None, Entry::Header(header)) if header.schema == SCHEMA => {
            *contents = Some(Contents::new(header));
            Ok(())
        }
        (None, Entry::Header(_)) => Err(Fault::Kind),
        (None, _) => Err(Fault::Header),
        (Some(contents), entry) if contents.admits(&entry) => {
            contents.add(entry);
            Ok(())
        }
        (Some(_), _) => Err(Fault::Order),
    }
}

//! A record of wind: what an anemometer measured, or a simulation of the atmosphere at a point, and
//! which part of it flights meet.
//!
//! A file is CSV: the header `t,u,v,w`, the line of units `s,m/s,m/s,m/s`, then a row a line; or a table
//! as loggers write them, with clock times, speed and direction, other units.
//! (u, v, w) is the velocity with which the air moves, in the world's axes: u along x, v along y,
//! w upwards; air that comes from -x has u > 0. Between two rows the wind is interpolated linearly,
//! which leaves it as it is at the rows and takes from the gusts that are faster than they.

mod clock;
mod column;
mod columns;
mod csv;
mod window;

pub(super) use window::Window;
pub use window::{Part, Split};

use crate::error::{Error, RecordFault};
use serde::{Deserialize, Serialize};
use shell::checksum::checksum;
use std::sync::Arc;
use window::Moments;

/// A record of fewer rows is none.
const FEWEST_ROWS: usize = 10;

/// Rows that a record may have: more than an hour at 20 Hz.
pub(crate) const MOST_ROWS: usize = 100_000;

/// Time since the first row [s], and the velocity of the air [m/s].
pub(crate) type Row = [f64; 4];

/// The text of a file of wind, with its rows.
#[derive(Debug, Clone)]
pub struct WindFile {
    name: String,
    crc32: String,
    text: Arc<str>,
    rows: Arc<[Row]>,
    understood: Option<String>,
}

/// The part of a record of wind that flights meet: each takes a window of it, whose start its seed
/// decides. Two are equal where they describe the same part of the same bytes.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindRecord {
    /// Name of the file, without its folder.
    file: String,
    /// CRC-32 of its bytes, eight hexadecimal digits.
    crc32: String,
    /// Which part of it.
    part: Part,
    /// How it is split into parts for tuning and testing, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    split: Option<Split>,
    /// How long it lasts [s].
    lasts_s: f64,
    /// Its rows and its text; a description alone has none.
    #[serde(skip)]
    held: Option<WindFile>,
}

impl WindFile {
    /// Reads the text of the file `name`.
    ///
    /// # Errors
    /// [`Error::Record`] naming the file and the line.
    pub fn from_csv(name: &str, text: &str) -> Result<WindFile, Error> {
        let (rows, understood) = csv::read(text).map_err(|fault| in_file(name, fault))?;
        Ok(WindFile {
            name: name.to_owned(),
            crc32: checksum(text.as_bytes()),
            rows: rows.into(),
            text: text.into(),
            understood,
        })
    }

    /// What was understood of a table that is not `t,u,v,w` in s and m/s, in one sentence.
    pub fn understood(&self) -> Option<String> {
        let said = self.understood.as_ref();
        said.map(|said| format!("{}: {said}", self.name))
    }

    /// Checks that its bytes are those that were meant.
    pub(super) fn expect(&self, crc32: &str) -> Result<(), Error> {
        if self.crc32.eq_ignore_ascii_case(crc32) {
            return Ok(());
        }
        let fault = RecordFault::Checksum {
            found: self.crc32.clone(),
            wanted: crc32.chars().take(60).collect(),
        };
        Err(in_file(&self.name, fault))
    }

    pub(super) fn lasts_s(&self) -> f64 {
        self.rows[self.rows.len() - 1][0]
    }
}

impl WindRecord {
    /// A part of `file`.
    ///
    /// # Errors
    /// [`Error::Record`] where the split is not one of this record, or lacks the part.
    pub(super) fn new(
        file: WindFile,
        split: Option<Split>,
        part: Part,
    ) -> Result<WindRecord, Error> {
        let lasts_s = file.lasts_s();
        let checked = match (&split, part) {
            (None, Part::Tune | Part::Test) => Err(RecordFault::Split(
                "tune and test, or block_s, where part names one of them",
            )),
            (None, Part::Whole) => Ok(()),
            (Some(split), _) => split.check(lasts_s),
        };
        checked.map_err(|fault| in_file(&file.name, fault))?;
        let base = file.name.rsplit(['/', '\\']).next().unwrap_or_default();
        Ok(WindRecord {
            file: base.to_owned(),
            crc32: file.crc32.clone(),
            part,
            split,
            lasts_s,
            held: Some(file),
        })
    }

    /// Another part of the same record, which has a split.
    pub(super) fn with_part(&self, part: Part) -> WindRecord {
        WindRecord {
            part,
            ..self.clone()
        }
    }

    /// Name of the file, without its folder.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// CRC-32 of the file's bytes, eight hexadecimal digits.
    pub fn crc32(&self) -> &str {
        &self.crc32
    }

    /// Which part of it.
    pub fn part(&self) -> Part {
        self.part
    }

    /// How it is split into parts for tuning and testing, if it is.
    pub fn split(&self) -> Option<&Split> {
        self.split.as_ref()
    }

    /// The file's text; a description alone has none.
    pub fn text(&self) -> Option<&str> {
        self.held.as_ref().map(|file| &*file.text)
    }

    /// The rows: time since the first [s], velocity of the air in world axes [m/s]; none of a
    /// description alone.
    pub fn rows(&self) -> &[[f64; 4]] {
        self.held.as_ref().map_or(&[], |file| &file.rows)
    }

    /// From when to when windows are taken, in time since the first row [s].
    pub fn segments_s(&self) -> Vec<[f64; 2]> {
        match (&self.split, self.part) {
            (Some(split), Part::Tune) => split.tune.clone(),
            (Some(split), Part::Test) => split.test.clone(),
            _ => vec![[0.0, self.lasts_s]],
        }
    }

    /// The first stretch that both take from the same bytes, if there is any.
    pub fn shared_s(&self, other: &WindRecord) -> Option<[f64; 2]> {
        if self.crc32 != other.crc32 {
            return None;
        }
        let theirs = other.segments_s();
        let pairs = self.segments_s().into_iter();
        let mut shared = pairs
            .flat_map(|a| theirs.iter().map(move |b| [a[0].max(b[0]), a[1].min(b[1])]))
            .filter(|[from_s, to_s]| from_s < to_s);
        shared.next()
    }

    /// Checks that a flight finds its wind in any of the segments.
    pub(super) fn fits(&self, flight_s: f64) -> Result<(), Error> {
        if self.held.is_none() {
            return Err(in_file(&self.file, RecordFault::NoRows));
        }
        let segments = self.segments_s();
        let short = |[from_s, to_s]: &&[f64; 2]| to_s - from_s < flight_s - window::SLACK_S;
        match segments.iter().find(short) {
            None => Ok(()),
            Some([from_s, to_s]) => Err(in_file(
                &self.file,
                RecordFault::TooShort {
                    flight_s,
                    from_s: *from_s,
                    to_s: *to_s,
                },
            )),
        }
    }

    /// The wind of a flight of `flight_s` with `seed`, in steps of `dt_s`.
    pub(super) fn window(&self, seed: u64, flight_s: f64, dt_s: f64) -> Window {
        let rows = self.held.as_ref().map(|file| file.rows.clone());
        let span_s = window::drawn(&self.segments_s(), seed, flight_s);
        Window::new(rows.unwrap_or_default(), span_s, dt_s)
    }

    pub(super) fn moments(&self) -> Moments {
        Moments::of(self.rows(), &self.segments_s())
    }
}

impl PartialEq for WindRecord {
    fn eq(&self, other: &WindRecord) -> bool {
        self.file == other.file
            && self.crc32 == other.crc32
            && self.part == other.part
            && self.split == other.split
    }
}

impl std::fmt::Debug for WindRecord {
    /// The description, which the checksum makes complete.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WindRecord")
            .field("file", &self.file)
            .field("crc32", &self.crc32)
            .field("part", &self.part)
            .field("split", &self.split)
            .finish_non_exhaustive()
    }
}

/// Names the file in which something is wrong.
fn in_file(name: &str, fault: RecordFault) -> Error {
    Error::Record {
        file: name.to_owned(),
        fault: Box::new(fault),
    }
}

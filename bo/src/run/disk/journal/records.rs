//! Records: what a journal is made of, whatever it is the journal of, and what can be wrong with one.

use crate::files::checksum;
use serde::Serialize;
use serde::de::DeserializeOwned;
use shell::Failure;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

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
    /// Its text is not a record of this schema.
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
    pub const NO_HEADER: Damage = Damage {
        offset: 0,
        fault: Fault::Header,
    };

    /// As what is wrong with the journal at `path`.
    pub fn in_journal(&self, path: &Path) -> Failure {
        Failure::data(format!(
            "{} is damaged at byte {}: {}; `bo verify {} --repair` saves what is whole and keeps a copy",
            path.display(),
            self.offset,
            self.fault,
            super::folder_of(path)
        ))
    }
}

/// Records of one kind, and in which order they may stand.
pub trait Records: Sized + Debug {
    /// One record.
    type Entry: Serialize + DeserializeOwned + PartialEq;

    /// Name of the journal in its folder.
    const NAME: &'static str;

    /// Those that `header`, the first record, begins.
    ///
    /// # Errors
    /// [`Fault::Header`] where it is none, [`Fault::Kind`] where it is of a form that is not known.
    fn begun(header: Self::Entry) -> Result<Self, Fault>;

    /// Whether `entry` may follow.
    fn admits(&self, entry: &Self::Entry) -> bool;

    /// Takes `entry` in.
    fn add(&mut self, entry: Self::Entry);

    /// What a person counts in them.
    fn count(&self) -> u64;

    /// The line of the header that the damaged journal `bytes` in `folder` began with, where that can
    /// be told.
    ///
    /// # Errors
    /// A record that cannot be encoded.
    fn rewritten_header(_folder: &Path, _bytes: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
        Ok(None)
    }
}

/// The journal of `R` in `folder`.
pub(super) fn whole<R: Records>(folder: &Path) -> PathBuf {
    folder.join(R::NAME)
}

/// The same while its header is not yet on the disk.
pub(super) fn partial<R: Records>(folder: &Path) -> PathBuf {
    folder.join(format!("{}.part", R::NAME))
}

/// The file that names the process which holds it.
pub(super) fn pid<R: Records>(folder: &Path) -> PathBuf {
    whole::<R>(folder).with_extension("pid")
}

/// The line of `entry`, with checksum and line feed.
///
/// # Errors
/// Where a number is not finite: it would not read back.
pub(super) fn line<E: Serialize + DeserializeOwned + PartialEq>(
    entry: &E,
) -> Result<Vec<u8>, Failure> {
    let json = serde_json::to_string(entry).map_err(Failure::encoding(RECORD))?;
    debug_assert!(!json.contains('\n'), "JSON escapes line feeds");
    // JSON has no NaN: it would be written as null, and a reader would find damage.
    let back: E = serde_json::from_str(&json).map_err(Failure::encoding(RECORD))?;
    if back != *entry {
        return Err(not_itself());
    }
    Ok(format!("{} {json}\n", checksum(json.as_bytes())).into_bytes())
}

/// What an error calls a record.
const RECORD: &str = "a record of the journal";

/// That a record does not read back as what it is.
pub(super) fn not_itself() -> Failure {
    Failure::encoding(RECORD)("it would not read back as itself")
}

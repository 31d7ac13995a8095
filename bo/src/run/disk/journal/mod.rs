//! Journal: the truth of a run on disk. Every evaluation is appended and made durable before the
//! next one begins; everything else in the run's folder can be made from it again.
//!
//! One record a line: `crc32 SP json LF`, where the CRC-32 (IEEE 802.3, the one of zlib and PNG)
//! of the JSON stands in eight lower-case hexadecimal digits. A record is one write and one
//! fdatasync; a record that was acknowledged is on the disk. A process that dies while it writes
//! leaves a last record without its LF: the next one drops it and makes that evaluation again,
//! which gives the same one. Anything else that is not what was written is refused with the byte
//! where it begins.
//!
//! The writer holds an exclusive lock on the journal, and says in a file beside it (`trials.pid`) which
//! process it is. The lock ends with the process; the file beside it only names the holder.

mod entry;
mod opening;
mod records;
mod repair;
mod scan;
#[cfg(test)]
mod tests;

pub use crate::error::journal::{Damage, Fault, JournalError};
pub use entry::{Entry, Header, SCHEMA, Tested};
pub use records::Records;
pub use repair::repair;
pub use scan::{Contents, Scan, ScanOf, scan};

use crate::files;
use opening::{Holder, absent, holder_of, links, no_run, open_partial, open_whole};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Name of the journal in its run's folder.
pub const NAME: &str = "trials.log";

/// Name of the journal while its header is not yet on the disk.
pub const PARTIAL: &str = "trials.log.part";

/// Name of the file that names the process which holds it.
pub const PID: &str = "trials.pid";

/// A run's journal, held by this process.
pub type Journal = JournalOf<Contents>;

/// A journal of some records, held by this process.
#[derive(Debug)]
pub struct JournalOf<R> {
    /// First, so that it goes before the lock does.
    _holder: Holder,
    path: PathBuf,
    file: File,
    /// Bytes of whole records.
    length: u64,
    contents: R,
    dropped: Option<u64>,
    kept: Arc<AtomicU64>,
}

impl<R: Records> JournalOf<R> {
    /// Begins a journal with the record `header` in `folder`. The name appears once the header is on the
    /// disk, so that a journal without a header does not exist.
    ///
    /// # Errors
    /// [`JournalError::Append`], [`JournalError::Create`] or [`JournalError::Held`].
    pub fn create(folder: &Path, header: R::Entry) -> Result<Self, JournalError> {
        let path = records::whole::<R>(folder);
        let partial = records::partial::<R>(folder);
        let failed = |source| JournalError::Create {
            path: path.clone(),
            source,
        };
        let mut file = open_partial(&partial).map_err(failed)?;
        let holder = Holder::take::<R>(&file, folder)?;
        if path.exists() {
            return Err(failed(ErrorKind::AlreadyExists.into()));
        }
        file.set_len(0).map_err(failed)?;
        let line = records::line(&header)?;
        let written = file.write_all(&line).and_then(|()| file.sync_all());
        written.map_err(|source| JournalError::Append {
            path: path.clone(),
            source,
        })?;
        fs::rename(&partial, &path).map_err(failed)?;
        sync_folder(folder);
        let contents = R::begun(header).map_err(|_| JournalError::NotItself)?;
        Ok(JournalOf {
            path,
            file,
            length: line.len() as u64,
            contents,
            dropped: None,
            kept: Arc::default(),
            _holder: holder,
        })
    }

    /// Takes up the journal in `folder`; an unfinished last record is dropped.
    ///
    /// # Errors
    /// [`JournalError::Absent`], [`JournalError::Held`], [`JournalError::Damaged`], or a file
    /// that cannot be read or cut.
    pub fn open(folder: &Path) -> Result<Self, JournalError> {
        let path = records::whole::<R>(folder);
        let file = open_whole(&path, true).map_err(|source| absent(&path, source))?;
        let holder = Holder::take::<R>(&file, folder)?;
        let bytes = files::read_open(&file, files::MOST_RECORD);
        let bytes = bytes.map_err(|source| JournalError::Read {
            path: path.clone(),
            source,
        })?;
        let scan = scan::<R>(&bytes);
        let ScanOf {
            contents: Some(contents),
            whole,
            damage: None,
        } = scan
        else {
            let damage = scan.damage.unwrap_or(Damage::NO_HEADER);
            return Err(JournalError::Damaged { path, damage });
        };
        let dropped = bytes.len() - whole;
        if dropped > 0 {
            let cut = file.set_len(whole as u64).and_then(|()| file.sync_data());
            cut.map_err(|source| JournalError::Append {
                path: path.clone(),
                source,
            })?;
        }
        Ok(JournalOf {
            path,
            file,
            length: whole as u64,
            kept: Arc::new(AtomicU64::new(contents.count())),
            contents,
            dropped: (dropped > 0).then_some(dropped as u64),
            _holder: holder,
        })
    }

    /// Appends a record and returns once it is on the disk. A record that cannot be written whole
    /// is taken back.
    ///
    /// # Errors
    /// [`JournalError::Append`], [`JournalError::Deleted`] or [`JournalError::Meddled`].
    pub fn append(&mut self, entry: R::Entry) -> Result<(), JournalError> {
        let line = records::line(&entry)?;
        self.check_untouched()?;
        let written = write_once(&mut self.file, &line).and_then(|()| self.file.sync_data());
        if let Err(source) = written {
            // Where this fails too, the next process finds an unfinished record and drops it.
            let _ = self.file.set_len(self.length);
            let path = self.path.clone();
            return Err(JournalError::Append { path, source });
        }
        self.length += line.len() as u64;
        self.contents.add(entry);
        self.kept.store(self.contents.count(), Ordering::SeqCst);
        Ok(())
    }

    /// That the file is still there, and as long as this process left it: what is written into an
    /// unlinked file is lost.
    fn check_untouched(&self) -> Result<(), JournalError> {
        let path = || self.path.clone();
        let found = self.file.metadata();
        let found = found.map_err(|source| JournalError::Append {
            path: path(),
            source,
        })?;
        if links(&found) == 0 {
            return Err(JournalError::Deleted { path: path() });
        }
        if found.len() != self.length {
            return Err(JournalError::Meddled {
                path: path(),
                bytes: found.len(),
                wanted: self.length,
            });
        }
        Ok(())
    }

    /// What it holds.
    pub fn contents(&self) -> &R {
        &self.contents
    }

    /// Bytes of the unfinished record that opening it dropped.
    pub fn dropped(&self) -> Option<u64> {
        self.dropped
    }

    /// The number of evaluations on the disk, for who watches from another thread.
    pub fn kept(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.kept)
    }
}

impl Journal {
    /// That evaluation `number` is not one that the header's run would make.
    pub fn foreign(&self, number: u64, what: &'static str) -> JournalError {
        JournalError::Foreign {
            path: self.path.clone(),
            number,
            what,
        }
    }

    /// That the test of these gains in this domain is not one that the header's run would make.
    pub fn foreign_test(&self, tested: &Tested, what: &'static str) -> JournalError {
        JournalError::ForeignTest {
            path: self.path.clone(),
            gains: tested.gains.clone(),
            domain: tested.test.domain.clone(),
            what,
        }
    }
}

/// What `bo verify` finds of a run.
pub type Inspection = InspectionOf<Contents>;

/// What `bo verify` finds.
#[derive(Debug)]
pub struct InspectionOf<R> {
    /// The journal.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What they are.
    pub scan: ScanOf<R>,
    /// Whether a process works on the run; its number, where that is known.
    pub holder: Option<Option<u32>>,
}

impl<R> InspectionOf<R> {
    /// What the journal holds.
    ///
    /// # Errors
    /// [`JournalError::Damaged`].
    pub fn contents(self) -> Result<R, JournalError> {
        let InspectionOf { path, scan, .. } = self;
        match (scan.contents, scan.damage) {
            (Some(contents), None) => Ok(contents),
            (_, damage) => Err(JournalError::Damaged {
                path,
                damage: damage.unwrap_or(Damage::NO_HEADER),
            }),
        }
    }
}

/// Reads the journal of the run in `folder` without changing anything.
///
/// # Errors
/// [`JournalError::NoRun`] or [`JournalError::Read`].
pub fn inspect(folder: &Path) -> Result<Inspection, JournalError> {
    inspect_of(folder)
}

/// Reads the journal of `R` in `folder` without changing anything.
///
/// # Errors
/// [`JournalError::NoRun`] or [`JournalError::Read`].
pub fn inspect_of<R: Records>(folder: &Path) -> Result<InspectionOf<R>, JournalError> {
    let path = records::whole::<R>(folder);
    let file = open_whole(&path, false).map_err(|source| no_run(&path, source))?;
    let bytes = files::read_open(&file, files::MOST_RECORD);
    let bytes = bytes.map_err(|source| JournalError::Read {
        path: path.clone(),
        source,
    })?;
    Ok(InspectionOf {
        scan: scan(&bytes),
        holder: holder_of::<R>(&file, folder),
        path,
        bytes,
    })
}

/// One write, so that a record is never mixed with another's.
fn write_once(file: &mut File, line: &[u8]) -> std::io::Result<()> {
    loop {
        match file.write(line) {
            Ok(written) if written == line.len() => return Ok(()),
            Ok(_) => return Err(ErrorKind::StorageFull.into()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Makes a new name in `folder` durable, where the system can.
fn sync_folder(folder: &Path) {
    // Not every system lets a folder be opened; the name is then as durable as the system makes it.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

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

pub use entry::{Entry, Header, SCHEMA, Tested};
pub use opening::{held, missing};
pub use records::{Damage, Fault, Records};
pub use repair::repair;
pub use scan::{Contents, ScanOf, scan};

use crate::files::{self, FileError};
use crate::terminal::word;
use opening::{Holder, absent, holder_of, links, no_run, open_partial, open_whole, unread};
use shell::{Failure, exit};
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
    /// A journal that cannot be made or written, or that another process holds.
    pub fn create(folder: &Path, header: R::Entry) -> Result<Self, Failure> {
        let path = records::whole::<R>(folder);
        let partial = records::partial::<R>(folder);
        let failed = || FileError::write(&path);
        let mut file = open_partial(&partial).map_err(failed())?;
        let holder = Holder::take::<R>(&file, folder)?;
        if path.exists() {
            return Err(failed()(ErrorKind::AlreadyExists.into()).into());
        }
        file.set_len(0).map_err(failed())?;
        let line = records::line(&header)?;
        let written = file.write_all(&line).and_then(|()| file.sync_all());
        written.map_err(unkept(&path))?;
        fs::rename(&partial, &path).map_err(failed())?;
        sync_folder(folder);
        let contents = R::begun(header).map_err(|_| records::not_itself())?;
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
    /// A journal that is missing, that another process holds, that is damaged, or that cannot be read or
    /// cut.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let path = records::whole::<R>(folder);
        let file = open_whole(&path, true).map_err(|source| absent(&path, source))?;
        let holder = Holder::take::<R>(&file, folder)?;
        let bytes = files::read_open(&file, files::MOST_RECORD).map_err(unread(&path))?;
        let scan = scan::<R>(&bytes);
        let ScanOf {
            contents: Some(contents),
            whole,
            damage: None,
        } = scan
        else {
            let damage = scan.damage.unwrap_or(Damage::NO_HEADER);
            return Err(damage.in_journal(&path));
        };
        let dropped = bytes.len() - whole;
        if dropped > 0 {
            let cut = file.set_len(whole as u64).and_then(|()| file.sync_data());
            cut.map_err(unkept(&path))?;
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
    /// A journal that cannot be written, or that was deleted or changed meanwhile.
    pub fn append(&mut self, entry: R::Entry) -> Result<(), Failure> {
        let line = records::line(&entry)?;
        self.check_untouched()?;
        let written = write_once(&mut self.file, &line).and_then(|()| self.file.sync_data());
        if let Err(source) = written {
            // Where this fails too, the next process finds an unfinished record and drops it.
            let _ = self.file.set_len(self.length);
            return Err(unkept(&self.path)(source));
        }
        self.length += line.len() as u64;
        self.contents.add(entry);
        self.kept.store(self.contents.count(), Ordering::SeqCst);
        Ok(())
    }

    /// That the file is still there, and as long as this process left it: what is written into an
    /// unlinked file is lost.
    fn check_untouched(&self) -> Result<(), Failure> {
        let found = self.file.metadata().map_err(unkept(&self.path))?;
        let path = self.path.display();
        if links(&found) == 0 {
            let line = format!(
                "{path} was deleted while the run was under way; what it held is lost, begin the run again"
            );
            return Err(Failure::new(line, exit::IO));
        }
        if found.len() != self.length {
            let line = format!(
                "{path} has {} bytes, not the {} that this run left it with: another program changed it; check it with `bo verify {}`",
                found.len(),
                self.length,
                folder_of(&self.path)
            );
            return Err(Failure::new(line, exit::IO));
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
    /// The same evaluations under `header`, in the place of this journal: their run is not whole, and what
    /// was tested after them is to be tested again. Until the new journal is on the disk the old one stands.
    ///
    /// # Errors
    /// A journal that cannot be made or written.
    pub fn continued(mut self, header: Header) -> Result<Journal, Failure> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let partial = records::partial::<Contents>(folder);
        let failed = || FileError::write(&self.path);
        let header = Entry::Header(header);
        let mut contents = Contents::begun(header.clone()).map_err(|_| records::not_itself())?;
        let mut bytes = records::line(&header)?;
        for trial in std::mem::take(&mut self.contents.trials) {
            let entry = Entry::Trial(trial);
            bytes.extend(records::line(&entry)?);
            contents.add(entry);
        }
        let mut file = open_partial(&partial).map_err(failed())?;
        // The lock of the file that gets the name; the old file's ends with it.
        let locked = file.try_lock().map_err(std::io::Error::from);
        locked.map_err(failed())?;
        let written = file.set_len(0).and_then(|()| file.write_all(&bytes));
        let written = written.and_then(|()| file.sync_all());
        written.map_err(unkept(&self.path))?;
        fs::rename(&partial, &self.path).map_err(failed())?;
        sync_folder(folder);
        self.file = file;
        self.length = bytes.len() as u64;
        self.contents = contents;
        Ok(self)
    }

    /// That evaluation `number` is not one that the header's run would make.
    pub fn foreign(&self, number: u64, what: &str) -> Failure {
        self.others(format!("an evaluation {number}"), what)
    }

    /// That the test of these gains in this domain is not one that the header's run would make.
    pub fn foreign_test(&self, tested: &Tested, what: &str) -> Failure {
        let (gains, domain) = (&tested.gains, &tested.test.domain);
        self.others(
            format!("a test of the {gains} gains in {domain} wind"),
            what,
        )
    }

    fn others(&self, record: String, what: &str) -> Failure {
        Failure::data(format!(
            "{} holds {record} that its own settings would not make: {what} differs",
            self.path.display()
        ))
    }
}

/// That the journal at `path` was begun by another version of the program.
pub fn other_version(path: &Path, theirs: &str) -> Failure {
    let (path, ours) = (path.display(), env!("CARGO_PKG_VERSION"));
    Failure::data(format!(
        "{path} was begun by Windhover {theirs}; this is {ours}, which may make other numbers: go on with {theirs}"
    ))
}

/// That a record cannot be written into the file at `path`.
fn unkept(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |source| {
        let path = path.display();
        let line = format!(
            "cannot write {path}: {source}; nothing that was kept is lost, make room and go on with --resume, or the same bo serve"
        );
        Failure::new(line, exit::IO)
    }
}

/// The folder of a journal, as a shell takes it.
fn folder_of(journal: &Path) -> String {
    word(journal.parent().unwrap_or(Path::new(".")))
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
    /// A damaged journal.
    pub fn contents(self) -> Result<R, Failure> {
        let InspectionOf { path, scan, .. } = self;
        match (scan.contents, scan.damage) {
            (Some(contents), None) => Ok(contents),
            (_, damage) => Err(damage.unwrap_or(Damage::NO_HEADER).in_journal(&path)),
        }
    }
}

/// Reads the journal of the run in `folder` without changing anything.
///
/// # Errors
/// No journal, or one that cannot be read.
pub fn inspect(folder: &Path) -> Result<Inspection, Failure> {
    inspect_of(folder)
}

/// Reads the journal of `R` in `folder` without changing anything.
///
/// # Errors
/// No journal, or one that cannot be read.
pub fn inspect_of<R: Records>(folder: &Path) -> Result<InspectionOf<R>, Failure> {
    let path = records::whole::<R>(folder);
    let file = open_whole(&path, false).map_err(|source| no_run(&path, source))?;
    let bytes = files::read_open(&file, files::MOST_RECORD).map_err(unread(&path))?;
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

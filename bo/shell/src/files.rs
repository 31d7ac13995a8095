//! Files: how this program reads what a user names, and makes what it writes.
//!
//! Only ordinary files are read, and no more of them than a limit: a device or a pipe, which has
//! no size and perhaps no end, is refused before it is opened. Whatever is made is made anew: what
//! bore the name before, a symbolic link among it, is unlinked first and never written through.

pub use crate::checksum::checksum;

use crate::exit::{self, Coded};
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Error, ErrorKind, Read, Result, Write};
use std::path::{Path, PathBuf};

/// Largest file that people write: a study, a vehicle, gains, a wind, a world, waypoints, an
/// autopilot's parameters [bytes].
pub const MOST_TEXT: u64 = 16 << 20;

/// Largest table of data [bytes].
pub const MOST_DATA: u64 = 64 << 20;

/// Largest case recorded with another simulator [bytes].
pub const MOST_CASE: u64 = 512 << 20;

/// Largest file that a run writes: its journal, its record, a cell [bytes].
pub const MOST_RECORD: u64 = 1 << 30;

/// Why a file or a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// A file that was named cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: Error,
    },

    /// A folder, or a file in it, cannot be made or filled.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: Error,
    },

    /// A folder exists and holds something.
    #[error("{} already holds files; name a new folder, nothing was overwritten", .0.display())]
    Occupied(PathBuf),
}

impl FileError {
    /// That the file at `path` cannot be read.
    pub fn read(path: impl Into<PathBuf>) -> impl FnOnce(Error) -> FileError {
        let path = path.into();
        |source| FileError::Read { path, source }
    }

    /// That the file or folder at `path` cannot be written.
    pub fn write(path: impl Into<PathBuf>) -> impl FnOnce(Error) -> FileError {
        let path = path.into();
        |source| FileError::Write { path, source }
    }
}

impl Coded for FileError {
    fn exit_code(&self) -> u8 {
        match self {
            FileError::Read { source, .. } => exit::read_code(source),
            FileError::Write { source, .. } => exit::write_code(source),
            FileError::Occupied(..) => exit::CANNOT_CREATE,
        }
    }
}

/// How often a name is tried that another process takes at the same time.
const TRIES: u32 = 16;

/// The bytes of the file at `path`.
///
/// # Errors
/// What is no ordinary file ([`ErrorKind::InvalidInput`] or [`ErrorKind::IsADirectory`]), one of
/// more than `most` bytes ([`ErrorKind::FileTooLarge`]), or what the system said.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    read_open(&open(path)?, most)
}

/// Opens the file at `path`, of any length.
///
/// # Errors
/// What is no ordinary file; those of the system.
pub fn open(path: &Path) -> Result<File> {
    // Before it is opened: opening a pipe waits for its writer.
    check_ordinary(&fs::metadata(path)?)?;
    File::open(path)
}

/// What `of_log` makes of the file at `path`, however long that is, or where it makes nothing of it the file, of at most
/// `most` bytes.
///
/// # Errors
/// As [`read`]; those of `of_log`.
pub fn read_log_or<E: std::error::Error + Coded + Send + Sync + 'static>(
    path: &Path,
    most: u64,
    of_log: impl Fn(File) -> std::result::Result<Option<String>, E>,
) -> Result<Vec<u8>> {
    let kind = |error: &E| match error.exit_code() {
        exit::DATA => ErrorKind::InvalidData,
        _ => ErrorKind::Other,
    };
    match of_log(open(path)?).map_err(|error| Error::new(kind(&error), error))? {
        Some(text) => Ok(text.into_bytes()),
        None => read(path, most),
    }
}

/// The files of the folder `path` that have one of `endings` and whose names begin with a number, in the
/// order of their numbers; `None` if `path` is no folder.
pub fn numbered(path: &Path, endings: &[&str]) -> Option<Vec<PathBuf>> {
    let number = |path: &Path| -> Option<u32> {
        let name = path.file_name()?.to_str()?;
        let end = name.find(|c: char| !c.is_ascii_digit())?;
        let ending = path.extension()?.to_str()?;
        endings.contains(&ending).then_some(())?;
        name[..end].parse().ok()
    };
    let found = fs::read_dir(path).into_iter().flatten().flatten();
    let mut found: Vec<(u32, PathBuf)> = found
        .map(|entry| entry.path())
        .filter_map(|path| Some((number(&path)?, path)))
        .collect();
    found.sort();
    path.is_dir()
        .then(|| found.into_iter().map(|(_, path)| path).collect())
}

/// The bytes of an open file, as [`read`].
///
/// # Errors
/// Those of [`read`].
pub fn read_open(file: &File, most: u64) -> Result<Vec<u8>> {
    check_ordinary(&file.metadata()?)?;
    let mut bytes = Vec::new();
    // The size that the system states is not asked: a file may grow.
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("it has more than {most} bytes, the limit");
        return Err(Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// The text of the file at `path`.
///
/// # Errors
/// Those of [`read`], and [`ErrorKind::InvalidData`] for bytes that are no UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String> {
    text(read(path, most)?)
}

/// `bytes` as text.
///
/// # Errors
/// [`ErrorKind::InvalidData`] for bytes that are no UTF-8.
pub fn text(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let whole = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + whole.iter().filter(|byte| **byte == b'\n').count();
        let message = format!("line {line} is not UTF-8 text");
        Error::new(ErrorKind::InvalidData, message)
    })
}

fn check_ordinary(found: &Metadata) -> Result<()> {
    if found.is_file() {
        return Ok(());
    }
    Err(match found.is_dir() {
        true => Error::new(ErrorKind::IsADirectory, "it is a folder, not a file"),
        false => Error::new(
            ErrorKind::InvalidInput,
            "it is a pipe, a socket or a device, not a file",
        ),
    })
}

/// A new file at `path`; a file or a link that bears the name is unlinked.
///
/// # Errors
/// A folder of that name, or what the system said.
pub fn create(path: &Path) -> Result<File> {
    let mut options = File::options();
    let options = options.write(true).create_new(true);
    for _ in 0..TRIES {
        match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // Follows no link, and fails where the name exists.
        match options.open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            opened => return opened,
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Writes the file at `path` whole or not at all; one of the same name is replaced.
///
/// # Errors
/// What the system said; nothing is left behind then.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    fill(path, |file| file.write_all(bytes))
}

/// As [`replace`], with what `fill` writes.
///
/// # Errors
/// Those of `fill`, and what the system said; nothing is left behind then.
pub fn fill<E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let mut half = path.as_os_str().to_owned();
    half.push(".part");
    let half = Path::new(&half);
    filled(create(half)?, fill)
        .and_then(|()| Ok(fs::rename(half, path)?))
        .inspect_err(|_| {
            // Half a file is of no use; where it cannot go either, the next write replaces it.
            let _ = fs::remove_file(half);
        })
}

/// Writes to what the user named: a file, which is overwritten, or a device, which is written to.
///
/// # Errors
/// What the system said. A file that could not be filled is taken away.
pub fn write_to(path: &Path, bytes: &[u8]) -> Result<()> {
    filled(File::create(path)?, |file| file.write_all(bytes)).inspect_err(|_| {
        if fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
            let _ = fs::remove_file(path);
        }
    })
}

fn filled<E: From<io::Error>>(
    file: File,
    fill: impl FnOnce(&mut BufWriter<File>) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let ordinary = file.metadata()?.is_file();
    let mut file = BufWriter::new(file);
    let written = fill(&mut file).and_then(|()| Ok(file.flush()?));
    // Its buffer must not be written once more, after the file is gone.
    let (file, _) = file.into_parts();
    written?;
    // A device may know no such thing.
    if ordinary {
        file.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_published_one() {
        // The check value of the algorithm's own definition.
        assert_eq!(checksum(b"123456789"), "cbf43926");
        assert_eq!(checksum(b""), "00000000");
    }

    #[test]
    fn a_file_is_read_up_to_its_limit_and_no_further() {
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let path = folder.path().join("ten");
        fs::write(&path, "0123456789").expect("writable");
        assert_eq!(read_text(&path, 10).expect("small enough"), "0123456789");
        let error = read(&path, 9).expect_err("too large");
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it has more than 9 bytes, the limit");
        let error = read(folder.path(), 9).expect_err("a folder");
        assert_eq!(error.to_string(), "it is a folder, not a file");
        fs::write(&path, b"a\nb\xff").expect("writable");
        let error = read_text(&path, 9).expect_err("no text");
        assert_eq!(error.to_string(), "line 2 is not UTF-8 text");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_an_end_is_refused() {
        for device in ["/dev/zero", "/dev/null"] {
            let error = read(Path::new(device), 9).expect_err("a device");
            assert_eq!(
                error.to_string(),
                "it is a pipe, a socket or a device, not a file"
            );
        }
    }

    #[test]
    fn what_was_not_filled_is_not_there() {
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let path = folder.path().join("log");
        fill(&path, |file| file.write_all(b"whole")).expect("writable");
        let failed: Result<()> = fill(&path, |file| {
            file.write_all(b"ha")?;
            Err(ErrorKind::StorageFull.into())
        });
        failed.expect_err("a full disk");
        assert_eq!(read(&path, 9).expect("the earlier one"), b"whole");
        assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_device_that_was_named_is_written_to_and_stays() {
        write_to(Path::new("/dev/null"), b"something").expect("takes all");
        write_to(Path::new("/dev/full"), b"something").expect_err("takes nothing");
        assert!(Path::new("/dev/full").exists());
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        use std::os::unix::fs::symlink;
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let here = |name: &str| folder.path().join(name);
        fs::write(here("victim"), "precious").expect("writable");
        for name in ["made", "replaced", "replaced.part", "hard"] {
            match name {
                "hard" => fs::hard_link(here("victim"), here(name)).expect("possible"),
                _ => symlink(here("victim"), here(name)).expect("possible"),
            }
        }
        drop(create(&here("made")).expect("writable"));
        drop(create(&here("hard")).expect("writable"));
        replace(&here("replaced"), b"new").expect("writable");
        assert_eq!(
            fs::read_to_string(here("victim")).expect("there"),
            "precious"
        );
        assert_eq!(fs::read_to_string(here("replaced")).expect("there"), "new");
        assert!(!here("replaced.part").exists());
        assert!(create(folder.path()).is_err(), "a folder is never unlinked");
    }
}

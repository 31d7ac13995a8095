//! Files: how this program reads what a user names, and makes what it writes.
//!
//! Only ordinary files are read, and no more of them than a limit: a device or a pipe, which has
//! no size and perhaps no end, is refused before it is opened. Whatever is made is made anew: what
//! bore the name before, a symbolic link among it, is unlinked first and never written through.

use std::fs::{self, File, Metadata};
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::path::Path;

/// Largest file that people write: a study, a vehicle, gains, an autopilot's parameters [bytes].
pub const MOST_TEXT: u64 = 16 << 20;

/// Largest file that a run writes: its journal, its record, a cell [bytes].
pub const MOST_RECORD: u64 = 1 << 30;

/// How often a name is tried that another process takes at the same time.
const TRIES: u32 = 16;

/// The bytes of the file at `path`.
///
/// # Errors
/// What is no ordinary file ([`ErrorKind::InvalidInput`] or [`ErrorKind::IsADirectory`]), one of
/// more than `most` bytes ([`ErrorKind::FileTooLarge`]), or what the system said.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    // Before it is opened: opening a pipe waits for its writer.
    check_ordinary(&fs::metadata(path)?)?;
    read_open(&File::open(path)?, most)
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
        let message = format!("it is larger than the limit of {most} bytes");
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
        let valid = error.utf8_error().valid_up_to();
        let message = format!("it is no UTF-8 text from byte {valid} on");
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
            "it is a device or a pipe, not a file",
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
    let mut half = path.as_os_str().to_owned();
    half.push(".part");
    let half = Path::new(&half);
    let written = create(half).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written
        .and_then(|()| fs::rename(half, path))
        .inspect_err(|_| {
            // Half a file is of no use; where it cannot go either, the next write replaces it.
            let _ = fs::remove_file(half);
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit_and_no_further() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("ten");
        fs::write(&path, "0123456789").expect("writable");
        assert_eq!(read_text(&path, 10).expect("small enough"), "0123456789");
        let error = read(&path, 9).expect_err("too large");
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it is larger than the limit of 9 bytes");
        let error = read(folder.path(), 9).expect_err("a folder");
        assert_eq!(error.to_string(), "it is a folder, not a file");
        fs::write(&path, b"ab\xff").expect("writable");
        let error = read_text(&path, 9).expect_err("no text");
        assert_eq!(error.to_string(), "it is no UTF-8 text from byte 2 on");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_an_end_is_refused() {
        for device in ["/dev/zero", "/dev/null"] {
            let error = read(Path::new(device), 9).expect_err("a device");
            assert_eq!(error.to_string(), "it is a device or a pipe, not a file");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("temporary folder");
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

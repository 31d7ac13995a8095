//! Input: the text of a file that a user named, read with a limit. A file whose size nothing
//! bounds, such as a device or a pipe, is not read at all.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Largest description of a vehicle, its gains, a wind, a world or waypoints [bytes].
pub const MOST_TEXT_BYTES: u64 = 16 << 20;

/// Largest recorded case [bytes].
pub const MOST_CASE_BYTES: u64 = 512 << 20;

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The system cannot open or read it.
    #[error("{0}")]
    System(#[from] std::io::Error),

    /// It is a folder, a pipe, a socket or a device.
    #[error("it is {what}, not a file")]
    NotAFile {
        /// What it is.
        what: &'static str,
    },

    /// It holds more than it may.
    #[error("it has more than {most} bytes, the limit")]
    TooLarge {
        /// The limit.
        most: u64,
    },

    /// It does not hold text.
    #[error("line {line} is not UTF-8 text")]
    NotText {
        /// The line, from 1.
        line: usize,
    },
}

impl InputError {
    /// The exit code that tells a shell which kind it was: 66 for an input that is not there, 65
    /// for one that cannot be used.
    pub fn exit_code(&self) -> u8 {
        match self {
            InputError::System(_) => 66,
            _ => 65,
        }
    }
}

/// The text of the file at `path`, which may have at most `most` bytes.
///
/// # Errors
/// [`InputError`].
pub fn read_text(path: &Path, most: u64) -> Result<String, InputError> {
    // Before it is opened: opening a pipe waits for its writer.
    let kind = std::fs::metadata(path)?.file_type();
    if !kind.is_file() {
        let what = if kind.is_dir() {
            "a folder"
        } else {
            "a pipe, a socket or a device"
        };
        return Err(InputError::NotAFile { what });
    }
    let mut bytes = Vec::new();
    // The size that the system states is not asked: some files have none, others grow.
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(InputError::TooLarge { most });
    }
    String::from_utf8(bytes).map_err(|error| {
        let whole = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + whole.iter().filter(|byte| **byte == b'\n').count();
        InputError::NotText { line }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_the_last_legal_size_and_lines_are_counted() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("a");
        std::fs::write(&path, "12345").expect("writable");
        assert_eq!(read_text(&path, 5).expect("legal"), "12345");
        let message = read_text(&path, 4).expect_err("too large").to_string();
        assert_eq!(message, "it has more than 4 bytes, the limit");
        std::fs::write(&path, b"a\nb\xff").expect("writable");
        let message = read_text(&path, 9).expect_err("not text").to_string();
        assert_eq!(message, "line 2 is not UTF-8 text");
        let refused = read_text(folder.path(), 9).expect_err("a folder");
        assert_eq!(refused.to_string(), "it is a folder, not a file");
        assert_eq!(refused.exit_code(), 65);
        let gone = read_text(&folder.path().join("b"), 9).expect_err("missing");
        assert_eq!(gone.exit_code(), 66);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_an_end_is_not_read() {
        for device in ["/dev/zero", "/dev/null"] {
            let refused = read_text(Path::new(device), 9).expect_err("a device");
            assert!(matches!(refused, InputError::NotAFile { .. }), "{refused}");
        }
    }
}

//! Input: the bytes of a file that a user named, read with a limit. A file whose size nothing
//! bounds, such as a device or a pipe, is not read at all.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Largest file of data that is read [bytes].
pub const MOST_BYTES: u64 = 64 << 20;

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
}

impl InputError {
    /// 66 (`EX_NOINPUT`) for an input that is not there, 65 (`EX_DATAERR`) for one that cannot be
    /// used.
    pub fn exit_code(&self) -> u8 {
        match self {
            InputError::System(_) => 66,
            _ => 65,
        }
    }
}

/// The bytes of the file at `path`, at most [`MOST_BYTES`].
pub fn read(path: &Path) -> Result<Vec<u8>, InputError> {
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
    let most = MOST_BYTES;
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(InputError::TooLarge { most });
    }
    Ok(bytes)
}

//! Exit codes: what each tells the shell that started the program. Those from 64 on are of
//! `sysexits.h`, those from 128 on are 128 and a signal's number.

use std::io::{Error, ErrorKind};

/// All that was asked for is done.
pub const SUCCESS: u8 = 0;
/// The work is done, and what it was to check is out.
pub const CHECK_FAILED: u8 = 1;
/// The command line is wrong: a name that does not exist, a number out of range.
pub const USAGE: u8 = 2;
/// Every evaluation of a run is lost.
pub const ALL_LOST: u8 = 3;
/// A tune that was checked is not to be flown.
pub const DO_NOT_FLY: u8 = 4;
/// A file that was named is there and cannot be used (`EX_DATAERR`).
pub const DATA: u8 = 65;
/// A file that was named is not there, or closed to us (`EX_NOINPUT`).
pub const NO_INPUT: u8 = 66;
/// What the machine refuses otherwise, threads say (`EX_SOFTWARE`).
pub const SOFTWARE: u8 = 70;
/// Two machines that should give the same bytes do not (`EX_OSERR`).
pub const MACHINE: u8 = 71;
/// A folder or file cannot be made, or is occupied (`EX_CANTCREAT`).
pub const CANNOT_CREATE: u8 = 73;
/// There is no room, or a stream or device fails (`EX_IOERR`).
pub const IO: u8 = 74;
/// Work is left; what was done is kept, and the same command resumes (`EX_TEMPFAIL`).
pub const LEFT: u8 = 75;
/// Control-C ended it; a request to terminate gives 143.
pub const INTERRUPTED: u8 = 130;

/// What can end a program, with the exit code that tells a shell which kind it was.
pub trait Coded: std::fmt::Display {
    /// One of these codes.
    fn exit_code(&self) -> u8;
}

/// [`DATA`] where what is there is no file that can be used: too large, a folder, a device, no text;
/// else [`NO_INPUT`].
pub fn read_code(source: &Error) -> u8 {
    match source.kind() {
        ErrorKind::FileTooLarge
        | ErrorKind::InvalidInput
        | ErrorKind::IsADirectory
        | ErrorKind::InvalidData => DATA,
        _ => NO_INPUT,
    }
}

/// [`IO`] where a file could be made but not filled, [`CANNOT_CREATE`] where it cannot be made.
pub fn write_code(source: &Error) -> u8 {
    match source.kind() {
        ErrorKind::StorageFull
        | ErrorKind::QuotaExceeded
        | ErrorKind::FileTooLarge
        | ErrorKind::WriteZero
        | ErrorKind::BrokenPipe => IO,
        // EIO has no kind of its own.
        _ if source.raw_os_error() == Some(5) => IO,
        _ => CANNOT_CREATE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_from_a_folder_that_is_closed() {
        for full in [ErrorKind::StorageFull, ErrorKind::FileTooLarge] {
            assert_eq!(write_code(&full.into()), IO);
        }
        assert_eq!(write_code(&Error::from_raw_os_error(5)), IO);
        assert_eq!(
            write_code(&ErrorKind::PermissionDenied.into()),
            CANNOT_CREATE
        );
        assert_eq!(write_code(&ErrorKind::NotADirectory.into()), CANNOT_CREATE);
    }

    #[test]
    fn a_file_that_is_missing_is_told_from_one_that_is_none() {
        assert_eq!(read_code(&ErrorKind::NotFound.into()), NO_INPUT);
        assert_eq!(read_code(&ErrorKind::PermissionDenied.into()), NO_INPUT);
        assert_eq!(read_code(&ErrorKind::IsADirectory.into()), DATA);
        assert_eq!(read_code(&ErrorKind::InvalidData.into()), DATA);
    }
}

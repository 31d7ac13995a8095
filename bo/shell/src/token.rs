//! Token: what every client of a server must present, in a file that its owner alone may read, and the
//! random bytes that it and the keys of leases are made from.

use crate::files::{self, FileError};
use crate::{Failure, exit};
use rand::TryRng;
use rand::rngs::SysRng;
use std::fs::{self, OpenOptions};
use std::hint::black_box;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Name of a server's token in the folder of its journal.
pub const NAME: &str = "token";

/// Least and most characters of a token.
const LENGTHS: std::ops::RangeInclusive<usize> = 16..=256;

/// The token in the file at `path`.
///
/// # Errors
/// A file that cannot be read, that others may read too, or that holds no token.
pub fn read(path: &Path) -> Result<String, Failure> {
    let mode = mode(&fs::metadata(path).map_err(FileError::read(path))?);
    if mode & 0o077 != 0 {
        let line = format!(
            "{} may be read by others (mode {mode:o}); it holds a secret: chmod 600 it",
            path.display()
        );
        return Err(Failure::data(line));
    }
    let text = files::read_text(path, 4096).map_err(FileError::read(path))?;
    let token = text.trim();
    if !LENGTHS.contains(&token.len()) || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        let line = format!(
            "{} holds no token: 16 to 256 characters without blanks on one line",
            path.display()
        );
        return Err(Failure::data(line));
    }
    Ok(token.to_owned())
}

/// The token in the file at `path`, which is made where it is not there.
///
/// # Errors
/// Those of [`read`], and a file that cannot be made.
pub fn read_or_make(path: &Path) -> Result<String, Failure> {
    if path.exists() {
        return read(path);
    }
    let token = hexadecimal(&bytes::<32>()?);
    // Under another name first, so that a process that is killed leaves no half token.
    let mut half = path.as_os_str().to_owned();
    half.push(".part");
    let half = Path::new(&half);
    let made = fill(half, &token).and_then(|()| fs::rename(half, path));
    made.map_err(FileError::write(path))?;
    Ok(token)
}

/// Makes a file that its owner alone may read.
fn fill(path: &Path, token: &str) -> Result<(), std::io::Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    let mut file = private(options.write(true).create_new(true)).open(path)?;
    writeln!(file, "{token}")?;
    file.sync_all()
}

#[cfg(unix)]
fn mode(found: &fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o7777
}

#[cfg(not(unix))]
fn mode(_: &fs::Metadata) -> u32 {
    0
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600)
}

#[cfg(not(unix))]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Fresh bytes from the operating system.
///
/// # Errors
/// A system that gives none.
pub fn bytes<const N: usize>() -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    SysRng.try_fill_bytes(&mut bytes).map_err(|source| {
        let line = format!("the system gives no random bytes: {source}");
        Failure::new(line, exit::SOFTWARE)
    })?;
    Ok(bytes)
}

/// `bytes` in hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether two secrets are the same, in a time that depends on their lengths alone.
pub fn same(a: &[u8], b: &[u8]) -> bool {
    let differ = a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b));
    a.len() == b.len() && black_box(differ) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_the_same_in_every_byte_or_not_at_all() {
        assert!(same(b"token", b"token") && same(b"", b""));
        for other in [&b"tokem"[..], b"Token", b"toke", b"tokens", b""] {
            assert!(!same(b"token", other));
        }
    }
}

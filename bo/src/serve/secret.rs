//! Secret: bytes that nobody can foretell, how they are written and compared. Nothing that is computed
//! depends on them.

use std::fs::File;
use std::hint::black_box;
use std::io::{Read, Result};

/// Fresh bytes from the operating system.
///
/// # Errors
/// A system without `/dev/urandom`.
pub fn bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
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

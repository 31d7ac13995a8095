//! Checksum: that bytes are those that were written.

use crc32fast::Hasher;
use std::io::{BufRead, BufReader, Read, Result};

/// The CRC-32 (IEEE 802.3, the one of zlib and PNG) of `bytes` in eight lower-case hexadecimal
/// digits, which tells that they are those that were written.
pub fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

/// That of all that `input` gives, in the same memory however much it is.
///
/// # Errors
/// What reading gives.
pub fn checksum_of(input: impl Read) -> Result<String> {
    let (mut input, mut hasher) = (BufReader::with_capacity(1 << 16, input), Hasher::new());
    loop {
        let next = input.fill_buf()?;
        if next.is_empty() {
            return Ok(format!("{:08x}", hasher.finalize()));
        }
        hasher.update(next);
        let length = next.len();
        input.consume(length);
    }
}

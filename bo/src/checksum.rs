//! Checksum: what tells that bytes are those that were written.

/// The CRC-32 (IEEE 802.3, the one of zlib and PNG) of `bytes` in eight lower-case hexadecimal
/// digits.
pub fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
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
}

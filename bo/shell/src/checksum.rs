//! Checksum: that bytes are those that were written.

/// The CRC-32 (IEEE 802.3, the one of zlib and PNG) of `bytes` in eight lower-case hexadecimal
/// digits, which tells that they are those that were written.
pub fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

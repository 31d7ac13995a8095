//! Header: the first record of a run's journal, made again where it is damaged.

use super::JournalError;
use super::entry::{Entry, Header, SCHEMA};
use super::records::line;
use crate::files;
use std::path::Path;

/// Name of the study file beside a journal; it holds the text of the header.
const STUDY: &str = "config.toml";

/// The line of the header that the damaged journal `bytes` began with, if the study file in
/// `folder` is the one that it held: at least half of its bytes stand there.
pub(super) fn header_of(folder: &Path, bytes: &[u8]) -> Result<Option<Vec<u8>>, JournalError> {
    let Ok(config) = files::read_text(&folder.join(STUDY), files::MOST_TEXT) else {
        return Ok(None);
    };
    let header = Header {
        schema: SCHEMA.to_owned(),
        windhover: version_in(bytes).unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_owned()),
        config,
    };
    let line = line(&Entry::Header(header))?;
    let equal = line
        .iter()
        .zip(bytes)
        .filter(|(ours, theirs)| ours == theirs);
    Ok((2 * equal.count() >= line.len()).then_some(line))
}

/// The version of the program that a damaged header still names.
fn version_in(bytes: &[u8]) -> Option<String> {
    const BEFORE: &[u8] = b"\"windhover\":\"";
    let at = bytes
        .windows(BEFORE.len())
        .position(|found| found == BEFORE)?;
    let rest = &bytes[at + BEFORE.len()..];
    let version: Vec<u8> = rest
        .iter()
        .copied()
        .take_while(|byte| *byte != b'"')
        .take(32)
        .collect();
    let legal = |byte: &u8| byte.is_ascii_alphanumeric() || b".-+".contains(byte);
    let legal = !version.is_empty() && version.iter().all(legal);
    legal.then(|| String::from_utf8(version).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_what_is_left_of_a_header() {
        let version = |text: &str| version_in(text.as_bytes());
        let said = Some("0.2.0-rc.1+b2".to_owned());
        assert_eq!(version(r#"#?{"windhover":"0.2.0-rc.1+b2","con"#), said);
        assert_eq!(version(r#""windhover":"0.2.0-rc.1+b2"#), said);
        for damaged in [
            "",
            r#""windhover":""#,
            r#""windhover":"","config":"#,
            r#""windhover":"0.2 0","config":"#,
            r#""windhower":"0.2.0","config":"#,
        ] {
            assert_eq!(version(damaged), None, "{damaged}");
        }
        let long = format!("\"windhover\":\"{}", "1".repeat(40));
        assert_eq!(version(&long), Some("1".repeat(32)));
    }
}

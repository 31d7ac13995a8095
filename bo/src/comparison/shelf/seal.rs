//! Seal: content under its checksum, CRC-32 (IEEE 802.3) as in the journal, in one JSON file.

use crate::Error;
use crate::files::checksum;
use crate::run::disk::record::to_json;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What a file holds, under its checksum.
#[derive(Serialize, Deserialize)]
struct Sealed<T> {
    /// CRC-32 of `content` as it stands in a file of its own.
    crc32: String,
    content: T,
}

/// The text of a file that holds `content` under its checksum.
///
/// # Errors
/// [`Error::Encode`].
pub(crate) fn sealed<T: Serialize>(what: &'static str, content: &T) -> Result<String, Error> {
    let crc32 = checksum(to_json(what, content)?.as_bytes());
    to_json(what, &Sealed { crc32, content })
}

/// What the text of such a file holds, or why that is not what was written.
///
/// # Errors
/// [`Error::Encode`].
pub(crate) fn unsealed<T>(text: &str) -> Result<Result<T, String>, Error>
where
    T: Serialize + DeserializeOwned,
{
    let found: Sealed<T> = match serde_json::from_str(text) {
        Ok(found) => found,
        Err(error) => return Ok(Err(error.to_string())),
    };
    // To the byte: then nothing that was changed can have gone unseen, not even a field twice.
    Ok(match sealed("file", &found.content)? == text {
        true => Ok(found.content),
        false => Err("its content does not match its checksum".to_owned()),
    })
}

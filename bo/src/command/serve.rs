//! `bo serve --jsonl`: ask and tell over standard streams.

use crate::Error;
use std::io::{stderr, stdin, stdout};
use std::path::PathBuf;

/// Serves until `quit`, the end of the input or of the reader.
///
/// # Errors
/// Where standard input cannot be read.
pub fn serve() -> Result<String, Error> {
    crate::serve::serve(stdin().lock(), stdout().lock(), stderr().lock()).map_err(|source| {
        Error::Read {
            path: PathBuf::from("standard input"),
            source,
        }
    })?;
    Ok(String::new())
}

//! `sim serve`: the plant, for a controller of the user's own.

use crate::Said;
use crate::failure::Failure;
use shell::{files, names, terminal};
use std::io::{BufWriter, stdin, stdout};
use std::path::Path;

/// Answers requests on standard input until it ends.
///
/// # Errors
/// A stream that fails. A reader who has gone away is no failure.
pub fn serve() -> Result<Said, Failure> {
    let answers = BufWriter::new(stdout().lock());
    let served = sim::serve::serve(stdin().lock(), answers, &find_file);
    terminal::forgiven(served).map_err(|source| Failure::Stream { source })?;
    Ok(Said {
        text: String::new(),
        passed: true,
    })
}

/// The file that a word of a request means, where it means no name.
fn find_file(word: &str, names: &[&str]) -> Option<std::io::Result<String>> {
    let path = Path::new(word);
    names::is_file(word, names, Path::new("")).then(|| files::read_text(path, files::MOST_TEXT))
}

//! Repair: what can be saved of a damaged journal.
//!
//! Behind the last whole record everything is cut. Where the header itself is damaged it is made
//! again from the study file with the journal, if that shows to be the header's: of the bytes that
//! stand there at least half must be those of the header made again, and its length must be right,
//! so that a whole record, or the end, follows it.

use super::opening::{Holder, no_run, open_whole};
use super::records::{self, Records};
use super::{Damage, InspectionOf, inspect_of, scan, unkept};
use shell::Failure;

use std::fs::File;
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Cuts the journal in `folder` behind its last whole record, its header made again where that was
/// damaged. What was there is kept in a file of its own, whose path is returned; `None` if all
/// is whole.
///
/// # Errors
/// No journal, one that another process holds, a header that is damaged and the study file beside it is not the header's, and files that cannot be written.
pub fn repair<R: Records>(folder: &Path) -> Result<Option<PathBuf>, Failure> {
    let path = records::whole::<R>(folder);
    let file = open_whole(&path, true).map_err(|source| no_run(&path, source))?;
    let _holder = Holder::take::<R>(&file, folder)?;
    let InspectionOf {
        bytes, scan: found, ..
    } = inspect_of::<R>(folder)?;
    if found.contents.is_some() {
        if found.whole == bytes.len() {
            return Ok(None);
        }
        let copy = keep(&path, &bytes[found.whole..], found.whole)?;
        let cut = file.set_len(found.whole as u64);
        cut.and_then(|()| file.sync_data()).map_err(unkept(&path))?;
        return Ok(Some(copy));
    }
    let header = header::<R>(folder, &bytes)?.ok_or_else(|| {
        Failure::data(format!(
            "{} cannot be repaired: its header is damaged ({}), and no config.toml beside it holds the same study; put that file back, or begin the run again in a new folder",
            path.display(),
            found.damage.unwrap_or(Damage::NO_HEADER).fault
        ))
    })?;
    let mut repaired = header;
    repaired.extend_from_slice(&bytes[repaired.len().min(bytes.len())..]);
    let whole = scan::<R>(&repaired).whole;
    let copy = keep(&path, &bytes, 0)?;
    // Not in append mode: the header is written where it stood. The lock is held.
    let written = File::options()
        .write(true)
        .open(&path)
        .and_then(|mut file| {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&repaired[..whole])?;
            file.set_len(whole as u64)?;
            file.sync_all()
        });
    written.map_err(unkept(&path))?;
    Ok(Some(copy))
}

/// Keeps what is cut at byte `at` in a new file, and never in the place of another.
fn keep(journal: &Path, cut: &[u8], at: usize) -> Result<PathBuf, Failure> {
    let suffixes = std::iter::once(String::new()).chain((2..1000).map(|n| format!("-{n}")));
    let mut last = None;
    for suffix in suffixes {
        let mut path = journal.as_os_str().to_owned();
        path.push(format!(".cut-at-{at}{suffix}"));
        let path = PathBuf::from(path);
        let kept = File::create_new(&path).and_then(|mut kept| {
            kept.write_all(cut)?;
            kept.sync_all()
        });
        match kept {
            Ok(()) => return Ok(path),
            Err(source) if source.kind() == ErrorKind::AlreadyExists => {
                last = Some(unkept(&path)(source));
            }
            Err(source) => return Err(unkept(&path)(source)),
        }
    }
    Err(last.unwrap_or_else(records::not_itself))
}

/// The line of the header that the damaged journal `bytes` began with, if it can be restored and a whole
/// record, or the end, follows it.
fn header<R: Records>(folder: &Path, bytes: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
    let Some(line) = R::rewritten_header(folder, bytes)? else {
        return Ok(None);
    };
    let rest = bytes.get(line.len()..).unwrap_or_default();
    let mut repaired = line.clone();
    repaired.extend_from_slice(rest);
    let follows = rest.is_empty() || scan::<R>(&repaired).whole > line.len();
    Ok(follows.then_some(line))
}

#[cfg(test)]
mod tests {
    use super::super::records::line;
    use super::super::{Contents, Entry, Header, NAME, SCHEMA};
    use super::*;

    fn repair(folder: &Path) -> Result<Option<PathBuf>, Failure> {
        super::repair::<Contents>(folder)
    }

    /// The header of the study `config`, with its line feed.
    fn header(config: &str) -> Vec<u8> {
        let header = Header {
            schema: SCHEMA.to_owned(),
            windhover: env!("CARGO_PKG_VERSION").to_owned(),
            config: config.to_owned(),
        };
        line(&Entry::Header(header)).expect("text")
    }

    #[test]
    fn a_header_is_made_again_where_half_of_it_is_left_and_a_record_follows() {
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let config = "x".repeat(400);
        std::fs::write(folder.path().join("config.toml"), &config).expect("writable");
        let whole = header(&config);
        let made =
            |bytes: &[u8]| super::header::<Contents>(folder.path(), bytes).expect("readable");
        // As much of it as `kept` bytes at its end, before the line feed.
        let damaged = |kept: usize| {
            let mut bytes = whole.clone();
            let rest = bytes.len() - kept;
            bytes[..rest].fill(0);
            bytes
        };
        let half = whole.len().div_ceil(2);
        assert_eq!(made(&damaged(half)), Some(whole.clone()));
        assert_eq!(made(&damaged(half - 1)), None);
        let end = line(&Entry::End { trials: 0 }).expect("a record");
        let mut bytes = damaged(half);
        bytes.extend_from_slice(&end);
        assert_eq!(made(&bytes), Some(whole.clone()));
        // A longer or shorter header stood there: what follows begins with no record.
        bytes.insert(whole.len(), b'x');
        assert_eq!(made(&bytes), None);
        bytes.drain(whole.len() - 1..=whole.len());
        assert_eq!(made(&bytes), None);
        std::fs::remove_file(folder.path().join("config.toml")).expect("there");
        assert_eq!(made(&whole), None);
    }

    #[test]
    fn a_journal_that_is_whole_is_left_alone_and_a_cut_is_kept_beside_it() {
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let path = folder.path().join(NAME);
        let whole = header("");
        std::fs::write(&path, &whole).expect("writable");
        assert_eq!(repair(folder.path()).expect("whole"), None);
        for again in ["", "-2"] {
            let name = format!("{NAME}.cut-at-{}{again}", whole.len());
            let mut damaged = whole.clone();
            damaged.extend_from_slice(b"no record\nand more");
            std::fs::write(&path, &damaged).expect("writable");
            let copy = repair(folder.path()).expect("repaired").expect("damaged");
            assert_eq!(copy, folder.path().join(name));
            assert_eq!(std::fs::read(copy).expect("kept"), damaged[whole.len()..]);
            assert_eq!(std::fs::read(&path).expect("there"), whole);
        }
    }
}

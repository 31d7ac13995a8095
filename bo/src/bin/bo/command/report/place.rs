//! Place: where the page goes, and the files next to it.

use crate::args::ReportArgs;
use crate::command::taken_already;
use bo::Error;
use bo::files::{self, FileError};
use bo::report::MARKER;
use bo::run::disk::journal;
use shell::Failure;
use shell::folder::Folder;
use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// Name of the page in a folder.
pub const FILE: &str = "report.html";

pub fn out_path(args: &ReportArgs) -> PathBuf {
    match (&args.out, &args.dirs[..]) {
        (Some(out), _) if out.is_dir() => out.join(FILE),
        (Some(out), _) => out.clone(),
        (None, [one]) => one.join(FILE),
        (None, _) => PathBuf::from(FILE),
    }
}

/// What a folder is called.
pub fn name_of(folder: &Path) -> String {
    // "." and ".." have no name of their own.
    let whole = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let name = whole.file_name().unwrap_or(whole.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The files in `folder` but those by which a run keeps its books, as paths that lead there from the page; none where the page lies neither in
/// that folder nor above it.
pub fn files_next_to(folder: &Path, page: &Path) -> Vec<String> {
    let whole = |path: &Path| fs::canonicalize(path).ok();
    let above = page
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let (Some(folder), Some(above)) = (whole(folder), whole(above.unwrap_or(Path::new("."))))
    else {
        return Vec::new();
    };
    let Ok(way) = folder.strip_prefix(&above) else {
        return Vec::new();
    };
    let found = fs::read_dir(&folder).into_iter().flatten().flatten();
    let books = ["manifest.json", "env.json", journal::NAME, journal::PID];
    let shown = found.filter(|entry| {
        let name = entry.file_name();
        let itself = above.join(page.file_name().unwrap_or_default()) == entry.path();
        let ours = itself || books.iter().any(|book| name == *book);
        entry.path().is_file() && !ours && !name.to_string_lossy().starts_with('.')
    });
    let paths = shown.filter_map(|entry| way.join(entry.file_name()).to_str().map(str::to_owned));
    let mut paths: Vec<String> = paths.collect();
    paths.sort();
    paths
}

pub fn check_distinct(dirs: &[PathBuf]) -> Result<(), Failure> {
    let whole: Vec<_> = dirs.iter().map(|dir| fs::canonicalize(dir).ok()).collect();
    match (0..dirs.len()).find(|k| whole[..*k].contains(&whole[*k])) {
        Some(k) => {
            let line = format!("{} is named twice", dirs[k].display());
            Err(Failure::usage(line))
        }
        None => Ok(()),
    }
}

/// Refuses to replace what is no report.
pub fn check_replaceable(path: &Path) -> Result<(), Error> {
    // Before it is opened: opening a pipe waits for its writer.
    let occupied = || Err(taken_already(path).into());
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return occupied();
    }
    // Working out what the page shows takes longer than the message that it has no place.
    let folder = path.parent().filter(|folder| folder.is_dir());
    folder.map_or(Ok(()), Folder::check_writable)?;
    let mut file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(FileError::write(path)(source).into()),
    };
    let mut begin = vec![0; MARKER.len()];
    match file.read_exact(&mut begin) {
        Ok(()) if begin == MARKER.as_bytes() => Ok(()),
        _ => occupied(),
    }
}

/// Writes a temporary file and renames it, so that no half page is ever there.
pub fn write(path: &Path, page: &str) -> Result<(), Error> {
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(FileError::write(path))?;
    }
    Ok(files::replace(path, page.as_bytes()).map_err(FileError::write(path))?)
}

//! Opening: how the file of a journal is opened, never through a link, which process may write it, and why
//! it cannot be opened.

use super::records;
use super::records::Records;
use crate::files::{self, FileError};
use shell::Failure;
use shell::exit::{self, read_code};
use std::fs;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The journal at `path`, to be read, or to be written as well; never through a link.
pub(super) fn open_whole(path: &Path, writable: bool) -> std::io::Result<File> {
    let found = fs::symlink_metadata(path)?;
    if !found.is_file() {
        let message = "it is not a file of this folder";
        return Err(std::io::Error::new(ErrorKind::InvalidInput, message));
    }
    OpenOptions::new().read(true).append(writable).open(path)
}

/// The journal of a run that begins. Another process may have made the file a moment ago, and then
/// it is shared, so that the lock can decide; a link of that name is no journal and is removed.
pub(super) fn open_partial(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    let options = options.read(true).append(true);
    match options.clone().create_new(true).open(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        opened => return opened,
    }
    let found = fs::symlink_metadata(path)?;
    if found.is_file() && links(&found) <= 1 {
        return options.open(path);
    }
    fs::remove_file(path)?;
    options.create_new(true).open(path)
}

/// Names that a file has; 1 where the system does not tell.
#[cfg(unix)]
pub(super) fn links(found: &fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    found.nlink()
}

/// Names that a file has; 1 where the system does not tell.
#[cfg(not(unix))]
pub(super) fn links(_: &fs::Metadata) -> u64 {
    1
}

/// That there is no journal at `path` to take up.
pub fn missing(path: &Path) -> Failure {
    let line = format!(
        "{} is missing: there is no run to take up; begin one without --resume, or with it and its flags",
        path.display()
    );
    Failure::new(line, exit::NO_INPUT)
}

/// That the journal at `path` cannot be read.
pub(super) fn unread(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |source| {
        let code = match read_code(&source) {
            exit::DATA => exit::DATA,
            _ => exit::IO,
        };
        Failure::new(FileError::read(path)(source), code)
    }
}

/// Why a run cannot be taken up whose journal cannot be opened.
pub(super) fn absent(path: &Path, source: std::io::Error) -> Failure {
    match source.kind() {
        ErrorKind::NotFound => missing(path),
        _ => unread(path)(source),
    }
}

/// That another process, `pid` where that is known, works on the run in `folder`.
pub fn held(folder: &Path, pid: Option<u32>) -> Failure {
    let whom = pid.map_or_else(
        || "another process".to_owned(),
        |pid| format!("process {pid}"),
    );
    let line = format!("{} is in use by {whom}", folder.display());
    Failure::new(line, exit::CANNOT_CREATE)
}

/// As [`absent`], where no run was to be taken up.
pub(super) fn no_run(path: &Path, source: std::io::Error) -> Failure {
    let folder = path.parent().unwrap_or(path);
    match source.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            let (path, found) = (folder.display(), what_is(folder));
            let line = format!("{path} is not the folder of a run: {found}");
            Failure::new(line, exit::NO_INPUT)
        }
        _ => absent(path, source),
    }
}

/// What a folder is that holds no journal.
fn what_is(folder: &Path) -> &'static str {
    match fs::metadata(folder) {
        Err(_) => "there is no such folder",
        Ok(found) if !found.is_dir() => "it is a file",
        Ok(_) if folder.join("plan.json").is_file() => "it holds a comparison",
        Ok(_) => "it has no trials.log",
    }
}

/// The right to write. The lock itself belongs to the journal's file and ends with it; this only
/// keeps the process's number in a file with it as long as it lives.
#[derive(Debug)]
pub(super) struct Holder {
    pid_file: PathBuf,
}

impl Holder {
    /// Locks `journal`, which lies in `folder`.
    pub(super) fn take<R: Records>(journal: &File, folder: &Path) -> Result<Holder, Failure> {
        match journal.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(held(folder, read_pid(&records::pid::<R>(folder))));
            }
            Err(TryLockError::Error(source)) => {
                return Err(FileError::write(records::whole::<R>(folder))(source).into());
            }
        }
        let pid_file = records::pid::<R>(folder);
        // The lock is what counts: without this file a second process is refused all the same.
        let _ =
            files::create(&pid_file).and_then(|mut file| writeln!(file, "{}", std::process::id()));
        Ok(Holder { pid_file })
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        // The lock is still held: the file holds this process's number.
        let _ = fs::remove_file(&self.pid_file);
    }
}

/// Whether another process holds `journal`; its number, where that is known.
pub(super) fn holder_of<R: Records>(journal: &File, folder: &Path) -> Option<Option<u32>> {
    match journal.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Some(read_pid(&records::pid::<R>(folder))),
        Ok(()) | Err(TryLockError::Error(_)) => None,
    }
}

fn read_pid(named: &Path) -> Option<u32> {
    let text = files::read_text(named, 32).ok()?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_run_is_called_what_it_is() {
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let here = folder.path();
        let said = |of: &Path| {
            let path = of.join("trials.log");
            let source = open_whole(&path, false).expect_err("no journal");
            let refused = no_run(&path, source);
            assert_eq!(refused.exit_code(), exit::NO_INPUT);
            let start = format!("{} is not the folder of a run: ", of.display());
            refused.to_string().replacen(&start, "", 1)
        };
        assert_eq!(said(here), "it has no trials.log");
        assert_eq!(said(&here.join("none")), "there is no such folder");
        fs::write(here.join("file"), "").expect("writable");
        assert_eq!(said(&here.join("file")), "it is a file");
        fs::write(here.join("plan.json"), "").expect("writable");
        assert_eq!(said(here), "it holds a comparison");
        let path = here.join("trials.log");
        fs::create_dir(&path).expect("free");
        let source = open_whole(&path, false).expect_err("a folder");
        let refused = no_run(&path, source);
        assert!(refused.to_string().starts_with("cannot read "), "{refused}");
        assert_eq!(refused.exit_code(), exit::DATA);
    }

    #[cfg(unix)]
    #[test]
    fn a_partial_journal_is_shared_but_no_link_is_followed() {
        use std::io::Write;
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let partial = folder.path().join("trials.log.part");
        let other = folder.path().join("other");
        fs::write(&other, "mine").expect("writable");
        let write = || open_partial(&partial).and_then(|mut file| file.write_all(b"ours"));
        let text = |path: &Path| fs::read_to_string(path).expect("there");
        // A second process opens the file that the first one made.
        write().and_then(|()| write()).expect("a new file");
        assert_eq!(text(&partial), "oursours");
        for link in [
            |to: &Path, at: &Path| std::os::unix::fs::symlink(to, at),
            |to: &Path, at: &Path| fs::hard_link(to, at),
        ] {
            fs::remove_file(&partial).expect("there");
            link(&other, &partial).expect("a link");
            write().expect("a new file in the link's place");
            assert_eq!(
                (text(&partial).as_str(), text(&other).as_str()),
                ("ours", "mine")
            );
        }
        assert!(open_whole(&other, true).is_ok());
        fs::remove_file(&partial).expect("there");
        std::os::unix::fs::symlink(&other, &partial).expect("a link");
        assert!(open_whole(&partial, false).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_in_which_nothing_can_be_made_is_not_said_to_lack_the_file() {
        let nothing_is_made_in = Path::new("/sys/kernel");
        if !nothing_is_made_in.is_dir() {
            eprintln!("skipped: there is no {}", nothing_is_made_in.display());
            return;
        }
        let refused = open_partial(&nothing_is_made_in.join("trials.log.part"));
        let kind = refused.expect_err("not a disk").kind();
        assert_ne!(kind, ErrorKind::NotFound);
    }
}

//! Manifest: what files a run wrote, with size and checksum, so that a file that was changed or
//! lost since is noticed.
//!
//! It depends on the run's settings alone, as the files do that it lists: the same run gives the
//! same bytes, interrupted or not. So it names no time and no folder, its command is the one that
//! makes the run again from its own study file, and it leaves `env.json` out, where the command
//! line as it was typed stands with everything else that differs between reruns. Checksums are
//! CRC-32 (IEEE 802.3), as in the journal: they find accidents, not forgeries.

use crate::Failure;
use crate::files::{self, FileError, checksum};
use crate::names::GAINS;
use crate::terminal::word;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::Path;

/// Name of the manifest in its run's folder.
pub const NAME: &str = "manifest.json";

/// Name and version of its form.
pub const SCHEMA: &str = "windhover-manifest/1";

/// What to do about a manifest that is none.
const REMEDY: &str = "`bo --resume` of that folder makes it again";

/// The files of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of the program that wrote them.
    pub windhover: String,
    /// What makes the same files again, typed in the run's folder.
    pub command: String,
    /// The files by name.
    pub files: Vec<Listed>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// Its name in the folder.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// CRC-32 of its bytes, eight hexadecimal digits.
    pub crc32: String,
}

impl Listed {
    /// A file of these bytes.
    pub fn of(name: &str, bytes: &[u8]) -> Listed {
        Listed {
            name: name.to_owned(),
            bytes: bytes.len() as u64,
            crc32: checksum(bytes),
        }
    }

    /// How the file in `folder` differs from this, in words.
    fn difference(&self, folder: &Path) -> Option<String> {
        let bytes = match files::read(&folder.join(&self.name), files::MOST_RECORD) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Some(format!("{} is missing", self.name));
            }
            Err(error) => return Some(format!("{} cannot be read: {error}", self.name)),
        };
        self.difference_of(&bytes)
    }

    /// How a file of these bytes differs from this, in words.
    fn difference_of(&self, bytes: &[u8]) -> Option<String> {
        let found = Listed::of(&self.name, bytes);
        if found.bytes != self.bytes {
            let Listed { name, bytes, .. } = self;
            return Some(format!("{name} has {} bytes, not {bytes}", found.bytes));
        }
        (found.crc32 != self.crc32).then(|| {
            format!(
                "{} has CRC-32 {}, not {}",
                self.name, found.crc32, self.crc32
            )
        })
    }
}

impl Manifest {
    /// Of the files `names` in `folder`, and of `also`, which are not written yet.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn of(folder: &Path, names: &[&str], also: &[(&str, &str)]) -> Result<Manifest, Failure> {
        let listed = |name: &&str| {
            let path = folder.join(name);
            let bytes = files::read(&path, files::MOST_RECORD).map_err(FileError::read(&path))?;
            Ok(Listed::of(name, &bytes))
        };
        let mut files: Vec<Listed> = names.iter().map(listed).collect::<Result<_, FileError>>()?;
        files.extend(
            also.iter()
                .map(|(name, text)| Listed::of(name, text.as_bytes())),
        );
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Manifest {
            schema: SCHEMA.to_owned(),
            windhover: env!("CARGO_PKG_VERSION").to_owned(),
            command: "bo --config config.toml".to_owned(),
            files,
        })
    }

    /// Its text.
    ///
    /// # Errors
    /// One that cannot be represented.
    pub fn to_json(&self) -> Result<String, Failure> {
        let text = serde_json::to_string_pretty(self).map_err(Failure::encoding("manifest"))?;
        Ok(text + "\n")
    }

    /// The manifest in `folder`, where there is one: runs of older versions have none.
    ///
    /// # Errors
    /// A manifest that is not one that this program wrote.
    pub fn read(folder: &Path) -> Result<Option<Manifest>, Failure> {
        let path = folder.join(NAME);
        let damaged = |reason: String| Failure::damaged(&path, reason, REMEDY);
        let text = match files::read_text(&path, files::MOST_TEXT) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(damaged(error.to_string())),
        };
        let manifest: Manifest =
            serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if manifest.schema != SCHEMA {
            let reason = format!("it has the form {:?}, not {SCHEMA:?}", manifest.schema);
            return Err(damaged(reason));
        }
        // A name is read as a file of the folder, never as a way out of it.
        let stray = manifest.files.iter().find(|file| !legal(&file.name));
        match stray {
            Some(file) => {
                let reason = format!("it lists {:?}, which is not a file name", file.name);
                Err(damaged(reason))
            }
            None => Ok(Some(manifest)),
        }
    }

    /// Checks that the files in `folder` are those that were written.
    ///
    /// # Errors
    /// A line that names each that differs.
    pub fn check(&self, folder: &Path) -> Result<(), Failure> {
        let differences = self.files.iter().filter_map(|file| file.difference(folder));
        let differences: Vec<String> = differences.collect();
        if differences.is_empty() {
            return Ok(());
        }
        Err(self.altered(folder, &differences))
    }

    /// That files in `folder` are not those that were written.
    fn altered(&self, folder: &Path, differences: &[String]) -> Failure {
        let [altered, files] = [differences.len(), self.files.len()];
        Failure::data(format!(
            "{altered} of {files} files of {} are not what the run wrote: {}; `bo --resume {}` makes all but the journal again",
            folder.display(),
            differences.join(", "),
            word(folder)
        ))
    }
}

/// Whether the manifest in the folder of `path` lists a file of these `bytes` there; not where there is no
/// manifest, or where it does not list that name.
///
/// # Errors
/// A file that is not the one listed, and what is no manifest.
pub fn vouches(path: &Path, bytes: &[u8]) -> Result<bool, Failure> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let Some(manifest) = Manifest::read(folder)? else {
        return Ok(false);
    };
    let name = path.file_name().unwrap_or_default();
    let listed = manifest.files.iter().find(|file| *file.name == *name);
    match listed.map(|file| file.difference_of(bytes)) {
        None => Ok(false),
        Some(None) => Ok(true),
        Some(Some(_)) if name == GAINS => Err(Failure::data(format!(
            "{} is not what its run wrote; restore it with `bo --resume {}`, or copy it elsewhere and name that file",
            path.display(),
            word(folder)
        ))),
        Some(Some(difference)) => Err(manifest.altered(folder, &[difference])),
    }
}

/// Refuses gains in the folder of a run that are not what the run wrote: they are not those of its record.
///
/// # Errors
/// Those of [`vouches`], and a file that cannot be read.
pub fn check_gains(folder: &Path) -> Result<(), Failure> {
    let path = folder.join(GAINS);
    match files::read(&path, files::MOST_TEXT) {
        Ok(bytes) => vouches(&path, &bytes).map(|_| ()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(FileError::read(&path)(error).into()),
    }
}

fn legal(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    (1..=64).contains(&name.len()) && name.chars().all(plain) && name.starts_with(|c| c != '.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder() -> (temp_dir::TempDir, Manifest) {
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        fs::write(folder.path().join("b"), "123456789").expect("writable");
        let manifest = Manifest::of(folder.path(), &["b"], &[("a", "later")]).expect("readable");
        fs::write(folder.path().join("a"), "later").expect("writable");
        (folder, manifest)
    }

    #[test]
    fn files_stand_by_name_with_size_and_the_crc_that_others_compute() {
        let (folder, manifest) = folder();
        let names: Vec<&str> = manifest.files.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        // The check value of CRC-32 (IEEE 802.3) in the catalogue of parametrised CRCs.
        assert_eq!(manifest.files[1].crc32, "cbf43926");
        assert_eq!(manifest.files[1].bytes, 9);
        assert!(manifest.check(folder.path()).is_ok());
        fs::write(folder.path().join(NAME), manifest.to_json().expect("JSON")).expect("writable");
        assert_eq!(Manifest::read(folder.path()).expect("ours"), Some(manifest));
    }

    #[test]
    fn each_difference_is_named_with_its_numbers() {
        let (folder, manifest) = folder();
        fs::write(folder.path().join("b"), "123456780").expect("writable");
        fs::remove_file(folder.path().join("a")).expect("there");
        let message = || {
            let refused = manifest.check(folder.path());
            refused.expect_err("altered").to_string()
        };
        let here = folder.path().display();
        assert_eq!(
            message(),
            format!(
                "2 of 2 files of {here} are not what the run wrote: a is missing, \
                 b has CRC-32 b2288182, not cbf43926; `bo --resume {here}` makes all but the \
                 journal again"
            )
        );
        fs::write(folder.path().join("b"), "12").expect("writable");
        assert!(message().contains("b has 2 bytes, not 9;"), "{}", message());
    }

    #[test]
    fn a_file_is_vouched_for_where_it_is_listed_as_it_is() {
        let (folder, mut manifest) = folder();
        let path = |name: &str| folder.path().join(name);
        let vouched = |name: &str, bytes: &[u8]| vouches(&path(name), bytes);
        assert!(!vouched("b", b"123456789").expect("there is no manifest yet"));
        fs::write(path(NAME), manifest.to_json().expect("JSON")).expect("writable");
        assert!(vouched("b", b"123456789").expect("as listed"));
        assert!(!vouched("c", b"123456789").expect("not listed"));
        let message = vouched("b", b"123456780").expect_err("altered").to_string();
        assert!(message.starts_with("1 of 2 files of "), "{message}");
        manifest.schema = "windhover-manifest/2".to_owned();
        fs::write(path(NAME), manifest.to_json().expect("JSON")).expect("writable");
        let message = Manifest::read(folder.path())
            .expect_err("another form")
            .to_string();
        assert!(message.contains("windhover-manifest/2"), "{message}");
    }

    #[test]
    fn a_manifest_never_leads_out_of_its_folder() {
        let (folder, mut manifest) = folder();
        for name in ["../b", "/dev/zero", "", "..", "a/b"] {
            manifest.files[0].name = name.to_owned();
            let text = manifest.to_json().expect("JSON");
            fs::write(folder.path().join(NAME), text).expect("writable");
            let error = Manifest::read(folder.path()).expect_err("a stray name");
            assert_eq!(error.exit_code(), 65, "{error}");
        }
    }
}

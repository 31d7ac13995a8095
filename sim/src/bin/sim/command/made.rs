//! Made: what a command prints and writes, and how that came about.

use crate::failure::Failure;
use serde::Serialize;
use shell::folder::Folder;
use sim::Gains;
use std::path::PathBuf;

/// Claims the output folder, if one is asked for: it must not exist or be empty.
pub(super) fn claim(path: Option<&PathBuf>) -> Result<Option<Folder>, Failure> {
    Ok(path.map(|path| Folder::claim(path, &[])).transpose()?)
}

/// `value` as one line of JSON.
pub(super) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("numbers and names are always representable") + "\n"
}

/// What `--format json` prints: one object that names its form.
#[derive(Serialize)]
pub(super) struct Printed<T: Serialize> {
    pub(super) schema: &'static str,
    #[serde(flatten)]
    pub(super) result: T,
}

/// Writes into `folder` how what it holds was made: the version, the command as it was typed, the
/// gains that were flown, and `result`.
pub(super) fn write_made(
    folder: &Folder,
    gains: Option<&Gains>,
    result: &Printed<impl Serialize>,
) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Made<'a, T: Serialize> {
        schema: &'static str,
        windhover: &'static str,
        command: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        gains: Option<&'a Gains>,
        result: &'a Printed<T>,
    }
    let made = Made {
        schema: "windhover-made/1",
        windhover: env!("CARGO_PKG_VERSION"),
        // A path need not be text; what is not is shown as well as it can be.
        command: std::env::args_os()
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        gains,
        result,
    };
    folder.write("made.json", json(&made))?;
    Ok(())
}

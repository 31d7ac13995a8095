//! For tests only: a Python with other people's packages, against which some tests compare.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// A python that has packages of others, or nothing and a message: they are fetched only where asked
/// for, since that takes minutes and a network. `WINDHOVER_PYTHON` names one; with
/// `WINDHOVER_VENV=1` one is made.
///
/// `environment` is the folder of the virtual environment, `requirements` the file that lists its
/// packages.
pub fn with(environment: &Path, requirements: &Path) -> Option<PathBuf> {
    if let Some(python) = std::env::var_os("WINDHOVER_PYTHON") {
        return Some(python.into());
    }
    if std::env::var_os("WINDHOVER_VENV").is_none() {
        eprintln!("skipped: WINDHOVER_PYTHON names no python, WINDHOVER_VENV=1 would make one");
        return None;
    }
    // Two tests that make the same one at once would be in each other's way.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().ok()?;
    let output = Command::new("sh")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/venv.sh"))
        .args([environment, requirements])
        .output()
        .ok()?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        eprintln!("skipped, no python packages: {why}");
        return None;
    }
    Some(String::from_utf8(output.stdout).ok()?.trim_end().into())
}

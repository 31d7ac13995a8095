//! Other people's packages, against which some tests compare.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A python with the packages of others, or nothing and a message: they are fetched only where
/// asked for, since that takes minutes and a network.
///
/// `environment` names the virtual environment below the build folder, `requirements` the file of
/// this folder that lists its packages.
pub fn python(environment: &str, requirements: &str) -> Option<PathBuf> {
    if let Some(python) = std::env::var_os("WINDHOVER_PYTHON") {
        return Some(python.into());
    }
    if std::env::var_os("WINDHOVER_VENV").is_none() {
        eprintln!("skipped: WINDHOVER_PYTHON names no python, WINDHOVER_VENV=1 would make one");
        return None;
    }
    let others = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/others");
    let output = Command::new("sh")
        .arg(others.join("venv.sh"))
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join(environment))
        .arg(others.join(requirements))
        .output()
        .ok()?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr);
        eprintln!("skipped, no python packages: {why}");
        return None;
    }
    Some(String::from_utf8(output.stdout).ok()?.trim_end().into())
}

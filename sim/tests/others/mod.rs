//! Other people's packages, against which some tests compare.

use std::path::{Path, PathBuf};

/// A python with the packages that the file `requirements` of this folder lists, or nothing and a
/// message; `environment` names the virtual environment below the build folder.
pub fn python(environment: &str, requirements: &str) -> Option<PathBuf> {
    let others = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/others");
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(environment);
    checks::python::with(&made, &others.join(requirements))
}

//! Curves: the calibration of the methods of a table, one panel for each of its test sets.

use std::path::{Path, PathBuf};

use plots::{CalibrationPanel, CalibrationPicture};

use crate::calibration::{self, LEVELS};
use crate::error::Error;
use crate::tables::comparison::Row;
use crate::tables::methods::Method;

/// The methods that are drawn: those of the paper that follow the data, the honest reference and
/// ours. All are in the JSON copy.
const SHOWN: [&str; 6] = ["rf", "gp", "gp-rq", "dil-gp", "gp-ml2", "hierarchical"];

/// Draws one panel for each named set of rows and returns the paths of the files; none where no
/// method of any set has a curve.
pub fn draw(title: &str, sets: &[(&str, &[Row])], stem: &Path) -> Result<Vec<PathBuf>, Error> {
    let of = |rows: &[Row], key: &str| {
        let row = rows.iter().find(|row| row.key == key)?;
        row.calibration.clone()
    };
    let shares: Vec<Vec<Option<Vec<f64>>>> = sets
        .iter()
        .map(|(_, rows)| SHOWN.iter().map(|key| of(rows, key)).collect())
        .collect();
    if shares.iter().flatten().all(Option::is_none) {
        return Ok(Vec::new());
    }
    let panels: Vec<CalibrationPanel> = sets
        .iter()
        .zip(&shares)
        .map(|((label, _), shares)| CalibrationPanel { label, shares })
        .collect();
    let picture = CalibrationPicture {
        title,
        levels: &LEVELS,
        methods: &SHOWN.map(|key| Method::of(key).label),
        panels: &panels,
    };
    calibration::write(&picture, stem)
}

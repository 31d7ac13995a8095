//! Curves: the calibration of the methods of a table, one panel for each of its test sets.

use std::path::{Path, PathBuf};

use dilgp::Prediction;
use dilgp::validation::score::calibration;
use nalgebra::DVector;
use plots::{CalibrationPanel, CalibrationPicture, draw_calibration};
use shell::statistics::central_width;

use crate::error::Error;
use crate::tables::comparison::{LEVELS, Row};
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
    write(&picture, stem)
}

/// Share of `observed` inside the predicted central interval of each of [`LEVELS`].
pub fn shares(predicted: &Prediction, observed: &DVector<f64>) -> Option<Vec<f64>> {
    calibration(predicted, observed, &LEVELS.map(central_width))
}

/// Draws the curve of one fit.
pub fn draw_one(
    title: &str,
    label: &str,
    shares: Vec<f64>,
    stem: &Path,
) -> Result<Vec<PathBuf>, Error> {
    let picture = CalibrationPicture {
        title,
        levels: &LEVELS,
        methods: &[label],
        panels: &[CalibrationPanel {
            label: "",
            shares: &[Some(shares)],
        }],
    };
    write(&picture, stem)
}

fn write(picture: &CalibrationPicture, stem: &Path) -> Result<Vec<PathBuf>, Error> {
    let drawn = draw_calibration(picture, stem).map_err(|source| Error::drawing(stem, source))?;
    Ok(drawn.to_vec())
}

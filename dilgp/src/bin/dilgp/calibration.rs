//! Calibration: how often observations fall inside the central intervals that were predicted.

use std::path::{Path, PathBuf};

use dilgp::Prediction;
use dilgp::validation::score::calibration;
use nalgebra::DVector;
use plots::{CalibrationPanel, CalibrationPicture, draw_calibration};
use shell::statistics::central_width;

use crate::error::Error;

/// Central probabilities at which calibration is measured.
pub const LEVELS: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

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

/// Draws curves and returns the paths of the files.
pub fn write(picture: &CalibrationPicture, stem: &Path) -> Result<Vec<PathBuf>, Error> {
    let drawn = draw_calibration(picture, stem).map_err(|source| Error::drawing(stem, source))?;
    Ok(drawn.to_vec())
}

//! Pictures of a fit: for one input the curve with its band, for two inputs a map of the errors.
//! More inputs have no picture.

use std::path::{Path, PathBuf};

use dilgp::{Dataset, Prediction};
use nalgebra::DMatrix;
use plots::{
    CalibrationPanel, CalibrationPicture, ErrorMapPicture, FitPoint, Panel, PointSet,
    RegressionPicture,
};

use crate::fit::data::Data;
use crate::statistics::LEVELS;

/// Inputs at which a curve is drawn.
const CURVE_POINTS: usize = 400;

/// Writes `stem.svg` and `stem.png` and returns their paths; nothing for more than two inputs.
pub fn draw(
    title: &str,
    data: &Data,
    predicted: &Prediction,
    predict: impl Fn(&DMatrix<f64>) -> Prediction,
    stem: &Path,
) -> Result<Vec<PathBuf>, plots::Error> {
    let drawn = match data.train.dimensions() {
        1 => curve(title, data, predicted, predict, stem)?,
        2 => map(title, data, predicted, stem)?,
        _ => return Ok(Vec::new()),
    };
    Ok(drawn.to_vec())
}

/// Draws the calibration curve of a fit: the share of test observations within each of [`LEVELS`].
pub fn calibration(
    title: &str,
    surrogate: &str,
    shares: &[f64],
    stem: &Path,
) -> Result<Vec<PathBuf>, plots::Error> {
    let picture = CalibrationPicture {
        title,
        levels: &LEVELS,
        methods: &[surrogate],
        bar_name: "",
        panels: &[CalibrationPanel {
            label: "",
            shares: &[Some(shares.to_vec())],
            bars: &[],
        }],
    };
    Ok(plots::draw(&picture, stem)?.to_vec())
}

/// Pairs of the only input and the target.
pub fn pairs(data: &Dataset) -> Vec<[f64; 2]> {
    let rows = data.x().iter().zip(data.y().iter());
    rows.map(|(x, y)| [*x, *y]).collect()
}

/// The fit over the stretch of all `points`, and a little beyond.
pub fn fit_points(
    points: &[[f64; 2]],
    predict: impl Fn(&DMatrix<f64>) -> Prediction,
) -> Vec<FitPoint> {
    let inputs = points.iter().map(|p| p[0]);
    let low = inputs.clone().fold(f64::INFINITY, f64::min);
    let high = inputs.fold(f64::NEG_INFINITY, f64::max);
    let beyond = 0.03 * (high - low);
    let step = (high - low + 2.0 * beyond) / (CURVE_POINTS - 1) as f64;
    let x = DMatrix::from_fn(CURVE_POINTS, 1, |i, _| low - beyond + step * i as f64);
    let predicted = predict(&x);
    (0..CURVE_POINTS)
        .map(|i| FitPoint {
            x: x[i],
            mean: predicted.mean[i],
            half_width: predicted.observation_std.as_ref().map(|std| std[i]),
        })
        .collect()
}

fn curve(
    title: &str,
    data: &Data,
    predicted: &Prediction,
    predict: impl Fn(&DMatrix<f64>) -> Prediction,
    stem: &Path,
) -> Result<[PathBuf; 2], plots::Error> {
    let (train, test) = (pairs(&data.train), pairs(&data.test));
    let fit = fit_points(&[&train[..], &test].concat(), predict);
    let rest = test.iter().zip(&predicted.mean);
    let rest: Vec<[f64; 2]> = rest.map(|([x, y], mean)| [*x, y - mean]).collect();
    let picture = RegressionPicture {
        title,
        x_name: &data.names[0],
        y_name: &data.names[1],
        rest_name: "test − fit",
        panels: &[Panel {
            label: "",
            fit: &fit,
            rest: &rest,
        }],
        points: &[
            PointSet {
                label: "training point",
                at: &train,
            },
            PointSet {
                label: "test point",
                at: &test,
            },
        ],
        truth: &[],
    };
    plots::draw(&picture, stem)
}

fn map(
    title: &str,
    data: &Data,
    predicted: &Prediction,
    stem: &Path,
) -> Result<[PathBuf; 2], plots::Error> {
    let inputs = |data: &Dataset| -> Vec<[f64; 2]> {
        data.x().row_iter().map(|row| [row[0], row[1]]).collect()
    };
    let error = &predicted.mean - data.test.y();
    let name = format!("|error| of {}", data.names[2]);
    let picture = ErrorMapPicture {
        title,
        names: [&data.names[0], &data.names[1]],
        error_name: &name,
        train: &inputs(&data.train),
        test: &inputs(&data.test),
        error: error.as_slice(),
    };
    plots::draw(&picture, stem)
}

//! Regression: fits of one variable side by side, each with its band, the points it was fitted
//! to and tested on, and what is left of them underneath.

mod page;

use std::path::{Path, PathBuf};

use crate::error::{Error, LARGEST_M, count};
use crate::files;

/// Fits of the same data, each in a panel of its own on common axes.
#[derive(Debug, Clone, Copy)]
pub struct RegressionPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Name of the input, with its unit.
    pub x_name: &'a str,
    /// Name of the output, with its unit.
    pub y_name: &'a str,
    /// What the strip under each panel shows.
    pub rest_name: &'a str,
    /// The fits, 1 to 8.
    pub panels: &'a [Panel<'a>],
    /// Points shown in every panel, each set with its own colour.
    pub points: &'a [PointSet<'a>],
    /// The response without noise, in pieces: each a line through its points; may be empty.
    pub truth: &'a [Vec<[f64; 2]>],
}

/// One fit.
#[derive(Debug, Clone, Copy)]
pub struct Panel<'a> {
    /// Printed above the panel.
    pub label: &'a str,
    /// The fit at ascending inputs.
    pub fit: &'a [FitPoint],
    /// Inputs and what the fit leaves of the observations there.
    pub rest: &'a [[f64; 2]],
}

/// The fit at one input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitPoint {
    /// The input.
    pub x: f64,
    /// The predicted mean.
    pub mean: f64,
    /// Half the height of the band; none without uncertainty.
    pub half_width: Option<f64>,
}

/// A set of observations.
#[derive(Debug, Clone, Copy)]
pub struct PointSet<'a> {
    /// Name in the legend.
    pub label: &'a str,
    /// Inputs and observations.
    pub at: &'a [[f64; 2]],
}

/// Most panels on a page.
const MOST_PANELS: usize = 8;

/// Draws and writes `stem.svg` and `stem.png`; returns both paths, in that order. The folder of
/// `stem` must exist. The same picture gives the same bytes.
///
/// # Errors
/// No panel or more than 8, no observations, a number that is not finite or too large, or a file
/// that cannot be written.
pub fn draw_regression(picture: &RegressionPicture, stem: &Path) -> Result<[PathBuf; 2], Error> {
    check(picture)?;
    files::write(&page::sheet(picture), stem)
}

fn check(picture: &RegressionPicture) -> Result<(), Error> {
    count("panels", picture.panels.len(), MOST_PANELS)?;
    let observations = picture.points.iter().flat_map(|set| set.at);
    if observations.clone().next().is_none() {
        return Err(Error::NoSeries);
    }
    let fits = picture.panels.iter().flat_map(|panel| panel.fit);
    let numbers = observations
        .chain(picture.truth.iter().flatten())
        .chain(picture.panels.iter().flat_map(|panel| panel.rest))
        .flatten()
        .copied()
        .chain(fits.flat_map(|p| [p.x, p.mean, p.half_width.unwrap_or(0.0)]));
    for value in numbers {
        number(value)?;
    }
    Ok(())
}

/// Refuses a number that cannot be placed on an axis.
pub(crate) fn number(value: f64) -> Result<(), Error> {
    if value.is_finite() && value.abs() <= LARGEST_M {
        return Ok(());
    }
    Err(Error::NumberUnfit {
        value,
        limit: LARGEST_M,
    })
}

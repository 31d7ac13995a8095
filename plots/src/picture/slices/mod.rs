//! Slices: what a surrogate predicts over each parameter, and where the acquisition sends the
//! next evaluation: the illustration of Bayesian optimisation.
//!
//! A row is a moment of the search, a column a parameter. All other parameters keep their values
//! at one point, which a dashed line marks. The mean and its band stand above, the acquisition below; all acquisitions of
//! a row have one scale, from their least to their largest. Observations lie off the slice, so a
//! weight says how near, and the far ones are faint. A lost evaluation has no value: its cross stands at the
//! upper edge.

mod page;
mod panel;

use crate::axes::Scale;
use crate::error::{Error, FINITE, PROBABILITY, count, refused, same_length, within};
use crate::page::sheet::{Page, Sheet};
use crate::picture::Picture;

/// Most parameters of a picture of slices.
pub const MOST_PARAMETERS: usize = 6;
/// Most moments of a search in a picture of slices.
pub const MOST_MOMENTS: usize = 6;

/// A surrogate at some moments of a search, in slices through one point.
#[derive(Debug, Clone, Copy)]
pub struct SlicesPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Name of the objective with its unit, such as "ACE \[m\]".
    pub y_name: &'a str,
    /// How the axis of the objective is divided; [`Scale::Automatic`] goes by the observations.
    pub y_scale: Scale,
    /// What the band shows, such as "± 2 standard deviations".
    pub band_name: &'a str,
    /// What the slices of a moment go through, such as "incumbent".
    pub through: &'a str,
    /// Name of the acquisition, such as "expected improvement"; large is promising. Without one it is not drawn.
    pub acquisition_name: Option<&'a str>,
    /// The parameters, from the left: 1 to [`MOST_PARAMETERS`].
    pub parameters: &'a [SliceParameter<'a>],
    /// The moments, from the top: 1 to [`MOST_MOMENTS`].
    pub moments: &'a [Moment<'a>],
}

/// One parameter.
#[derive(Debug, Clone, Copy)]
pub struct SliceParameter<'a> {
    /// Its name with its unit, below its column.
    pub label: &'a str,
    /// Whether its axis is logarithmic; all its values are then positive.
    pub logarithmic: bool,
}

/// One moment of the search.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// Printed above its row, such as "after 40 flights".
    pub label: &'a str,
    /// One slice for each parameter.
    pub slices: &'a [Slice<'a>],
}

/// The surrogate along one parameter.
#[derive(Debug, Clone, Copy)]
pub struct Slice<'a> {
    /// The surrogate at ascending values of the parameter, at least two.
    pub points: &'a [SlicePoint],
    /// The value of the parameter at the point that the slices go through.
    pub at: f64,
    /// What was observed so far.
    pub observations: &'a [SliceObservation],
}

/// The surrogate at one value of the parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlicePoint {
    /// The value of the parameter.
    pub x: f64,
    /// The predicted mean, in the unit of the objective.
    pub mean: f64,
    /// Lower end of the band.
    pub low: f64,
    /// Upper end of the band, not below the lower.
    pub high: f64,
    /// The acquisition, in any unit.
    pub acquisition: f64,
}

/// One observation, seen from a slice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SliceObservation {
    /// The value of the parameter.
    pub x: f64,
    /// What was observed; none where the evaluation was lost.
    pub y: Option<f64>,
    /// How near the observation is to the slice: from 0 (far, not drawn) to 1 (on it).
    pub weight: f64,
}

impl Picture for SlicesPicture<'_> {
    /// No parameters, moments or more than fit; not one slice for each parameter; a slice of fewer than
    /// two points, of points that do not ascend or with a band that ends before it begins; a weight
    /// outside 0 to 1; a value that is not positive on a logarithmic axis (means and bands excepted, which
    /// end at the edge), or a number that is not finite or too large.
    fn check(&self) -> Result<(), Error> {
        let parameters = self.parameters.len();
        count("parameters", parameters, MOST_PARAMETERS)?;
        count("moments", self.moments.len(), MOST_MOMENTS)?;
        for (row, moment) in self.moments.iter().enumerate() {
            let given = moment.slices.len();
            same_length("list of slices", given, "parameters", parameters)?;
            for (column, slice) in moment.slices.iter().enumerate() {
                let logarithmic = self.parameters[column].logarithmic;
                check_slice(slice, logarithmic).map_err(|error| error.in_panel(row, column))?;
            }
        }
        let least = page::observed(self).fold(f64::INFINITY, f64::min);
        if self.y_scale == Scale::Logarithmic && least <= 0.0 {
            refused(
                "list of observations",
                0,
                least,
                "positive on a logarithmic axis",
            )?;
        }
        Ok(())
    }

    fn sheet(&self, page: Page) -> Sheet {
        page::sheet(page, self)
    }
}

fn check_slice(slice: &Slice, logarithmic: bool) -> Result<(), Error> {
    check_points(slice.points)?;
    let observations = slice.observations.iter();
    let seen = observations
        .clone()
        .flat_map(|one| [one.x, one.y.unwrap_or(0.0)]);
    within("observation", seen, FINITE)?;
    within("weight", observations.map(|one| one.weight), PROBABILITY)?;
    within("point of the slices", [slice.at], FINITE)?;
    let inputs = slice.observations.iter().map(|observation| observation.x);
    let mut inputs = inputs.chain([slice.points[0].x, slice.at]);
    match inputs.find(|&x| logarithmic && x <= 0.0) {
        Some(x) => refused("parameter", 0, x, "positive on a logarithmic axis"),
        None => Ok(()),
    }
}

fn check_points(points: &[SlicePoint]) -> Result<(), Error> {
    if points.len() < 2 {
        let given = points.len() as f64;
        return refused("number of points", 0, given, "at least 2");
    }
    for (index, point) in points.iter().enumerate() {
        let SlicePoint {
            x,
            mean,
            low,
            high,
            acquisition,
        } = *point;
        within("surrogate", [x, mean, low, high, acquisition], FINITE)?;
        if index > 0 && x <= points[index - 1].x {
            return refused("parameter", index, x, "more than the one before");
        }
        if low > high {
            let expected = "no less than the lower end";
            return refused("upper end of the band", index, high, expected);
        }
    }
    Ok(())
}

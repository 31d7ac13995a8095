//! One flight in three dimensions: where the vehicle should have been, and where it was.
//!
//! The path is coloured by its distance from the reference. A path that goes far beyond the
//! reference is shown up to a frame, so that the rest can still be read, and a note says where
//! it went. The shadow is the path seen from above, on the floor of the frame; the floor is not
//! the ground.

mod page;

use crate::error::{Curve, Error, LARGEST_M, same_length};
use crate::files;
use std::path::{Path, PathBuf};

/// One flight: the reference and the path flown, in one inertial frame with z up.
#[derive(Debug, Clone, Copy)]
pub struct FlightPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Points of the reference, in order \[m\].
    pub reference_m: &'a [[f64; 3]],
    /// Points of the path flown, in order \[m\].
    pub path_m: &'a [[f64; 3]],
    /// Distance from the reference at each point of the path \[m\]; as many as path points.
    pub error_m: &'a [f64],
    /// How the flight ended.
    pub end: FlightEnd,
}

/// How the flight ended, which decides the mark at the last point of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlightEnd {
    /// The whole reference was flown.
    Completed,
    /// The vehicle was lost at the last point of the path.
    Lost,
}

/// Draws the flight and writes `stem.svg` and `stem.png`; returns both paths, in that order. The
/// folder of `stem` must exist. The same picture gives the same bytes.
///
/// # Errors
/// A curve without points, a number of errors other than of path points, a coordinate that is
/// not finite or too large, an error that is not a distance, or a file that cannot be written.
pub fn draw_flight(picture: &FlightPicture, stem: &Path) -> Result<[PathBuf; 2], Error> {
    check(picture)?;
    files::write(&page::sheet(picture), stem)
}

pub(crate) fn check(picture: &FlightPicture) -> Result<(), Error> {
    let curves = [
        (Curve::Reference, picture.reference_m),
        (Curve::Path, picture.path_m),
    ];
    for (curve, points) in curves {
        if points.is_empty() {
            return Err(Error::NoPoints { curve });
        }
        for (index, &at_m) in points.iter().enumerate() {
            if at_m.iter().any(|coordinate| !coordinate.is_finite()) {
                return Err(Error::PointNotFinite { curve, index, at_m });
            }
            if let Some(&value_m) = at_m.iter().find(|coordinate| coordinate.abs() > LARGEST_M) {
                return Err(Error::TooLarge {
                    value_m,
                    limit_m: LARGEST_M,
                });
            }
        }
    }
    let (points, errors) = (picture.path_m.len(), picture.error_m.len());
    same_length("list of errors", errors, "points of the flown path", points)?;
    match picture
        .error_m
        .iter()
        .position(|error| !(error.is_finite() && *error >= 0.0))
    {
        Some(index) => Err(Error::NotADistance {
            index,
            error_m: picture.error_m[index],
        }),
        None => Ok(()),
    }
}

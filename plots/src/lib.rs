//! Plain numbers in, pictures out.
//!
//! Each function takes a picture, which borrows its numbers, and the stem of a file name, and
//! writes `stem.svg` and `stem.png`: the same drawing, once as lines and text, once as
//! 1500 by 1000 pixels at 200 dots per inch; a grid of panels is as high as its rows need. Nothing of
//! the machine is used, neither a font nor a drawing library, and the same numbers give the same
//! bytes.
//!
//! A picture is composed as a sheet, a list of marks on a page; the palette and all sizes
//! are in `style`, plotters is in `ink`, ab_glyph in `letters` and png in `files`. Colours are told
//! apart by the colour-blind, and every text can be read with the page at half size.

mod axes;
mod best_so_far;
mod cage;
mod calibration;
mod colour_bar;
mod colour_scale;
mod convergence;
mod decimate;
mod distribution;
mod domains;
mod error;
mod error_map;
mod files;
mod flight;
mod flight_grid;
mod flight_log;
mod ink;
mod intervals;
mod legend;
#[cfg(test)]
mod legible;
mod letters;
mod panel;
mod regression;
mod regret;
mod sheet;
mod slices;
mod spectra;
mod style;
mod ticks;
mod view;

pub use calibration::{
    CalibrationPanel, CalibrationPicture, MOST_CALIBRATION_PANELS, draw_calibration,
};
pub use convergence::{
    Band, ConvergencePicture, Run, Scale, Series, draw_convergence, draw_convergence_on,
};
pub use distribution::{ConfidenceBand, Distribution, draw_distribution};
pub use domains::{DomainsPicture, Method, draw_domains};
pub use error::{Curve, Error, LARGEST_M};
pub use error_map::{ErrorMapPicture, draw_error_map};
pub use flight::{FlightEnd, FlightPicture, draw_flight};
pub use flight_grid::{
    FlightGridPicture, FlightResult, GridColumn, GridFlight, MOST_GRID_COLUMNS, MOST_GRID_ROWS,
    draw_flight_grid,
};
pub use flight_log::{FlightLog, draw_flight_log};
pub use intervals::{
    Estimate, IntervalPanel, IntervalsPicture, MOST_INTERVAL_COLUMNS, MOST_INTERVAL_ROWS,
    MOST_METHODS, MOST_REFERENCES, draw_intervals,
};
pub use regression::{FitPoint, Panel, PointSet, RegressionPicture, draw_regression};
pub use regret::{RegretCurve, RegretPicture, draw_regret};
pub use slices::{
    MOST_MOMENTS, MOST_PARAMETERS, Moment, Slice, SliceObservation, SliceParameter, SlicePoint,
    SlicesPicture, draw_slices,
};
pub use spectra::{MOST_AXES, Spectra, SpectrumAxis, draw_spectra};

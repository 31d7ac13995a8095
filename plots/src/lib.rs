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
mod error;
mod files;
mod page;
mod palette;
mod picture;
mod scene;

pub use axes::Scale;
pub use error::{Error, LARGEST_M};
pub use palette::{css_dark_marks, css_dark_palette, css_palette};
pub use picture::amplitudes::{AmplitudeCurve, AmplitudesPicture, svg_amplitudes};
pub use picture::bounds::{BoundsPicture, svg_bounds};
pub use picture::calibration::{
    CalibrationPanel, CalibrationPicture, MOST_CALIBRATION_PANELS, draw_calibration,
    svg_calibration,
};
pub use picture::convergence::{
    Band, ConvergencePicture, Run, Series, draw_convergence, draw_convergence_on, svg_convergence,
};
pub use picture::distribution::{ConfidenceBand, Distribution, draw_distribution};
pub use picture::domains::{DomainsPicture, Method, draw_domains};
pub use picture::error_map::{ErrorMapPicture, draw_error_map};
pub use picture::flight::{FlightEnd, FlightPicture, draw_flight};
pub use picture::flight_grid::{
    FlightGridPicture, FlightResult, GridColumn, GridFlight, MOST_GRID_COLUMNS, MOST_GRID_ROWS,
    draw_flight_grid, svg_flight_grid,
};
pub use picture::flight_log::{FlightLog, draw_flight_log};
pub use picture::intervals::{
    Estimate, IntervalPanel, IntervalsPicture, MOST_INTERVAL_COLUMNS, MOST_INTERVAL_ROWS,
    MOST_METHODS, MOST_REFERENCES, draw_intervals, svg_intervals,
};
pub use picture::open_loops::{
    MOST_LOOPS, OpenLoop, OpenLoopPoint, OpenLoopsPicture, draw_open_loops,
};
pub use picture::pairs::{Pair, PairsPicture, svg_pairs};
pub use picture::regression::{FitPoint, Panel, PointSet, RegressionPicture, draw_regression};
pub use picture::regret::{RegretCurve, RegretPicture, draw_regret};
pub use picture::slices::{
    MOST_MOMENTS, MOST_PARAMETERS, Moment, Slice, SliceObservation, SliceParameter, SlicePoint,
    SlicesPicture, draw_slices, svg_slices,
};
pub use picture::spectra::{MOST_AXES, Spectra, SpectrumAxis, draw_spectra};
pub use picture::wind_record::{WindRecordPicture, draw_wind_record};

//! Plain numbers in, pictures out.
//!
//! [`draw`] takes a picture, which borrows its numbers, and the stem of a file name, and
//! writes `stem.svg` and `stem.png`: the same drawing, once as lines and text, once as
//! 1500 by 1000 pixels at 200 dots per inch; a grid of panels is as high as its rows need. Nothing of
//! the machine is used, neither a font nor a drawing library, and the same numbers give the same
//! bytes.
//!
//! [`print`] writes the same drawing as large as a column of a document asks for, and `stem.pdf` beside it.
//!
//! A picture is composed as a sheet, a list of marks on a page; the palette and all sizes
//! are in `style`, plotters is in `ink`, ab_glyph in `letters`, pdf-writer in `pdf` and png in `files`. Colours are
//! distinguishable by the colour-blind, and every text can be read with the page at half size.

mod axes;
pub mod document;
mod error;
mod files;
mod page;
mod palette;
mod picture;
mod scene;

pub use axes::Scale;
pub use error::{Error, LARGEST_M};
pub use picture::bounds::BoundsPicture;
pub use picture::calibration::{CalibrationPanel, CalibrationPicture, MOST_CALIBRATION_PANELS};
pub use picture::convergence::{Band, ConvergencePicture, Run, Series};
pub use picture::curves::{CurveKind, CurvesPicture, MarkedCurve};
pub use picture::distribution::{ConfidenceBand, Distribution};
pub use picture::domains::{DomainsPicture, Method};
pub use picture::error_map::ErrorMapPicture;
pub use picture::flight::{FlightEnd, FlightPicture};
pub use picture::flight_grid::{
    FlightGridPicture, FlightResult, GridColumn, GridFlight, MOST_GRID_COLUMNS, MOST_GRID_ROWS,
};
pub use picture::flight_log::FlightLog;
pub use picture::intervals::{
    Estimate, IntervalPanel, IntervalsPicture, MOST_INTERVAL_COLUMNS, MOST_INTERVAL_ROWS,
    MOST_METHODS, MOST_REFERENCES,
};
pub use picture::open_loops::{MOST_LOOPS, OpenLoop, OpenLoopPoint, OpenLoopsPicture};
pub use picture::pairs::{Pair, PairsPicture};
pub use picture::regression::{FitPoint, Panel, PointSet, RegressionPicture};
pub use picture::regret::{RegretCurve, RegretPicture};
pub use picture::slices::{
    MOST_MOMENTS, MOST_PARAMETERS, Moment, Slice, SliceObservation, SliceParameter, SlicePoint,
    SlicesPicture,
};
pub use picture::spectra::{MOST_AXES, Spectra, SpectrumAxis};
pub use picture::trade_off::TradeOffPicture;
pub use picture::wind_record::WindRecordPicture;
pub use picture::{Picture, Print, draw, print, svg};

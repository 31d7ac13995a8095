//! Many flights side by side: a row for each method, a column for each trajectory. With one trajectory
//! its rows stand side by side, so that the page is not a narrow strip.
//!
//! The flights of a column share their reference and the part of space that is shown. All paths
//! take their colours, by distance from the reference, from one scale, which the flights that were
//! completed set: a vehicle that is lost goes far, and would make all others look alike.

mod cell;
mod page;

use crate::error::{Error, NOT_NEGATIVE, count, same_length, within};
use crate::page::sheet::{Page, Sheet};
use crate::picture::Picture;
use crate::picture::flight;

/// Most columns of a grid of flights.
pub const MOST_GRID_COLUMNS: usize = 4;
/// Most rows of a grid of flights.
pub const MOST_GRID_ROWS: usize = 16;

/// Flights by method and trajectory.
#[derive(Debug, Clone, Copy)]
pub struct FlightGridPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Names of the rows, from the top: 1 to [`MOST_GRID_ROWS`].
    pub rows: &'a [&'a str],
    /// The columns, from the left: 1 to [`MOST_GRID_COLUMNS`].
    pub columns: &'a [GridColumn<'a>],
    /// One flight for each row and column, row by row; none where there was no flight.
    pub flights: &'a [Option<GridFlight<'a>>],
}

/// One trajectory.
#[derive(Debug, Clone, Copy)]
pub struct GridColumn<'a> {
    /// Its name.
    pub label: &'a str,
    /// Points of the reference, in order, z up \[m\].
    pub reference_m: &'a [[f64; 3]],
}

/// One flight.
#[derive(Debug, Clone, Copy)]
pub struct GridFlight<'a> {
    /// Points of the path flown, in order \[m\]; thinned to what can be seen.
    pub path_m: &'a [[f64; 3]],
    /// Distance from the reference at each point of the path \[m\]; as many as path points.
    pub error_m: &'a [f64],
    /// The outcome, printed above it.
    pub result: FlightResult,
}

/// The outcome of a flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FlightResult {
    /// The whole reference was flown, with this average control error \[m\].
    Completed {
        /// The average control error \[m\].
        ace_m: f64,
    },
    /// The vehicle was lost at the last point of the path.
    Lost {
        /// When \[s\].
        at_s: f64,
    },
}

impl Picture for FlightGridPicture<'_> {
    /// No rows, columns or more than fit; not one entry for each row and column; a curve without points,
    /// a number of errors other than of path points, a coordinate that is not finite or too large, an
    /// error or an average of them that is not a distance, or a time that is negative or not finite.
    /// What is wrong with one flight is the source of an error that says where it stands.
    fn check(&self) -> Result<(), Error> {
        count("rows", self.rows.len(), MOST_GRID_ROWS)?;
        count("columns", self.columns.len(), MOST_GRID_COLUMNS)?;
        let columns = self.columns.len();
        let (given, wanted) = (self.flights.len(), columns * self.rows.len());
        same_length("list of flights", given, "rows times columns", wanted)?;
        for (index, column) in self.columns.iter().enumerate() {
            // A flight that repeats its reference has nothing wrong but what the reference has.
            let reference = column.reference_m;
            let exact = flight::check(reference, reference, &vec![0.0; reference.len()]);
            exact.map_err(|error| error.in_panel(0, index))?;
        }
        for (index, flight) in self.flights.iter().enumerate() {
            let (row, column) = (index / columns, index % columns);
            if let Some(flight) = flight {
                check_flight(&self.columns[column], flight)
                    .map_err(|error| error.in_panel(row, column))?;
            }
        }
        Ok(())
    }

    fn sheet(&self, page: Page) -> Sheet {
        page::sheet(page, self)
    }
}

fn check_flight(column: &GridColumn, flight: &GridFlight) -> Result<(), Error> {
    flight::check(column.reference_m, flight.path_m, flight.error_m)?;
    let (quantity, value) = match flight.result {
        FlightResult::Completed { ace_m } => ("average control error", ace_m),
        FlightResult::Lost { at_s } => ("time of the loss", at_s),
    };
    within(quantity, [value], NOT_NEGATIVE)
}

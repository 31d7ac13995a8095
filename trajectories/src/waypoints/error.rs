//! What can be wrong with waypoints: said with the place, the column and what was expected.

use super::{FARTHEST_M, LARGEST_YAW_RAD, LATEST_S, LEAST_INTERVAL_S, MOST_POINTS};
use std::fmt::{Display, Formatter, Result};

/// Why no flight leads through the points given.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WaypointError {
    /// There is nothing to fly through.
    #[error("there are no waypoints: expected at least 2 lines of t,x,y,z[,yaw] in s, m, rad")]
    NoPoints,
    /// One point is no flight.
    #[error("line {line} holds the only waypoint: expected at least 2")]
    OnePoint {
        /// Line of the file, from 1.
        line: usize,
    },
    /// More than [`MOST_POINTS`].
    #[error("there are too many waypoints: expected at most {MOST_POINTS}")]
    TooManyPoints,
    /// The first line names other columns.
    #[error("line {line}: the header is `{found}`: expected t,x,y,z or t,x,y,z,yaw")]
    Header {
        /// Line of the file, from 1.
        line: usize,
        /// The header, at most 60 letters of it.
        found: String,
    },
    /// A line has a wrong number of cells.
    #[error("line {line} has {found} columns: expected {expected}")]
    Columns {
        /// Line of the file, from 1.
        line: usize,
        /// Cells on it.
        found: usize,
        /// What it should have.
        expected: &'static str,
    },
    /// Something else than commas parts the cells of a line.
    #[error(
        "line {line} has {found} between its numbers: expected commas, {expected}, and points for decimals"
    )]
    Separator {
        /// Line of the file, from 1.
        line: usize,
        /// What parts them.
        found: &'static str,
        /// What it should have.
        expected: &'static str,
    },
    /// A cell does not hold a number.
    #[error("line {line}, column {column}: `{found}` is not a number: expected {}", column.meaning())]
    NotANumber {
        /// Line of the file, from 1.
        line: usize,
        /// The column.
        column: Column,
        /// The cell, at most 60 letters of it.
        found: String,
    },
    /// A number is NaN or beyond the limits of its column.
    #[error(
        "line {line}, column {column}: {value} is out of range: expected {} from {} to {}",
        column.meaning(), column.range().0, column.range().1
    )]
    OutOfRange {
        /// Line of the file, from 1.
        line: usize,
        /// The column.
        column: Column,
        /// The number.
        value: f64,
    },
    /// A point is not later than the one before it.
    #[error(
        "line {line}, column t: {t_s} s follows {before_s} s: expected ascending times at least {LEAST_INTERVAL_S} s apart"
    )]
    NotLater {
        /// Line of the file, from 1.
        line: usize,
        /// Its time [s].
        t_s: f64,
        /// The time of the point before it [s].
        before_s: f64,
    },
    /// The smoothest curve leaves the region of its points by far.
    #[error(
        "on the way to line {line} the smoothest curve swings out to {reach_m:.1e} m: expected times that suit the distances"
    )]
    SwingsOut {
        /// Line of the point at the end of that stretch, from 1.
        line: usize,
        /// Distance from the start [m].
        reach_m: f64,
    },
}

/// One number of a waypoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Time [s].
    T,
    /// Position along world x [m].
    X,
    /// Position along world y [m].
    Y,
    /// Position along world z, up [m].
    Z,
    /// Heading [rad].
    Yaw,
}

impl Column {
    /// Every column, in the order of the file.
    pub const ALL: [Column; 5] = [Column::T, Column::X, Column::Y, Column::Z, Column::Yaw];

    /// What a cell of it holds.
    pub fn meaning(self) -> &'static str {
        match self {
            Column::T => "a time in s",
            Column::X | Column::Y | Column::Z => "a coordinate in m",
            Column::Yaw => "an angle in rad",
        }
    }

    /// The least and the largest number that it may hold.
    pub fn range(self) -> (f64, f64) {
        match self {
            Column::T => (0.0, LATEST_S),
            Column::X | Column::Y | Column::Z => (-FARTHEST_M, FARTHEST_M),
            Column::Yaw => (-LARGEST_YAW_RAD, LARGEST_YAW_RAD),
        }
    }
}

impl Display for Column {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Column::T => "t",
            Column::X => "x",
            Column::Y => "y",
            Column::Z => "z",
            Column::Yaw => "yaw",
        })
    }
}

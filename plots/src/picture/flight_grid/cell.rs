//! The cells of a grid of flights: where they stand, the part of space that all cells of a column
//! show, and one flight in its cell, its path in the colours of its errors.

use super::{FlightGridPicture, FlightResult, GridFlight};
use crate::axes::colour_scale::colour_at;
use crate::axes::symbols::Symbol;
use crate::axes::ticks::{Ticks, every, round_step};
use crate::page::letters::{self, wrap};
use crate::page::sheet::{Place, Sheet};
use crate::page::style::{BLACK, GAP, LABEL_SIZE, LEADING, MARGIN, NAME_SIZE};
use crate::scene::track::Track;
use crate::scene::{Point, Space, View};

/// Shades that are distinguished on a path.
const SHADES: f64 = 32.0;

/// Width of a path and of the reference over it \[px\].
pub const PATH_WIDTH: f64 = 5.0;
pub const REFERENCE_WIDTH: f64 = 1.5;
/// Least height of a cell \[px\], and its greatest width as a multiple of its height.
const LEAST_HEIGHT: f64 = 214.0;
const WIDEST: f64 = 1.7;
/// Widest column for the names of the rows, and room for the colour bar \[px\].
const WIDEST_NAME: f64 = 230.0;
pub const BAR_ROOM: f64 = 165.0;
/// Space between cells \[px\].
pub const BETWEEN: f64 = 12.0;
/// Height of the result above a flight \[px\].
pub const RESULT: f64 = 1.3 * LABEL_SIZE;

/// Cells side by side where there is one trajectory: its rows stand side by side.
const ABREAST: usize = 4;
/// A column shows what lies at most this far from its reference, in longest sides of it and in metres.
const REACH: [f64; 2] = [0.25, 0.5];
/// Least distance of grid lines \[px\].
const LEAST_GRID: f64 = 20.0;

/// Which marks a flight got.
#[derive(Default)]
pub struct Marks {
    /// That of a loss inside the frame.
    pub lost: bool,
    /// That of a path that leaves it.
    pub leaves: bool,
}

/// Draws the path of a flight in the colours of a scale up to `scale_m`, in pieces of at least `piece` px,
/// and over it the reference; returns its marks.
pub fn draw(
    sheet: &mut Sheet,
    track: &Track,
    reference: &[Point],
    flight: Option<&GridFlight>,
    [scale_m, piece]: [f64; 2],
) -> Marks {
    if let Some(GridFlight {
        path_m, error_m, ..
    }) = flight
    {
        let shade = |error_m: f64| (SHADES * error_m / scale_m).round().min(SHADES);
        for (shade, points) in track.pieces(path_m, error_m, piece, shade, |point| point) {
            sheet.line(points, PATH_WIDTH, colour_at(shade / SHADES));
        }
    }
    track.reference(sheet, reference, REFERENCE_WIDTH, 4.0);
    flight.map_or_else(Marks::default, |flight| marks(sheet, track, flight))
}

/// Marks where the path leaves the frame, and where in it the vehicle was lost.
fn marks(sheet: &mut Sheet, track: &Track, flight: &GridFlight) -> Marks {
    let leaves = track.exits(sheet, flight.path_m, Symbol::SmallExit);
    let last = flight.path_m[flight.path_m.len() - 1];
    let is_lost = matches!(flight.result, FlightResult::Lost { .. });
    let lost = is_lost && track.space.holds(last);
    if lost {
        Symbol::SmallLoss.draw(sheet, track.view.place(last), BLACK);
    }
    Marks { lost, leaves }
}

/// Where the cells are.
pub struct Layout {
    /// Left edge of the first column.
    pub left: f64,
    /// Upper edge of the first row.
    pub top: f64,
    /// Width and height of a cell.
    pub cell: [f64; 2],
    /// Cells side by side.
    pub abreast: usize,
    /// Lines of cells.
    pub lines: usize,
    /// Whether the rows of one trajectory stand side by side, with their names above them.
    pub wrapped: bool,
}

impl Layout {
    /// The layout of a picture whose title ends at `top`.
    pub fn of(sheet: &Sheet, picture: &FlightGridPicture, top: f64, legend_height: f64) -> Self {
        let rows = picture.rows.len();
        let wrapped = picture.columns.len() == 1 && rows > 1;
        let (abreast, lines) = if wrapped {
            let abreast = rows.min(ABREAST);
            (abreast, rows.div_ceil(abreast))
        } else {
            (picture.columns.len(), rows)
        };
        let names = if wrapped { 0.0 } else { names_width(picture) };
        let left = MARGIN + names + GAP;
        let right = sheet.right() - BAR_ROOM;
        let width = (right - left) / abreast as f64;
        let top = top + LEADING * (NAME_SIZE + LABEL_SIZE) + GAP;
        let room = sheet.bottom() - legend_height - GAP - top;
        let height = if wrapped {
            0.8 * width + RESULT
        } else {
            (room / lines as f64).min(0.8 * width).max(LEAST_HEIGHT)
        };
        let width = width.min(WIDEST * height);
        // Where few columns leave room, the grid stands in the middle of it.
        let spare = right - left - width * abreast as f64;
        Self {
            left: left + 0.5 * spare,
            top,
            cell: [width, height],
            abreast,
            lines,
            wrapped,
        }
    }

    /// The two opposite corners of the view of a flight, under its result.
    pub fn view_corners(&self, row: usize, column: usize) -> [Place; 2] {
        let [width, height] = self.cell;
        let (row, column, name) = if self.wrapped {
            (row / self.abreast, row % self.abreast, RESULT)
        } else {
            (row, column, 0.0)
        };
        let left = self.left + column as f64 * width;
        let top = self.top + row as f64 * height;
        [
            [left + BETWEEN, top + name + RESULT],
            [left + width - BETWEEN, top + height - BETWEEN],
        ]
    }
}

/// Width of the column for the names of the rows \[px\].
fn names_width(picture: &FlightGridPicture) -> f64 {
    let names = picture.rows.iter().flat_map(|name| lines(name));
    names
        .map(|line| letters::text_width(&line, LABEL_SIZE))
        .fold(0.0, f64::max)
}

/// The name of a row in the lines that it gets.
pub fn lines(name: &str) -> Vec<String> {
    wrap(name, LABEL_SIZE, WIDEST_NAME, 4)
}

/// The flights of a column.
pub fn flights_of<'a>(
    picture: &FlightGridPicture<'a>,
    column: usize,
) -> impl Iterator<Item = &'a GridFlight<'a>> {
    let columns = picture.columns.len();
    picture
        .flights
        .iter()
        .skip(column)
        .step_by(columns)
        .flatten()
}

/// The part of space that a column shows, and its grid.
pub struct Scene {
    /// What is shown.
    pub space: Space,
    /// Where the grid lines are.
    pub ticks: [Ticks; 3],
    /// From one grid line to the next \[m\].
    pub step_m: f64,
}

impl Scene {
    /// The scene that holds the reference of a column, and of its paths what does not go too far;
    /// columns with the same reference share it.
    pub fn of(picture: &FlightGridPicture, column: usize, layout: &Layout) -> Self {
        let shown = picture.columns[column].reference_m;
        let alike =
            (0..picture.columns.len()).filter(|&other| picture.columns[other].reference_m == shown);
        let flights = alike.flat_map(|column| flights_of(picture, column));
        let paths = flights.map(|flight| Space::around(flight.path_m));
        let space = Space::shown(shown, paths, REACH);
        let [from, to] = layout.view_corners(0, column);
        let px_per_m = View::fitting(&space, from, to).px_per_m;
        // The axis that is seen most from its end has the narrowest grid.
        let narrowest = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
            .map(View::direction)
            .map(|[x, y]| x.hypot(y))
            .into_iter()
            .fold(1.0, f64::min);
        let step_m = round_step(LEAST_GRID / (narrowest * px_per_m));
        let ticks = [0, 1, 2].map(|axis| every(step_m, space.low[axis], space.high[axis]));
        Self {
            space,
            ticks,
            step_m,
        }
    }
}

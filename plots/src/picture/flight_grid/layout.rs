//! The layout of a grid of flights: where its cells stand, and which flights are in a column.

use super::{FlightGridPicture, GridFlight};
use crate::page::letters;
use crate::page::lines::wrap;
use crate::page::sheet::{Place, page_height, page_width};
use crate::page::style::{GAP, LABEL_SIZE, LEADING, MARGIN, NAME_SIZE};

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

/// Cells side by side where there is one trajectory: its rows go on beside one another.
const ABREAST: usize = 4;

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
    pub fn of(picture: &FlightGridPicture, top: f64, legend_height: f64) -> Self {
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
        let right = page_width() - MARGIN - BAR_ROOM;
        let width = (right - left) / abreast as f64;
        let top = top + LEADING * (NAME_SIZE + LABEL_SIZE) + GAP;
        let room = page_height() - MARGIN - legend_height - GAP - top;
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

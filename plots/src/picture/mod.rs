//! Pictures: one a module, each from plain numbers to a page.

pub mod bounds;
pub mod calibration;
pub mod convergence;
pub mod curves;
pub mod distribution;
pub mod domains;
pub mod error_map;
pub mod flight;
pub mod flight_grid;
pub mod flight_log;
pub mod intervals;
pub mod open_loops;
pub mod pairs;
pub mod regression;
pub mod regret;
pub mod slices;
pub mod spectra;
pub mod trade_off;
pub mod wind_record;

use crate::error::Error;
use crate::files;
use crate::page::ink::figure;
use crate::page::sheet::{Page, Sheet};
use crate::page::style::DOTS_PER_INCH;
use std::path::{Path, PathBuf};

/// What can be drawn.
pub trait Picture {
    /// Refuses numbers that cannot be shown.
    ///
    /// # Errors
    /// What is wrong with the first of them.
    fn check(&self) -> Result<(), Error>;

    /// The whole page, of numbers that can be shown.
    fn sheet(&self, page: Page) -> Sheet;
}

/// Draws and writes `stem.svg` and `stem.png`; returns both paths, in that order. The folder of
/// `stem` must exist. The same picture gives the same bytes.
///
/// # Errors
/// Numbers that cannot be shown, or a file that cannot be written.
pub fn draw(picture: &impl Picture, stem: &Path) -> Result<[PathBuf; 2], Error> {
    picture.check()?;
    files::write(&picture.sheet(Page::FILE), stem, None)
}

/// How a picture stands in a document that is printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Print {
    /// Width there \[in\]; letters are 8.6 points high where it is 4.3 or more, and smaller in proportion where it
    /// is less. A picture of many panels side by side needs 7.5.
    pub width_in: f64,
    /// Whether the title stands in the picture; a caption says it as well.
    pub titled: bool,
}

/// Draws and writes `stem.svg`, `stem.png` and `stem.pdf`, as large as they are printed; returns the paths, in that
/// order. All else is as in [`draw`].
///
/// # Errors
/// Those of [`draw`].
pub fn print(picture: &impl Picture, stem: &Path, print: &Print) -> Result<[PathBuf; 3], Error> {
    picture.check()?;
    let page = Page::of(print.width_in * DOTS_PER_INCH, print.titled);
    let sheet = picture.sheet(page);
    let [svg, png] = files::write(&sheet, stem, Some(print.width_in))?;
    let pdf = files::write_pdf(&sheet, stem, print.width_in)?;
    Ok([svg, png, pdf])
}

/// The picture as the text of an SVG element for a page that says what its title would.
///
/// # Errors
/// Numbers that cannot be shown.
pub fn svg(picture: &impl Picture) -> Result<String, Error> {
    picture.check()?;
    Ok(figure(&picture.sheet(Page::FIGURE)))
}

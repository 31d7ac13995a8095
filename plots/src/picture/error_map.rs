//! Error map: where in a plane of two inputs a fit errs, and where it was trained.

use crate::axes::colour_scale::{self, colour_at};
use crate::axes::legend::Entry;
use crate::axes::panel::{Panel, foot, room_left};
use crate::axes::symbols::Symbol;
use crate::axes::{Axes, Axis, range};
use crate::error::{Error, FINITE, present, same_length, within};
use crate::page::sheet::{Page, Sheet};
use crate::page::style::{BLACK, DARK_GREY, DOT_RADIUS, GAP, MARGIN};
use crate::picture::Picture;

/// Room for the colour bar, its labels and its name \[px\].
const BAR_ROOM: f64 = 210.0;
/// Radius of the dot of a test point \[px\].
const TEST_RADIUS: f64 = 9.0;

/// The errors of a fit of two inputs.
#[derive(Debug, Clone, Copy)]
pub struct ErrorMapPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Names of the two inputs, with their units.
    pub names: [&'a str; 2],
    /// Name of the error, with its unit.
    pub error_name: &'a str,
    /// Inputs of the training points.
    pub train: &'a [[f64; 2]],
    /// Inputs of the test points, at least one.
    pub test: &'a [[f64; 2]],
    /// The error at each test point; its magnitude is shown.
    pub error: &'a [f64],
}

impl Picture for ErrorMapPicture<'_> {
    /// No test points, not one error for each, a number that is not finite or too large.
    fn check(&self) -> Result<(), Error> {
        present("list of test points", self.test)?;
        let (errors, points) = (self.error.len(), self.test.len());
        same_length("list of errors", errors, "test points", points)?;
        let inputs = self.train.iter().chain(self.test).flatten();
        within("list of inputs", inputs.copied(), FINITE)?;
        within("list of errors", self.error.iter().copied(), FINITE)?;
        Ok(())
    }

    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, top) = Sheet::on(page.wide(), self.title);
        let entries = [
            Entry::symbol("training point", Symbol::Dot, DARK_GREY),
            Entry::symbol(
                "test point, in the colour of its error",
                Symbol::Dot,
                colour_at(0.0),
            ),
        ];
        let bottom = foot(&mut sheet, &entries);
        let along = |axis: usize| {
            let inputs = self.train.iter().chain(self.test);
            range(inputs.map(move |p| p[axis]), 0.04)
        };
        let (x, y) = (along(0), along(1));
        let right = sheet.right() - BAR_ROOM;
        let y = Axis::linear(y, bottom, top);
        let left = MARGIN + room_left(&y, 8);
        let x = Axis::linear(x, left, right);
        let axes = Axes { x, y };
        let panel = Panel::new(axes, [9, 8]);
        panel.grid(&mut sheet);
        let largest = self.error.iter().fold(0.0_f64, |most, e| most.max(e.abs()));
        let largest = if largest > 0.0 { largest } else { 1.0 };
        for p in self.train {
            sheet.disc(axes.place(p[0], p[1]), DOT_RADIUS, DARK_GREY.faded(0.6));
        }
        for (p, error) in self.test.iter().zip(self.error) {
            let at = axes.place(p[0], p[1]);
            sheet.disc(at, TEST_RADIUS + 1.5, BLACK);
            sheet.disc(at, TEST_RADIUS, colour_at(error.abs() / largest));
        }
        panel.frame(&mut sheet, [true, true]);
        panel.names(&mut sheet, self.names[0], self.names[1]);
        let bar = [right + 2.0 * GAP, top];
        colour_scale::draw(&mut sheet, self.error_name, largest, bar, bottom);
        sheet
    }
}

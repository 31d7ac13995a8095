//! Bounds: where two values lie between the bounds of what they may be; a small scale for a line of
//! a table. The first value stands above the scale, the second below it.

use crate::error::{Error, UNBOUNDED, within};
use crate::page::sheet::{Page, Sheet};
use crate::page::style::{DARK_GREY, GRID_WIDTH, series_colour};
use crate::picture::Picture;

/// Width, height and free ends of the scale \[px\].
const SIZE: [u32; 2] = [140, 22];
const END: f64 = 8.0;
/// Half the height of the ends of the scale \[px\].
const STOP: f64 = 5.0;
/// Height and half width of a wedge \[px\].
const WEDGE: [f64; 2] = [9.0, 5.0];

/// Two values between their bounds.
#[derive(Debug, Clone, Copy)]
pub struct BoundsPicture<'a> {
    /// What the picture shows, for those who cannot see it.
    pub title: &'a str,
    /// Where the values lie, from 0 at the lower bound to 1 at the upper one; what lies outside
    /// stands at the bound.
    pub values: [f64; 2],
    /// Which colours of the series the values take, from 0.
    pub colours: [usize; 2],
}

impl Picture for BoundsPicture<'_> {
    /// A value that is not a number.
    fn check(&self) -> Result<(), Error> {
        within("list of values between bounds", self.values, UNBOUNDED)?;
        Ok(())
    }

    fn sheet(&self, _: Page) -> Sheet {
        let mut sheet = Sheet::sized(SIZE, self.title);
        let [width, height] = SIZE.map(f64::from);
        let (middle, ends) = (0.5 * height, [END, width - END]);
        sheet.line(ends.map(|x| [x, middle]).to_vec(), GRID_WIDTH, DARK_GREY);
        for x in ends {
            let stop = vec![[x, middle - STOP], [x, middle + STOP]];
            sheet.line(stop, GRID_WIDTH, DARK_GREY);
        }
        for ((value, colour), sign) in self.values.into_iter().zip(self.colours).zip([-1.0, 1.0]) {
            let x = ends[0] + (ends[1] - ends[0]) * value.clamp(0.0, 1.0);
            let base = middle + sign * WEDGE[0];
            let corners = vec![[x, middle], [x - WEDGE[1], base], [x + WEDGE[1], base]];
            sheet.polygon(corners, series_colour(colour));
        }
        sheet
    }
}

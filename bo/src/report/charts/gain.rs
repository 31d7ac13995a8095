//! Where a gain lies between the bounds of the search.

use super::{DEFAULT, RECOMMENDED};
use crate::flights::space::Knob;
use plots::{BoundsPicture, Error, svg_bounds};

/// A small scale from bound to bound: the default above, the recommendation below.
pub fn between_bounds(knob: &Knob, [old, new]: [f64; 2]) -> Result<String, Error> {
    svg_bounds(&BoundsPicture {
        title: "default and recommended between the bounds",
        values: [old, new].map(|value| knob.parameter.unit(value)),
        colours: [DEFAULT, RECOMMENDED],
    })
}

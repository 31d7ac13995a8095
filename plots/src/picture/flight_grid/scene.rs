//! The scene of a column: the part of space that all its flights show, and its grid.

use super::FlightGridPicture;
use super::layout::{Layout, flights_of};
use crate::axes::ticks::{Ticks, every, round_step};
use crate::scene::view::{Space, View};

/// A column shows what lies at most this far from its reference, in longest sides of it ...
const REACH_SIDES: f64 = 0.25;
/// ... or this far, whichever is more \[m\].
const LEAST_REACH_M: f64 = 0.5;
/// Least side of a frame \[m\], and as a part of its longest.
const LEAST_SIDE_M: f64 = 0.05;
const LEAST_SIDE: f64 = 0.25;
/// Least distance of grid lines \[px\].
const LEAST_GRID: f64 = 20.0;

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
        let reference = Space::around(shown);
        let reach = (REACH_SIDES * reference.longest()).max(LEAST_REACH_M);
        let alike =
            (0..picture.columns.len()).filter(|&other| picture.columns[other].reference_m == shown);
        let flights = alike.flat_map(|column| flights_of(picture, column));
        let paths = flights.map(|flight| Space::around(flight.path_m));
        let space = paths
            .fold(reference, Space::with)
            .within(reference.grown(reach))
            .at_least(LEAST_SIDE_M);
        let longest = space.longest();
        let space = space.at_least(LEAST_SIDE * longest).grown(0.03 * longest);
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

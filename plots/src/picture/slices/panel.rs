//! One slice: the surrogate above, the acquisition in a strip below.

use super::{Slice, SlicePoint};
use crate::axes::panel::{Panel, band};
use crate::axes::symbols::Symbol;
use crate::axes::{Axes, Axis};
use crate::page::sheet::{Place, Sheet};
use crate::page::style::{
    BASELINE_DASH, BLACK, CURVE_WIDTH, Colour, DOT_RADIUS, LOSS, OVER_WIDTH, RULE_WIDTH,
};

/// The mean, and its band: opaque, so that its pieces leave no seams.
pub const MEAN: Colour = Colour::new(0, 114, 178);
pub const BAND: Colour = Colour::new(206, 226, 240);
/// The acquisition, and its area.
pub const PROMISE: Colour = Colour::new(0, 138, 100);
const PROMISE_AREA: Colour = Colour::new(205, 234, 224);
/// Opacity of an observation on the slice, and of the farthest that is drawn.
const OPACITY: [f64; 2] = [0.85, 0.08];
/// From the upper edge to the middle of a cross \[px\].
const LOSS_DEPTH: f64 = 9.0;
/// Free part of the strip above the acquisition, for the mark of its maximum.
const STRIP_HEADROOM: f64 = 0.35;

/// Where a slice stands.
pub struct Cell {
    /// The axis of the parameter.
    pub x: Axis,
    /// The axis of the objective.
    pub y: Axis,
    /// Where it ends below.
    pub bottom: f64,
    /// The strip at its end, if there is one.
    pub strip: Option<Strip>,
    /// Most steps between labels along x and along y.
    pub steps: [usize; 2],
    /// Whether numbers stand below.
    pub label_x: bool,
    /// Whether numbers stand to the left.
    pub label_y: bool,
}

/// Where the acquisition stands.
#[derive(Clone, Copy)]
pub struct Strip {
    /// Where it begins above.
    pub top: f64,
    /// Least and largest acquisition of the row.
    pub promise: (f64, f64),
}

impl Cell {
    /// Draws the slice.
    pub fn draw(&self, sheet: &mut Sheet, slice: &Slice) {
        let above = Axes {
            x: self.x,
            y: self.y,
        };
        let panel = Panel::new(above, self.steps);
        let ends: Vec<_> = slice.points.iter().map(|p| [p.x, p.low, p.high]).collect();
        band(sheet, &above, &ends, BAND);
        panel.grid(sheet);
        let strip = self.strip.map(|strip| self.axes_below(strip));
        let below = strip.map(|axes| Panel::new(axes, [self.steps[0], 0]));
        if let Some(below) = &below {
            below.grid(sheet);
        }
        let at = self.x.place(slice.at);
        let upright = vec![[at, self.y.to], [at, self.bottom]];
        sheet.dashed(upright, BASELINE_DASH, RULE_WIDTH, BLACK);
        observations(sheet, &above, slice);
        let mean: Vec<[f64; 2]> = slice.points.iter().map(|p| [p.x, p.mean]).collect();
        for piece in above.pieces(&mean) {
            sheet.line(piece, CURVE_WIDTH, MEAN);
        }
        if let Some(axes) = &strip {
            acquisition(sheet, axes, slice.points);
        }
        // Along x, the ticks under the strip serve both.
        let along = if below.is_some() { 0 } else { self.steps[0] };
        Panel::new(above, [along, self.steps[1]]).frame(sheet, [false, self.label_y]);
        if let Some(below) = &below {
            below.frame(sheet, [false, false]);
        }
        if self.label_x {
            let lowest = Panel::new(above, [self.steps[0], 0]);
            below.unwrap_or(lowest).labels_inside(sheet);
        }
    }

    /// The axes of the acquisition.
    fn axes_below(&self, strip: Strip) -> Axes {
        let (low, high) = strip.promise;
        let (low, high) = if high > low {
            (low, high)
        } else {
            (low, low + 1.0)
        };
        let room = (low, high + STRIP_HEADROOM * (high - low));
        Axes {
            x: self.x,
            y: Axis::linear(room, self.bottom, strip.top),
        }
    }
}

/// Draws the observations that have any weight, the nearest on top.
fn observations(sheet: &mut Sheet, axes: &Axes, slice: &Slice) {
    let inside = |x: &f64| (axes.x.low..=axes.x.high).contains(x);
    let drawn = slice.observations.iter();
    let mut drawn: Vec<_> = drawn
        .filter(|one| one.weight > 0.0 && inside(&one.x))
        .collect();
    drawn.sort_by(|a, b| a.weight.total_cmp(&b.weight));
    for one in drawn {
        let alpha = OPACITY[1] + (OPACITY[0] - OPACITY[1]) * one.weight;
        match one.y {
            Some(y) => sheet.disc(axes.place(one.x, y), DOT_RADIUS, BLACK.faded(alpha)),
            None => {
                let at = [axes.x.place(one.x), axes.y.to + LOSS_DEPTH];
                // A cross is thinner than a disc, and must not vanish.
                Symbol::Cross.draw(sheet, at, LOSS.faded(alpha.max(0.45)));
            }
        }
    }
}

/// Draws the acquisition and marks its maximum, unless it is the same everywhere.
fn acquisition(sheet: &mut Sheet, axes: &Axes, points: &[SlicePoint]) {
    let places: Vec<Place> = points
        .iter()
        .map(|p| axes.place(p.x, p.acquisition))
        .collect();
    let floor = axes.y.from;
    for pair in places.windows(2) {
        let right = (pair[1][0] + 1.0).min(axes.x.to);
        if pair[0][1] < floor || pair[1][1] < floor {
            let foot = [[right, floor], [pair[0][0], floor]];
            let corners = vec![pair[0], [right, pair[1][1]], foot[0], foot[1]];
            sheet.polygon(corners, PROMISE_AREA);
        }
    }
    let by_promise = |a: &&SlicePoint, b: &&SlicePoint| a.acquisition.total_cmp(&b.acquisition);
    let ends = (
        points.iter().min_by(by_promise),
        points.iter().max_by(by_promise),
    );
    sheet.line(places, OVER_WIDTH, PROMISE);
    if let (Some(least), Some(most)) = ends
        && least.acquisition < most.acquisition
    {
        let [x, y] = axes.place(most.x, most.acquisition);
        Symbol::Peak.draw(sheet, [x, y - 9.0], PROMISE);
    }
}

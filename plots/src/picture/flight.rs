//! One flight in three dimensions: where the vehicle should have been, and where it was.
//!
//! The path is coloured by its distance from the reference. A path that goes far beyond the
//! reference is shown up to a frame, so that the rest can still be read, and a note says where
//! it went. The shadow is the path seen from above, on the floor of the frame; the floor is not
//! the ground.

use crate::axes::colour_scale::{self, SHADES, colour_at};
use crate::axes::legend::{self, Entry, Sample};
use crate::axes::symbols::Symbol;
use crate::error::{DISTANCE, Error, FINITE, present, same_length, within};
use crate::page::curve::thinned;
use crate::page::sheet::{Anchor, Page, Sheet};
use crate::page::style::{
    BLACK, CURVE_WIDTH, DARK_GREY, GAP, LABEL_SIZE, MARGIN, OVER_WIDTH, PLUMB_DASH, RULE_WIDTH,
    SHADOW,
};
use crate::picture::Picture;
use crate::scene::track::Track;
use crate::scene::{Point, Space, cage};

/// The frame reaches at most as far beyond the reference as this many of its longest sides or this
/// far \[m\], whichever is more.
const REACH: [f64; 2] = [1.0, 2.5];
/// Least top of the colour scale \[m\].
const LEAST_SCALE_M: f64 = 0.01;
/// Width of the path: the reference, drawn over it, leaves its edges visible \[px\].
const PATH_WIDTH: f64 = 1.9 * CURVE_WIDTH;
/// Width of the strip at the right for the colour scale \[px\].
const SCALE_STRIP: f64 = 190.0;

/// One flight: the reference and the path flown, in one inertial frame with z up.
#[derive(Debug, Clone, Copy)]
pub struct FlightPicture<'a> {
    /// Printed above the picture; wrapped, and cut short where two lines do not hold it.
    pub title: &'a str,
    /// Points of the reference, in order \[m\].
    pub reference_m: &'a [[f64; 3]],
    /// Points of the path flown, in order \[m\].
    pub path_m: &'a [[f64; 3]],
    /// Distance from the reference at each point of the path \[m\]; as many as path points.
    pub error_m: &'a [f64],
    /// How the flight ended.
    pub end: FlightEnd,
}

/// How the flight ended, which decides the mark at the last point of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlightEnd {
    /// The whole reference was flown.
    Completed,
    /// The vehicle was lost at the last point of the path.
    Lost,
}

impl FlightEnd {
    /// The mark at the last point, and what it is called.
    fn symbol(self) -> (Symbol, &'static str) {
        match self {
            Self::Completed => (Symbol::End, "end"),
            Self::Lost => (Symbol::Loss, "lost"),
        }
    }
}

/// Refuses curves that cannot be drawn.
pub(crate) fn check(reference: &[Point], path: &[Point], error_m: &[f64]) -> Result<(), Error> {
    for (curve, points) in [("reference", reference), ("flown path", path)] {
        present(curve, points)?;
        for (index, at_m) in points.iter().enumerate() {
            let finite = within(curve, *at_m, FINITE);
            finite.map_err(|error| error.in_part(format!("point {index}")))?;
        }
    }
    let (quantity, points) = ("list of errors", "points of the flown path");
    same_length(quantity, error_m.len(), points, path.len())?;
    within(quantity, error_m.iter().copied(), DISTANCE)
}

impl Picture for FlightPicture<'_> {
    /// A curve without points, a number of errors other than of path points, a coordinate that is
    /// not finite or too large, an error that is not a distance.
    fn check(&self) -> Result<(), Error> {
        check(self.reference_m, self.path_m, self.error_m)?;
        Ok(())
    }

    /// The page: the part of space that is shown, the curves and marks in it, and what is written around it.
    fn sheet(&self, page: Page) -> Sheet {
        let (mut sheet, mut top) = Sheet::on(page.wide(), self.title);
        let paths = std::iter::once(Space::around(self.path_m));
        let space = Space::shown(self.reference_m, paths, REACH);
        if let Some(note) = note(self, &space) {
            let at = [0.5 * f64::from(sheet.width), top + 0.6 * LABEL_SIZE];
            sheet.text(at, note, LABEL_SIZE, Anchor::Middle, DARK_GREY);
            top += 1.2 * LABEL_SIZE + GAP;
        }
        let entries = entries(self, &space);
        let (left, right, foot) = (MARGIN, sheet.right(), sheet.bottom());
        let bottom = legend::rows(&mut sheet, &entries, foot);
        let scale_m = scale_m(self, &space);
        let corner = [right - SCALE_STRIP, bottom - GAP];
        let view = cage::view(&space, [left, top], corner);
        cage::draw(&mut sheet, &space, &view);
        let track = Track { space, view };
        let on_floor = |point| track.on_floor(point);
        for (_, points) in track.pieces(self.path_m, self.error_m, 0.0, |_| 0.0, on_floor) {
            sheet.line(thinned(points), RULE_WIDTH, SHADOW);
        }
        let shade = |error_m: f64| (SHADES * error_m / scale_m).round().min(SHADES);
        let pieces = track.pieces(self.path_m, self.error_m, 0.0, shade, |point| point);
        for (shade, points) in pieces {
            sheet.line(thinned(points), PATH_WIDTH, colour_at(shade / SHADES));
        }
        track.reference(&mut sheet, self.reference_m, OVER_WIDTH, 2.0 * OVER_WIDTH);
        marks(&mut sheet, self, &track);
        let at = [right - SCALE_STRIP + 40.0, top + 40.0];
        let name = "distance from the reference [m]";
        colour_scale::draw(&mut sheet, name, scale_m, at, bottom - 90.0);
        sheet
    }
}

/// Says where the path went when the frame does not show all of it.
fn note(picture: &FlightPicture, space: &Space) -> Option<String> {
    if picture.path_m.iter().all(|&point| space.holds(point)) {
        return None;
    }
    let last = picture.path_m.len() - 1;
    let ([x, y, z], error) = (picture.path_m[last], picture.error_m[last]);
    let ends = match picture.end {
        FlightEnd::Completed => "ends",
        FlightEnd::Lost => "is lost",
    };
    let note = format!(
        "The path leaves the frame; it {ends} at ({x:.1}, {y:.1}, {z:.1}) m, {error:.1} m from \
         the reference."
    );
    Some(note.replace('-', "\u{2212}"))
}

/// Top of the colour scale \[m\]: the largest error that is shown.
fn scale_m(picture: &FlightPicture, space: &Space) -> f64 {
    let shown = picture.path_m.iter().zip(picture.error_m);
    let largest = shown
        .filter(|(point, _)| space.holds(**point))
        .map(|(_, &error)| error)
        .fold(0.0, f64::max);
    largest.max(LEAST_SCALE_M)
}

fn entries(picture: &FlightPicture, space: &Space) -> Vec<Entry> {
    let mut entries = vec![
        Entry::line("reference", BLACK, OVER_WIDTH, &[]),
        Entry::new(Sample::Ramp { width: PATH_WIDTH }, "flown path"),
        Entry::line("shadow of the path", SHADOW, RULE_WIDTH, &[]),
        Entry::symbol("start", Symbol::Start, BLACK),
    ];
    if space.holds(picture.path_m[picture.path_m.len() - 1]) {
        let (symbol, label) = picture.end.symbol();
        entries.push(Entry::symbol(label, symbol, BLACK));
    }
    if picture.path_m.iter().any(|&point| !space.holds(point)) {
        entries.push(Entry::symbol("leaves the frame", Symbol::Exit, BLACK));
    }
    entries
}

/// Draws the marks at both ends of the path, and where it leaves the frame.
fn marks(sheet: &mut Sheet, picture: &FlightPicture, track: &Track) {
    let (path, space) = (picture.path_m, &track.space);
    let (start, end) = (path[0], path[path.len() - 1]);
    for point in [start, end].into_iter().filter(|&point| space.holds(point)) {
        let plumb = [track.on_floor(point), point].map(|point| track.view.place(point));
        sheet.dashed(plumb.to_vec(), PLUMB_DASH, RULE_WIDTH, DARK_GREY);
    }
    if space.holds(start) {
        Symbol::Start.draw(sheet, track.view.place(start), BLACK);
    }
    track.exits(sheet, path, Symbol::Exit);
    if space.holds(end) {
        let (symbol, _) = picture.end.symbol();
        symbol.draw(sheet, track.view.place(end), BLACK);
    }
}

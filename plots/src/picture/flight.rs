//! One flight in three dimensions: where the vehicle should have been, and where it was.
//!
//! The path is coloured by its distance from the reference. A path that goes far beyond the
//! reference is shown up to a frame, so that the rest can still be read, and a note says where
//! it went. The shadow is the path seen from above, on the floor of the frame; the floor is not
//! the ground.

use crate::axes::colour_scale::{self, SHADES, colour_at};
use crate::axes::legend::{self, Entry, Sample};
use crate::axes::marks;
use crate::error::{DISTANCE, Error, FINITE, present, same_length, within};
use crate::files;
use crate::page::curve::thinned;
use crate::page::sheet::{Anchor, Place, Sheet, page_height, page_width};
use crate::page::style::{
    BLACK, CURVE_WIDTH, DARK_GREY, GAP, LABEL_SIZE, MARGIN, OVER_WIDTH, PLUMB_DASH, RULE_WIDTH,
    SHADOW,
};
use crate::scene::{Point, Space, View, cage};
use std::path::{Path, PathBuf};

/// The frame reaches at most as far beyond the reference as this many of its longest sides ...
const REACH_SIDES: f64 = 1.0;
/// ... or this far, whichever is more \[m\].
const LEAST_REACH_M: f64 = 2.5;
/// Least side of the frame \[m\]: noise about one point must not fill the page.
const LEAST_SIDE_M: f64 = 0.05;
/// Least side of the frame as a part of its longest, so that labels find room on every axis.
const LEAST_SIDE: f64 = 0.25;
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

/// Draws the flight and writes `stem.svg` and `stem.png`; returns both paths, in that order. The
/// folder of `stem` must exist. The same picture gives the same bytes.
///
/// # Errors
/// A curve without points, a number of errors other than of path points, a coordinate that is
/// not finite or too large, an error that is not a distance, or a file that cannot be written.
pub fn draw_flight(picture: &FlightPicture, stem: &Path) -> Result<[PathBuf; 2], Error> {
    check(picture)?;
    files::write(&sheet(picture), stem)
}

pub(crate) fn check(picture: &FlightPicture) -> Result<(), Error> {
    let curves = [
        ("reference", picture.reference_m),
        ("flown path", picture.path_m),
    ];
    for (curve, points) in curves {
        present(curve, points)?;
        for (index, at_m) in points.iter().enumerate() {
            let finite = within(curve, *at_m, FINITE);
            finite.map_err(|error| error.in_part(format!("point {index}")))?;
        }
    }
    let (points, errors) = (picture.path_m.len(), picture.error_m.len());
    same_length("list of errors", errors, "points of the flown path", points)?;
    let errors = picture.error_m.iter().copied();
    within("list of errors", errors, DISTANCE)
}

/// The page: the part of space that is shown, the curves and marks in it, and what is written around it.
fn sheet(picture: &FlightPicture) -> Sheet {
    let (mut sheet, mut top) = Sheet::titled(picture.title);
    let space = space(picture);
    if let Some(note) = note(picture, &space) {
        let at = [0.5 * page_width(), top + 0.6 * LABEL_SIZE];
        sheet.text(at, note, LABEL_SIZE, Anchor::Middle, DARK_GREY);
        top += 1.2 * LABEL_SIZE + GAP;
    }
    let entries = entries(picture, &space);
    let (left, right) = (MARGIN, page_width() - MARGIN);
    let bottom = legend::rows(&mut sheet, &entries, left, right, page_height() - MARGIN);
    let scale_m = scale_m(picture, &space);
    let corner = [right - SCALE_STRIP, bottom - GAP];
    let view = cage::view(&space, [left, top], corner);
    cage::draw(&mut sheet, &space, &view);
    let curves = Curves {
        picture,
        space,
        view,
        scale_m,
    };
    curves.shadow(&mut sheet);
    curves.path(&mut sheet);
    curves.reference(&mut sheet);
    curves.marks(&mut sheet);
    let at = [right - SCALE_STRIP + 40.0, top + 40.0];
    let name = "distance from the reference [m]";
    colour_scale::draw(&mut sheet, name, scale_m, at, bottom - 90.0);
    sheet
}

/// The box that is shown: all of the reference, and of the path what does not go too far.
fn space(picture: &FlightPicture) -> Space {
    let reference = Space::around(picture.reference_m);
    let reach = (REACH_SIDES * reference.longest()).max(LEAST_REACH_M);
    let path = Space::around(picture.path_m);
    let space = reference
        .with(path)
        .within(reference.grown(reach))
        .at_least(LEAST_SIDE_M);
    let longest = space.longest();
    space.at_least(LEAST_SIDE * longest).grown(0.03 * longest)
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
    let line = |colour, width| Sample::line(colour, width, &[]);
    let mut entries = vec![
        Entry::new(line(BLACK, OVER_WIDTH), "reference"),
        Entry::new(Sample::Ramp { width: PATH_WIDTH }, "flown path"),
        Entry::new(line(SHADOW, RULE_WIDTH), "shadow of the path"),
        Entry::new(Sample::Start, "start"),
    ];
    if space.holds(picture.path_m[picture.path_m.len() - 1]) {
        entries.push(match picture.end {
            FlightEnd::Completed => Entry::new(Sample::End, "end"),
            FlightEnd::Lost => Entry::new(Sample::Loss, "lost"),
        });
    }
    if picture.path_m.iter().any(|&point| !space.holds(point)) {
        entries.push(Entry::new(Sample::Exit, "leaves the frame"));
    }
    entries
}

/// The curves and marks of a flight, placed.
struct Curves<'a> {
    picture: &'a FlightPicture<'a>,
    space: Space,
    view: View,
    scale_m: f64,
}

impl Curves<'_> {
    fn reference(&self, sheet: &mut Sheet) {
        let reference = self.picture.reference_m.iter();
        let points: Vec<_> = reference.map(|&p| self.view.place(p)).collect();
        let longest = Space::around(self.picture.reference_m).longest() * self.view.px_per_m;
        if longest < OVER_WIDTH {
            // A reference that stays at one point is a dot.
            sheet.disc(points[0], 2.0 * OVER_WIDTH, BLACK);
        }
        sheet.line(thinned(points), OVER_WIDTH, BLACK);
    }

    fn path(&self, sheet: &mut Sheet) {
        let shade = |index: usize| {
            let error = 0.5 * (self.picture.error_m[index] + self.picture.error_m[index + 1]);
            (SHADES * error / self.scale_m).round().min(SHADES)
        };
        for (shade, points) in self.pieces(shade, |point| point) {
            sheet.line(thinned(points), PATH_WIDTH, colour_at(shade / SHADES));
        }
    }

    fn shadow(&self, sheet: &mut Sheet) {
        for (_, points) in self.pieces(|_| 0.0, |point| self.on_floor(point)) {
            sheet.line(thinned(points), RULE_WIDTH, SHADOW);
        }
    }

    fn on_floor(&self, [x, y, _]: Point) -> Point {
        [x, y, self.space.low[2]]
    }

    /// The part of the path inside the frame, as runs of segments of one shade; `moved` says
    /// where a point is drawn. Each run begins one segment early where the path goes on, or the
    /// seams would show.
    fn pieces(
        &self,
        shade: impl Fn(usize) -> f64,
        moved: impl Fn(Point) -> Point,
    ) -> Vec<(f64, Vec<Place>)> {
        let mut pieces: Vec<(f64, Vec<Place>)> = Vec::new();
        let mut end = None;
        for (index, pair) in self.picture.path_m.windows(2).enumerate() {
            let Some([from, to]) = self.space.clip(pair[0], pair[1]) else {
                end = None;
                continue;
            };
            let (from_place, to_place) = (self.view.place(moved(from)), self.view.place(moved(to)));
            let goes_on = end == Some(from);
            match pieces.last_mut() {
                Some((last, points)) if goes_on && *last == shade(index) => points.push(to_place),
                Some((_, points)) if goes_on => {
                    let early = points[points.len() - 2];
                    pieces.push((shade(index), vec![early, from_place, to_place]));
                }
                _ => pieces.push((shade(index), vec![from_place, to_place])),
            }
            end = Some(to);
        }
        pieces
    }

    fn marks(&self, sheet: &mut Sheet) {
        let path = self.picture.path_m;
        let (start, end) = (path[0], path[path.len() - 1]);
        let ends = [start, end].into_iter();
        for point in ends.filter(|&point| self.space.holds(point)) {
            let plumb = [self.on_floor(point), point].map(|point| self.view.place(point));
            sheet.dashed(plumb.to_vec(), PLUMB_DASH, RULE_WIDTH, DARK_GREY);
        }
        if self.space.holds(start) {
            marks::start_mark(sheet, self.view.place(start));
        }
        for pair in path.windows(2).filter(|pair| self.space.holds(pair[0])) {
            if let Some([_, exit]) = self.space.clip(pair[0], pair[1])
                && !self.space.holds(pair[1])
            {
                marks::exit_mark(sheet, self.view.place(exit));
            }
        }
        if self.space.holds(end) {
            match self.picture.end {
                FlightEnd::Completed => marks::end_mark(sheet, self.view.place(end)),
                FlightEnd::Lost => marks::loss_mark(sheet, self.view.place(end)),
            }
        }
    }
}

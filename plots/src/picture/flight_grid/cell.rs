//! One flight of the grid: its path in the colours of its errors, the reference, and its marks.

use super::{FlightResult, GridFlight};
use crate::axes::colour_scale::colour_at;
use crate::axes::marks;
use crate::page::decimate::thinned;
use crate::page::sheet::{Place, Sheet};
use crate::page::style::BLACK;
use crate::scene::view::{Point, Space, View};

/// Colours that are told apart along a path.
const SHADES: f64 = 32.0;

/// Width of a path and of the reference over it \[px\].
pub const PATH_WIDTH: f64 = 5.0;
pub const REFERENCE_WIDTH: f64 = 1.5;

/// Which marks a flight got.
#[derive(Default)]
pub struct Marks {
    /// That of a loss inside the frame.
    pub lost: bool,
    /// That of a path that leaves it.
    pub leaves: bool,
}

/// One flight, placed.
pub struct Cell {
    /// What is shown.
    pub space: Space,
    /// How it is seen.
    pub view: View,
    /// Top of the colour scale \[m\].
    pub scale_m: f64,
    /// Least length of a piece of the path \[px\].
    pub piece: f64,
}

impl Cell {
    /// Draws the path and over it the reference; returns its marks.
    pub fn draw(
        &self,
        sheet: &mut Sheet,
        reference: &[Point],
        flight: Option<&GridFlight>,
    ) -> Marks {
        if let Some(flight) = flight {
            for (shade, points) in self.pieces(flight) {
                sheet.line(points, PATH_WIDTH, colour_at(shade / SHADES));
            }
        }
        self.reference(sheet, reference);
        flight.map_or_else(Marks::default, |flight| self.marks(sheet, flight))
    }

    fn reference(&self, sheet: &mut Sheet, reference: &[Point]) {
        let points: Vec<Place> = reference.iter().map(|&p| self.view.place(p)).collect();
        if Space::around(reference).longest() * self.view.px_per_m < 2.0 {
            sheet.disc(points[0], 4.0, BLACK);
        }
        sheet.line(thinned(points), REFERENCE_WIDTH, BLACK);
    }

    /// The path inside the frame in pieces of one shade, each joining points so far apart that
    /// they can be told apart; its shade is that of the mean distance over them. A piece begins
    /// where the one before began, or the seams would show.
    fn pieces(&self, flight: &GridFlight) -> Vec<(f64, Vec<Place>)> {
        let mut pieces: Vec<(f64, Vec<Place>)> = Vec::new();
        let mut run: Vec<Place> = Vec::new();
        let (mut sum, mut samples) = (0.0, 0.0);
        let mut end = None;
        for (index, pair) in flight.path_m.windows(2).enumerate() {
            let Some([from, to]) = self.space.clip(pair[0], pair[1]) else {
                end = None;
                continue;
            };
            if end != Some(from) {
                run = vec![self.view.place(from)];
                (sum, samples) = (0.0, 0.0);
            }
            end = Some(to);
            sum += 0.5 * (flight.error_m[index] + flight.error_m[index + 1]);
            samples += 1.0;
            let (at, last) = (self.view.place(to), run[run.len() - 1]);
            let leaves = to != pair[1] || index + 2 == flight.path_m.len();
            if (at[0] - last[0]).hypot(at[1] - last[1]) < self.piece && !leaves {
                continue;
            }
            let shade = (SHADES * sum / samples / self.scale_m).round().min(SHADES);
            (sum, samples) = (0.0, 0.0);
            match pieces.last_mut() {
                Some((of, points)) if *of == shade && points.last() == Some(&last) => {
                    points.push(at);
                }
                _ => {
                    let early = run.len().saturating_sub(2);
                    let mut points = run[early..].to_vec();
                    points.push(at);
                    pieces.push((shade, points));
                }
            }
            run = vec![last, at];
        }
        pieces
    }

    /// Marks where the path leaves the frame, and where in it the vehicle was lost.
    fn marks(&self, sheet: &mut Sheet, flight: &GridFlight) -> Marks {
        let path = flight.path_m;
        let mut leaves = false;
        for pair in path.windows(2).filter(|pair| self.space.holds(pair[0])) {
            if let Some([_, exit]) = self.space.clip(pair[0], pair[1])
                && !self.space.holds(pair[1])
            {
                leaves = true;
                marks::small_exit_mark(sheet, self.view.place(exit));
            }
        }
        let last = path[path.len() - 1];
        let lost = matches!(flight.result, FlightResult::Lost { .. }) && self.space.holds(last);
        if lost {
            marks::small_loss_mark(sheet, self.view.place(last));
        }
        Marks { lost, leaves }
    }
}

//! Track: one flight in its view, the path in pieces of one shade, what it flew after, and where it
//! leaves the box that is shown.

use crate::axes::symbols::Symbol;
use crate::page::curve::thinned;
use crate::page::sheet::{Place, Sheet};
use crate::page::style::BLACK;
use crate::scene::{Point, Space, View};

/// What is shown of a flight, and how it is seen.
#[derive(Debug, Clone, Copy)]
pub struct Track {
    /// The box that is shown.
    pub space: Space,
    /// Where its points appear.
    pub view: View,
}

impl Track {
    /// Draws the reference as a line of that width; one that stays at one point is a dot.
    pub fn reference(&self, sheet: &mut Sheet, points: &[Point], width: f64, dot: f64) {
        let places: Vec<Place> = points.iter().map(|&p| self.view.place(p)).collect();
        if Space::around(points).longest() * self.view.px_per_m < 0.5 * dot {
            sheet.disc(places[0], dot, BLACK);
        }
        sheet.line(thinned(places), width, BLACK);
    }

    /// The point straight below on the floor of the box.
    pub fn on_floor(&self, [x, y, _]: Point) -> Point {
        [x, y, self.space.low[2]]
    }

    /// The part of the path inside the box in pieces of one shade, each joining points at least
    /// `least` px apart; `shade` is that of a mean of `error_m` over a segment, and `moved` says where
    /// a point is drawn. A piece begins one segment early where the path continues, or the seams would
    /// show.
    pub fn pieces(
        &self,
        path: &[Point],
        error_m: &[f64],
        least: f64,
        shade: impl Fn(f64) -> f64,
        moved: impl Fn(Point) -> Point,
    ) -> Vec<(f64, Vec<Place>)> {
        let place = |point| self.view.place(moved(point));
        let mut pieces: Vec<(f64, Vec<Place>)> = Vec::new();
        let mut run: Vec<Place> = Vec::new();
        let (mut sum, mut samples) = (0.0, 0.0);
        let mut end = None;
        for (index, pair) in path.windows(2).enumerate() {
            let Some([from, to]) = self.space.clip(pair[0], pair[1]) else {
                end = None;
                continue;
            };
            if end != Some(from) {
                run = vec![place(from)];
                (sum, samples) = (0.0, 0.0);
            }
            end = Some(to);
            sum += 0.5 * (error_m[index] + error_m[index + 1]);
            samples += 1.0;
            let (at, last) = (place(to), run[run.len() - 1]);
            let leaves = to != pair[1] || index + 2 == path.len();
            if (at[0] - last[0]).hypot(at[1] - last[1]) < least && !leaves {
                continue;
            }
            let shade = shade(sum / samples);
            (sum, samples) = (0.0, 0.0);
            match pieces.last_mut() {
                Some((of, points)) if *of == shade && run.len() > 1 => points.push(at),
                _ => pieces.push((shade, [&run[..], &[at]].concat())),
            }
            run = vec![last, at];
        }
        pieces
    }

    /// Marks where the path leaves the box; returns whether it does.
    pub fn exits(&self, sheet: &mut Sheet, path: &[Point], symbol: Symbol) -> bool {
        let mut leaves = false;
        for pair in path.windows(2).filter(|pair| self.space.holds(pair[0])) {
            if let Some([_, exit]) = self.space.clip(pair[0], pair[1])
                && !self.space.holds(pair[1])
            {
                leaves = true;
                symbol.draw(sheet, self.view.place(exit), BLACK);
            }
        }
        leaves
    }
}

//! Level set: the points that one noisy evaluation could hardly tell from the best.
//!
//! Where the noise of an evaluation hides the differences among good points, the minimum of the
//! posterior mean is luck and the bound of a Gaussian process drives the search into corners. The
//! set of points whose posterior mean lies within a few standard deviations *of the noise* above
//! the best visited one is wide where the noise is large and shrinks to a point where there is
//! none. Drawing from it spreads the evaluations over all that is good; its centre is a
//! recommendation that no single lucky evaluation decides, as long as it belongs to the set itself.
//!
//! It ignores the uncertainty of the mean: a set far from all data is entered only by chance.

#[cfg(test)]
mod tests;

use crate::maximise::{Region, points};
use crate::model::allowed::Allowed;
use crate::model::context::means;
use crate::model::incumbent::{Centre, Incumbent, TOLERATED};
use crate::streams::Draw;
use shell::seeds::Stream;

/// Greatest tolerance with which the search draws, in standard deviations of the noise; the
/// tolerance of each draw is uniform below it.
pub const WIDEST: f64 = 2.0;

/// Sobol' points looked at in a box.
const LOOKED_AT: usize = 1024;

/// Members that are enough.
const ENOUGH: usize = 40;

/// Members with which the box they span is worth closing in on.
const SPANNING: usize = 4;

/// Boxes looked at, each within the one before: the streams that scramble their points.
const BOXES: [Draw; 6] = [
    Draw::Box0,
    Draw::Box1,
    Draw::Box2,
    Draw::Box3,
    Draw::Box4,
    Draw::Box5,
];

/// What is left of a box's edge that is closed in on around the incumbent.
const CLOSED_IN: f64 = 0.6;

/// Room left around the members' box, as a share of its edge and of the cube's.
const ROOM: [f64; 2] = [0.15, 0.01];

/// Observations from which on the set shrinks.
const SHRINKING: usize = 110;

/// Where the set lies: about an incumbent that one observation is measured against.
#[derive(Clone, Copy)]
pub struct LevelSet<'a> {
    /// That incumbent.
    pub about: Incumbent<'a>,
    /// Observations that the model has learnt from.
    pub observations: usize,
    /// Where members may lie, if not everywhere.
    pub within: Option<&'a Allowed<'a>>,
}

/// What is left of a tolerance after so many observations: 1 up to [`SHRINKING`], then as the fourth
/// root of their number. Their information grows with the square root; the set
/// shrinks by half of that, so that its centre approaches the best and stays an average of many.
fn left_after(observations: usize) -> f64 {
    (SHRINKING as f64 / observations.max(SHRINKING) as f64).powf(0.25)
}

impl LevelSet<'_> {
    /// Members of the set of `tolerance` standard deviations of the noise, spread evenly over it
    /// as far as it was found; the incumbent where there is no other. Nothing where the model
    /// claims no noise.
    pub fn members(&self, tolerance: f64, seed: u64) -> Option<Vec<Vec<f64>>> {
        let limit = self.about.limit(tolerance)?;
        let mut region = Region::cube(self.dimensions());
        let mut members = Vec::new();
        for stream in BOXES {
            let units = points::sobol(self.dimensions(), 0, LOOKED_AT, stream.of(seed));
            members = units.iter().map(|unit| region.at(unit)).collect();
            let believed = means(self.about.model(), &members);
            let mut mean = believed.iter();
            members.retain(|_| mean.next().is_some_and(|mean| *mean <= limit));
            if let Some(within) = self.within.filter(|_| !members.is_empty()) {
                let mut holds = within.holds(&members).into_iter();
                members.retain(|_| holds.next().unwrap_or(false));
            }
            if members.len() >= ENOUGH {
                return Some(members);
            }
            members.push(self.about.x().to_vec());
            region = if members.len() > SPANNING {
                around(&members, &region)
            } else {
                self.closer(&region)
            };
        }
        Some(members)
    }

    /// A member of the set of a tolerance below [`WIDEST`], or what is left of it, both drawn by
    /// `seed`, with its posterior mean.
    pub fn draw(&self, seed: u64) -> Option<(Vec<f64>, f64)> {
        let share = |stream: Draw| (stream.of(seed) >> 11) as f64 / (1u64 << 53) as f64;
        let widest = WIDEST * left_after(self.observations);
        let mut members = self.members(widest * share(Draw::Tolerance), seed)?;
        let drawn = (share(Draw::Member) * members.len() as f64) as usize;
        let x = members.swap_remove(drawn.min(members.len() - 1));
        let mean = means(self.about.model(), std::slice::from_ref(&x))[0];
        mean.is_finite().then_some((x, mean))
    }

    /// The centre of the members of the set of tolerance [`TOLERATED`], or what is left of it, as far
    /// as it is tolerated itself ([`Incumbent::centre`]).
    pub fn centre(&self, seed: u64, settled: impl Fn(&[f64]) -> Vec<f64>) -> Option<Centre> {
        let tolerance = TOLERATED * left_after(self.observations);
        Some(self.about.centre(&self.members(tolerance, seed)?, settled))
    }

    fn dimensions(&self) -> usize {
        self.about.x().len()
    }

    /// A smaller box about the incumbent.
    fn closer(&self, region: &Region) -> Region {
        let incumbent = self.about.x();
        let half = |k: usize| 0.5 * CLOSED_IN * (region.high[k] - region.low[k]);
        let side = |sign: f64| {
            let at = |k: usize| (incumbent[k] + sign * half(k)).clamp(0.0, 1.0);
            (0..self.dimensions()).map(at).collect()
        };
        Region {
            low: side(-1.0),
            high: side(1.0),
        }
    }
}

/// The box that `members` span with some room about it, within `region`.
fn around(members: &[Vec<f64>], region: &Region) -> Region {
    let of = |k: usize, pick: fn(f64, f64) -> f64| {
        let coordinates = members.iter().map(|x| x[k]);
        coordinates.reduce(pick).unwrap_or(0.5)
    };
    let room = |k: usize| ROOM[0] * (of(k, f64::max) - of(k, f64::min)) + ROOM[1];
    let dimensions = 0..region.low.len();
    let low = |k: usize| (of(k, f64::min) - room(k)).max(region.low[k].min(of(k, f64::min)));
    let high = |k: usize| (of(k, f64::max) + room(k)).min(region.high[k].max(of(k, f64::max)));
    Region {
        low: dimensions.clone().map(low).collect(),
        high: dimensions.map(high).collect(),
    }
}

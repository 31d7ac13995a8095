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

use crate::search::belief::incumbent::{Centre, Incumbent, TOLERATED};
use crate::search::belief::view::means;
use crate::search::climb::{Region, sobol};
use crate::streams::{Draw, Stream};

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
}

/// What is left of a tolerance after so many observations: 1 up to [`SHRINKING`], then as the fourth
/// root of their number. What they tell together goes with the square root, and the set keeps half
/// of that for itself: its centre gets nearer to the best, and stays an average of many points.
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
            let units = sobol::points(self.dimensions(), 0, LOOKED_AT, stream.of(seed));
            members = units.iter().map(|unit| region.at(unit)).collect();
            let believed = means(self.about.model(), &members);
            let mut mean = believed.iter();
            members.retain(|_| mean.next().is_some_and(|mean| *mean <= limit));
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
    pub fn centre(&self, seed: u64, settle: impl Fn(&[f64]) -> Vec<f64>) -> Option<Centre> {
        let tolerance = TOLERATED * left_after(self.observations);
        Some(self.about.centre(&self.members(tolerance, seed)?, settle))
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

#[cfg(test)]
mod tests {
    use super::*;
    use dilgp::{Dataset, Model, Prediction, Process, Slope, Summary};
    use nalgebra::{DMatrix, DVector};

    /// A bowl with its bottom at 0.7 in every coordinate, seen through noise.
    #[derive(Debug)]
    struct Bowl {
        noise: Option<f64>,
        summary: Summary,
    }

    impl Bowl {
        fn seen_through(noise: Option<f64>) -> Bowl {
            let data = Dataset::new(DMatrix::zeros(1, 1), DVector::zeros(1));
            let fitted = Process::matern().train(&data.expect("one point"), 1);
            Bowl {
                noise,
                summary: fitted.expect("one point can be fitted").summary().clone(),
            }
        }
    }

    impl Model for Bowl {
        fn predict(&self, x: &DMatrix<f64>) -> Prediction {
            let square = |row: usize| x.row(row).iter().map(|x| (x - 0.7).powi(2)).sum();
            Prediction {
                mean: DVector::from_fn(x.nrows(), |row, _| square(row)),
                std: Some(DVector::from_element(x.nrows(), 0.3)),
                observation_std: self
                    .noise
                    .map(|noise| DVector::from_element(x.nrows(), noise.hypot(0.3))),
            }
        }

        fn slope(&self, _: &[f64]) -> Option<Slope> {
            None
        }

        fn summary(&self) -> &Summary {
            &self.summary
        }
    }

    fn set<'a>(model: &'a Bowl, incumbent: &'a [f64]) -> LevelSet<'a> {
        LevelSet {
            about: Incumbent::at(model, incumbent).expect("finite"),
            observations: 20,
        }
    }

    #[test]
    fn members_are_within_the_tolerance_and_fill_the_set() {
        let bowl = Bowl::seen_through(Some(0.01));
        // The incumbent is at the bottom: the set of tolerance 4 is the ball of radius 0.2.
        let members = set(&bowl, &[0.7, 0.7]).members(4.0, 3).expect("noise");
        let radius = |x: &Vec<f64>| (x[0] - 0.7).hypot(x[1] - 0.7);
        assert!(members.len() >= ENOUGH);
        assert!(members.iter().all(|x| radius(x) <= 0.2 + 1e-12));
        // Evenly: half of the members lie beyond 0.2/√2; standard error of that share 0.05.
        let outer = members
            .iter()
            .filter(|x| radius(x) > 0.2 / 2f64.sqrt())
            .count();
        let share = outer as f64 / members.len() as f64;
        assert!((share - 0.5).abs() < 0.15, "{share}");
    }

    #[test]
    fn a_set_that_is_small_or_in_a_corner_is_found_by_closing_in() {
        let bowl = Bowl::seen_through(Some(1e-5));
        let incumbent = [0.7; 6];
        let members = set(&bowl, &incumbent).members(1.0, 3).expect("noise");
        let far = members
            .iter()
            .flatten()
            .map(|x| (x - 0.7).abs())
            .fold(0.0, f64::max);
        assert!(far <= 1e-5f64.sqrt() + 1e-12, "{far}");
        let exact = Bowl::seen_through(Some(0.0));
        let members = set(&exact, &incumbent).members(1.0, 3).expect("noise");
        assert_eq!(members, [incumbent.to_vec()]);
    }

    #[test]
    fn the_centre_of_a_noisy_bowl_is_its_bottom_wherever_the_incumbent_is() {
        let bowl = Bowl::seen_through(Some(0.02));
        for incumbent in [[0.7, 0.7], [0.6, 0.75], [0.72, 0.9]] {
            let centre = set(&bowl, &incumbent).centre(5, <[f64]>::to_vec);
            let centre = centre.expect("noise").x;
            let off = (centre[0] - 0.7).hypot(centre[1] - 0.7);
            assert!(off < 0.05, "{incumbent:?}: {centre:?}");
        }
    }

    #[test]
    fn draws_differ_by_seed_and_repeat_with_it() {
        let bowl = Bowl::seen_through(Some(0.02));
        let incumbent = [0.7; 3];
        let set = set(&bowl, &incumbent);
        let draw = |seed| set.draw(seed).expect("noise").0;
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn a_model_without_a_noise_has_no_such_set() {
        let bowl = Bowl::seen_through(None);
        assert!(set(&bowl, &[0.5]).members(1.0, 1).is_none());
        assert!(set(&bowl, &[0.5]).draw(1).is_none());
    }

    #[test]
    fn closing_in_finds_what_the_whole_cube_would_miss() {
        // A ball of radius 0.032 in six dimensions: 5e-9 of the cube, 2 % of the smallest box.
        let bowl = Bowl::seen_through(Some(1e-3));
        let incumbent = [0.7; 6];
        let members = set(&bowl, &incumbent).members(1.0, 3).expect("noise");
        assert!(members.len() > SPANNING, "{}", members.len());
        // A ball of radius 0.1 in four: the box that a few members span holds enough of it.
        let bowl = Bowl::seen_through(Some(1e-2));
        let incumbent = [0.7; 4];
        let members = set(&bowl, &incumbent).members(1.0, 3).expect("noise");
        assert!(members.len() >= ENOUGH, "{}", members.len());
        for k in 0..4 {
            let side = |sign: f64| members.iter().any(|x| sign * (x[k] - 0.7) > 0.04);
            assert!(side(1.0) && side(-1.0), "both sides in coordinate {k}");
        }
    }

    #[test]
    fn draws_spread_over_the_widest_set_and_never_leave_it() {
        let bowl = Bowl::seen_through(Some(0.02));
        let incumbent = [0.7; 2];
        let set = set(&bowl, &incumbent);
        // The tolerance is uniform below 2 and the share of the disc's area uniform below it: beyond
        // half of the widest lie (1 - log 2) / 2 = 0.153 of the draws; 4 standard errors are 0.1.
        let beyond = (0..200)
            .filter(|seed| {
                let (x, mean) = set.draw(*seed).expect("noise");
                let square: f64 = x.iter().map(|x| (x - 0.7).powi(2)).sum();
                assert!((mean - square).abs() < 1e-12);
                assert!(mean <= WIDEST * 0.02 + 1e-12, "{seed}: {mean}");
                mean > 0.5 * WIDEST * 0.02
            })
            .count();
        assert!((10..=52).contains(&beyond), "{beyond} of 200");
    }

    #[test]
    fn of_many_observations_the_set_that_is_drawn_from_and_centred_is_narrower() {
        let bowl = Bowl::seen_through(Some(0.02));
        let incumbent = [0.7; 2];
        let farthest = |observations| {
            let set = LevelSet {
                observations,
                ..set(&bowl, &incumbent)
            };
            let drawn = (0..200).map(|seed| set.draw(seed).expect("noise").1);
            drawn.fold(0.0, f64::max)
        };
        let all = farthest(20);
        assert_eq!(farthest(SHRINKING), all);
        // 1,760 are 16 times as many: half of the tolerance, which is uniform below the widest.
        let half = farthest(16 * SHRINKING) / all;
        assert!((half - 0.5).abs() < 0.05, "{half}");
    }

    #[test]
    fn of_a_small_set_any_member_is_drawn() {
        let bowl = Bowl::seen_through(Some(4e-4));
        let incumbent = [0.7; 6];
        let set = set(&bowl, &incumbent);
        let drawn = (0..40).map(|seed| set.draw(seed).expect("noise").0);
        let others = drawn.filter(|x| x[..] != incumbent).count();
        assert!((8..40).contains(&others), "{others} of 40");
    }
}

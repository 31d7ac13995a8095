//! Half box: a problem on half of its box in each coordinate, drawn for each seed around the optimum.
//!
//! Many functions of the literature are least in the middle of their box, or at the same share of
//! each edge, so a method that is drawn to the middle gains there what it would gain on no function
//! that somebody has to minimise (Kudela 2022, "A critical problem in benchmarking and analysis of
//! evolutionary computation methods", Nature Machine Intelligence 4). In half a box an optimum in
//! the middle of the whole lies anywhere, in each coordinate by itself; one on a face or in a corner
//! stays there.

use super::Problem;
use crate::search::{Parameter, Range, Space, Span};
use crate::streams::{Search, Stream};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Edge of the drawn box as a share of the whole one's.
const EDGE: f64 = 0.5;

impl Problem {
    /// The problem in the half of its box that `seed` draws: uniformly among those that hold the
    /// minimiser. Its noise stays that of the whole box.
    pub fn in_half_a_box(&self, seed: u64) -> Problem {
        let mut random = ChaCha8Rng::seed_from_u64(Search::HalfBox.of(seed));
        let unit = self.space.unit(&self.minimiser);
        let unit = unit.expect("a problem's minimiser lies in its box");
        let lows = unit.iter().map(|u| {
            let least = (u - EDGE).max(0.0);
            let greatest = u.min(1.0 - EDGE);
            least + (greatest - least) * random.random::<f64>()
        });
        let low: Vec<f64> = lows.collect();
        let high: Vec<f64> = low.iter().map(|low| low + EDGE).collect();
        let (low, high) = (self.space.natural(&low), self.space.natural(&high));
        let bounds = low.into_iter().zip(high);
        let parameters = self.space.parameters().iter().zip(bounds);
        let parameters = parameters.map(|(parameter, (low, high))| {
            let scale = parameter.range().span().scale;
            let range = Range::Real(Span { low, high, scale });
            Parameter::new(parameter.name(), range).expect("half of a legal span is one")
        });
        Problem {
            name: self.name.clone(),
            space: Space::new(parameters.collect()).expect("names are those of the whole box"),
            minimiser: self.minimiser.clone(),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::comparison::measure::benchmark::{NAMES, Problem, by_name, functions};

    /// Shares of the half box at which the minimiser lies, over 400 seeds.
    fn places(problem: &Problem) -> Vec<Vec<f64>> {
        let at = |seed| {
            let half = problem.in_half_a_box(seed);
            half.space.unit(&half.minimiser).expect("inside")
        };
        (0..400).map(at).collect()
    }

    #[test]
    fn half_a_box_is_half_of_the_box_and_holds_the_optimum() {
        let families = [
            &NAMES[..],
            &functions::looked_at::NAMES,
            &functions::held_back::NAMES,
        ];
        for name in families.concat() {
            let whole = by_name(name).expect("known");
            let half = whole.in_half_a_box(7);
            let span = |p: &Problem, k: usize| p.space.parameters()[k].range().span();
            half.space.unit(&half.minimiser).expect("inside");
            for k in 0..whole.space.dimensions() {
                let ends = [span(&half, k).low, span(&half, k).high].map(|end| {
                    let mut x = whole.minimiser.clone();
                    x[k] = end;
                    whole.space.unit(&x).expect("inside")[k]
                });
                assert!((ends[1] - ends[0] - 0.5).abs() < 1e-9, "{name} {ends:?}");
            }
            assert_eq!(half.noise, whole.noise);
        }
    }

    #[test]
    fn an_optimum_in_the_middle_lies_anywhere_and_one_in_a_corner_stays_there() {
        let middle = places(&by_name("rastrigin5").expect("known"));
        for k in 0..5 {
            let mut column: Vec<f64> = middle.iter().map(|place| place[k]).collect();
            column.sort_by(f64::total_cmp);
            let ranked = column.iter().enumerate();
            let gaps = ranked.map(|(i, place)| (place - (i as f64 + 0.5) / 400.0).abs());
            // Kolmogorov's distance of 400 uniform numbers: .098 is exceeded once in a thousand.
            assert!(gaps.fold(0.0, f64::max) < 0.098, "{k}");
        }
        let apart = middle
            .iter()
            .filter(|place| (place[0] - place[1]).abs() > 0.1);
        assert!(apart.count() > 200);
        let corner = by_name("otl6").expect("known");
        let stays = corner.space.unit(&corner.minimiser).expect("inside");
        assert!(places(&corner).iter().all(|place| *place == stays));
    }
}

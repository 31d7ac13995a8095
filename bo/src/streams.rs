//! Streams: the numbers that tell the random streams of one seed apart, all in one place.
//!
//! Whatever is drawn from a seed is drawn from `mix(seed, stream)` or `mix(seed, stream, step)`,
//! and each purpose has a stream of its own. Streams of one enum meet the same seed, so no two of
//! them share a number; streams of two enums meet different seeds.

/// A purpose of random numbers.
pub trait Stream: Copy {
    /// Its number, which no other purpose of the same seed has.
    fn number(self) -> u64;

    /// The seed of its numbers.
    fn of(self, seed: u64) -> u64 {
        sim::mix(&[seed, self.number()])
    }

    /// The seed of its numbers at one step.
    fn at(self, seed: u64, step: u64) -> u64 {
        sim::mix(&[seed, self.number(), step])
    }

    /// The seed of its numbers at one step of one of several series.
    fn within(self, seed: u64, series: u64, step: u64) -> u64 {
        sim::mix(&[seed, self.number(), series, step])
    }
}

/// Streams of one tuning study, of its tests and of the baselines beside it. A study that takes an
/// earlier run's flights as data has a seed of its own for all but the tests ([`Study::Warm`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Study {
    /// The seed of its search, whose own streams are [`Search`].
    Search = 5,
    /// Winds of the training flights, a step each.
    Training = 11,
    /// Winds of the tests, a series for each domain.
    HeldOut = 12,
    /// The domains of the training flights, a step each.
    Mixture = 13,
    /// Winds of the floor's search, a series for each domain.
    Floor = 14,
    /// The seed of a study with a warm start.
    Warm = 15,
    /// Random search.
    RandomSearch = 21,
    /// CMA-ES.
    Evolution = 22,
    /// The seed of the search by whose belief random search recommends.
    RandomRecommendation = 23,
    /// The floor's CMA-ES, a step for each domain.
    FloorEvolution = 31,
    /// The seed of the search whose beliefs are drawn, a step for each number of evaluations.
    Slices = 41,
    /// The points at which a surrogate is asked how much each gain matters, a step for each number of
    /// evaluations.
    Importance = 42,
}

/// Streams of one optimiser, and of the race that it runs in a benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Search {
    /// Scramble of the initial design.
    Design = 1,
    /// Starts of the fits, a step each.
    Fit = 2,
    /// Raw points of the acquisition, functions drawn and members of level sets, a step each.
    Climb = 3,
    /// Local fits and climbs, a step each.
    Local = 4,
    /// The points of a level set whose centre is recommended, a step each.
    Recommend = 5,
    /// What evaluations under way are supposed to have come to, a step each.
    Pending = 6,
    /// The points of the box by which the noise is judged.
    Regime = 7,
    /// Noise of a benchmark's observations.
    Noise = 11,
    /// Random search beside the optimiser.
    Random = 12,
    /// Which half of its box a problem is restricted to.
    HalfBox = 13,
}

/// Streams of one draw from a level set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Draw {
    /// Scramble of the points of the whole cube.
    Box0 = 0,
    /// The tolerance.
    Tolerance = 1,
    /// Which member.
    Member = 2,
    /// Scramble of the points of the second box, within the first.
    Box1 = 11,
    /// The third.
    Box2 = 12,
    /// The fourth.
    Box3 = 13,
    /// The fifth.
    Box4 = 14,
    /// The sixth.
    Box5 = 15,
}

/// Streams of one function of a regret trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
pub enum Regret {
    /// Scramble of the points that may be evaluated.
    Points = 1,
    /// Scramble of the function's centres, and its weights.
    Function = 2,
    /// Noise of the observations.
    Noise = 3,
}

impl Stream for Study {
    fn number(self) -> u64 {
        self as u64
    }
}

impl Stream for Search {
    fn number(self) -> u64 {
        self as u64
    }
}

impl Stream for Draw {
    fn number(self) -> u64 {
        self as u64
    }
}

impl Stream for Regret {
    fn number(self) -> u64 {
        self as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// The seeds of all streams, on their own and at the first steps, are different.
    fn apart<S: Stream>(streams: &[S]) {
        for seed in [0, 1, 7, u64::MAX] {
            let mut seeds = HashSet::new();
            for stream in streams {
                assert!(seeds.insert(stream.of(seed)));
                for step in 0..200 {
                    assert!(seeds.insert(stream.at(seed, step)));
                    for series in 0..3 {
                        assert!(seeds.insert(stream.within(seed, series, step)));
                    }
                }
            }
        }
    }

    #[test]
    fn no_two_purposes_of_a_seed_share_a_stream() {
        apart(&[
            Study::Search,
            Study::Training,
            Study::HeldOut,
            Study::Mixture,
            Study::Floor,
            Study::Warm,
            Study::RandomSearch,
            Study::Evolution,
            Study::RandomRecommendation,
            Study::FloorEvolution,
            Study::Slices,
        ]);
        use Search::{Climb, Design, Fit, Local, Noise, Random, Recommend};
        apart(&[Design, Fit, Climb, Local, Recommend, Noise, Random]);
        use Draw::{Box0, Box1, Box2, Box3, Box4, Box5, Member, Tolerance};
        apart(&[Box0, Box1, Box2, Box3, Box4, Box5, Tolerance, Member]);
        apart(&[Regret::Points, Regret::Function, Regret::Noise]);
    }
}

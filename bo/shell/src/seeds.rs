//! Seeds: many streams of random numbers from one seed, each for one purpose, so that drawing more
//! numbers for one never shifts those of another.
//!
//! Whatever is drawn from a seed is drawn from `mix(seed, stream)` or `mix(seed, stream, step)`.
//! Streams of one enum meet the same seed, so no two of them share a number; streams of two enums
//! meet different seeds.

use std::collections::HashSet;

/// One seed out of several numbers (a study's seed, a trial's number, a domain's), by chained
/// SplitMix64 finalisers: a bijection in the last number, so that trials of one study never share
/// a wind.
pub fn mix(parts: &[u64]) -> u64 {
    parts.iter().fold(0x9E37_79B9_7F4A_7C15, |hash, part| {
        let mut z = (hash ^ part).wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    })
}

/// A purpose of random numbers.
pub trait Stream: Copy {
    /// Its number, which no other purpose of the same seed has.
    fn number(self) -> u64;

    /// The seed of its numbers.
    fn of(self, seed: u64) -> u64 {
        mix(&[seed, self.number()])
    }

    /// The seed of its numbers at one step.
    fn at(self, seed: u64, step: u64) -> u64 {
        mix(&[seed, self.number(), step])
    }

    /// The seed of its numbers at one step of one of several series.
    fn within(self, seed: u64, series: u64, step: u64) -> u64 {
        mix(&[seed, self.number(), series, step])
    }
}

/// How many seeds the purposes of `streams` have in common, on their own and at their first steps:
/// none, if each has a number of its own.
pub fn shared<S: Stream>(streams: &[S]) -> usize {
    let of_a_seed = |seed: u64| {
        let own = streams.iter().map(move |stream| stream.of(seed));
        let steps = streams.iter().flat_map(move |stream| {
            (0..200).flat_map(move |step| {
                let series = (0..3).map(move |series| stream.within(seed, series, step));
                series.chain([stream.at(seed, step)])
            })
        });
        let seeds: Vec<u64> = own.chain(steps).collect();
        seeds.len() - seeds.iter().collect::<HashSet<_>>().len()
    };
    [0, 1, 7, u64::MAX].map(of_a_seed).iter().sum()
}

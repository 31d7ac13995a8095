//! Shapes: functions on the unit square whose good points lie as good gains may lie, for tests of
//! all that chooses among points. Each is at least 0 and reaches 0.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Standard deviation of the noise that [`observed`] adds.
pub const NOISE: f64 = 0.1;

/// A name and its function.
pub type Shape = (&'static str, fn(&[f64]) -> f64);

/// The shapes.
pub const SHAPES: [Shape; 6] = [
    ("one lump", |x| {
        4.0 * ((x[0] - 0.6).powi(2) + (x[1] - 0.4).powi(2))
    }),
    ("two valleys", |x| {
        8.0 * (x[0] - 0.2).powi(2).min((x[0] - 0.8).powi(2)) + (x[1] - 0.5).powi(2)
    }),
    ("ring", |x| {
        6.0 * ((x[0] - 0.5).hypot(x[1] - 0.5) - 0.35).powi(2)
    }),
    ("face", |x| 1.5 * x[0] + 2.0 * (x[1] - 0.5).powi(2)),
    ("corner", |x| x[0] + 1.0 - x[1]),
    ("plateau", |x| {
        3.0 * ((x[0] - 0.5).hypot(x[1] - 0.5) - 0.3).max(0.0)
    }),
];

/// `count` points of the square and what is seen there through the noise of `seed`.
pub fn observed(value: fn(&[f64]) -> f64, count: usize, seed: u64) -> Vec<(Vec<f64>, f64)> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let points = crate::maximise::points::sobol(2, 0, count, seed);
    points
        .into_iter()
        .map(|x| {
            let z: f64 = StandardNormal.sample(&mut random);
            let y = value(&x) + NOISE * z;
            (x, y)
        })
        .collect()
}

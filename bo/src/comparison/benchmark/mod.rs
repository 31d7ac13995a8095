//! Benchmark: how far the optimiser gets on functions with known optima, and on a plant that crashes.
//!
//! Every problem is a [`Problem`]: a space, a function, its noise and its best value. A [`race`]
//! runs the optimiser and random search on the same initial design, seed by seed; regret is the
//! noise-free value of the point recommended, above the optimum. The engine receives only
//! `noisy`; all else is its default.

pub mod functions;
pub mod plant;
pub mod race;
pub mod report;

use search::Space;

/// Something to be minimised.
pub struct Problem {
    /// Its name.
    pub name: String,
    /// The space, in natural units.
    pub space: Space,
    /// Value without noise; NaN where the evaluation crashes.
    pub value: fn(&[f64]) -> f64,
    /// Standard deviation of the noise added to each observation.
    pub noise: f64,
    /// Where it is least, in natural units; one place of several.
    pub minimiser: Vec<f64>,
    /// The least value.
    pub optimum: f64,
}

/// Names of the problems of the usual table, on which the search may be improved; those of
/// [`functions::table::TEST`] judge it.
pub const NAMES: [&str; 7] = [
    "branin2",
    "hartmann6",
    "ackley5",
    "levy4",
    "rosenbrock4",
    "hartmann6-noisy",
    "pid6",
];

/// Standard deviation of the noise on `hartmann6-noisy`.
const HARTMANN_NOISE: f64 = 0.1;

/// The problem of that name.
pub fn by_name(name: &str) -> Option<Problem> {
    match name {
        "pid6" => Some(plant::problem()),
        "hartmann6-noisy" => Some(Problem {
            name: name.to_owned(),
            noise: HARTMANN_NOISE,
            ..functions::by_name("hartmann6")?
        }),
        _ => functions::by_name(name),
    }
}

/// Names that stand for many problems, with those.
pub const FAMILIES: [(&str, &[&str]); 2] = [
    ("development", &functions::table::DEVELOPMENT),
    ("test", &functions::table::TEST),
];

//! Environments: processes that are told of the weather of each flight.

use super::processes::{
    FLIGHT_NOISE, LOUD_NOISE, auto, auto_covariance, informed, informed_profile, level_set,
    level_set_profile, matern, matern_profile,
};
use super::{AUTO, INFORMED, LEVEL_SET, MATERN};
use dilgp::process::{Believed, Covariance, Dot, Linear, Noise, Part, Product, Scaled, Sum};
use dilgp::{Prior, Process};
use std::ops::Range;
use std::sync::Arc;

/// Those that can be told of environments.
pub const TOLD_OF_ENVIRONMENTS: [&str; 3] = [INFORMED, MATERN, LEVEL_SET];

/// Those that can be told of covariates.
pub const TOLD_OF_COVARIATES: [&str; 4] = [INFORMED, MATERN, LEVEL_SET, AUTO];

/// Names in a sentence; there are at least two.
pub fn in_words(names: &[&str]) -> String {
    let (last, first) = names.split_last().expect("there are some");
    format!("{} or {last}", first.join(", "))
}

/// Belief about the logarithm of the variance that environments have of their own, of standardised
/// targets: about a quarter, give or take a factor of three.
const OWN: Prior = Prior {
    centre: -1.4,
    deviation: 1.2,
};

/// The process of that name for points of `dimensions` gains followed by the `contexts` numbers
/// that describe an environment (a vector q of probabilities that sum to 1), or nothing where the
/// surrogate takes none. With C = q.q' and R the process' own correlation of gains,
///
/// k = a (o + C) R + b (p + C):
///
/// a part of the function that all environments share, a part of its own for each, and a level for
/// each. The noise is the same in all.
pub fn in_environments(name: &str, dimensions: usize, contexts: usize) -> Option<Process> {
    let (gains, environment) = (0..dimensions, dimensions..dimensions + contexts);
    let agreement = Part::new(Linear, environment);
    match name {
        INFORMED => Some(Process {
            noise: Noise::Believed(FLIGHT_NOISE),
            ..Process::new(
                INFORMED,
                shared_and_own(agreement, Part::new(informed_profile(), gains)),
            )
        }),
        LEVEL_SET => Some(Process {
            noise: Noise::Believed(LOUD_NOISE),
            ..Process::new(
                LEVEL_SET,
                shared_and_own(agreement, Part::new(level_set_profile(), gains)),
            )
        }),
        MATERN => Some(Process::new(
            MATERN,
            shared_and_own(agreement, Part::new(matern_profile(), gains)),
        )),
        _ => None,
    }
}

/// a (o + C) R + b (p + C).
fn shared_and_own(
    agreement: Part<Linear>,
    gains: impl Covariance + Clone + 'static,
) -> impl Covariance + 'static {
    let scaled = |agreement| Believed::new(Scaled(agreement), "amplitude", OWN);
    Sum(Product(scaled(agreement.clone()), gains), scaled(agreement))
}

/// The process of that name for points of `dimensions` gains followed by `covariates`, numbers with
/// mean 0 and variance 1 that were not chosen (z: the wind that a flight met), or nothing where it is
/// not among [`TOLD_OF_COVARIATES`]. With K the process' own covariance of gains,
///
/// k = K + b z.z':
///
/// on the logarithm of the cost a covariate has an effect of its own, the same whatever the gains are.
pub fn beside_covariates(name: &str, dimensions: usize, covariates: usize) -> Option<Process> {
    let effect = Scaled(Part::new(Dot, dimensions..dimensions + covariates));
    let effect = Believed::new(effect, "amplitude", OWN);
    let gains = 0..dimensions;
    Some(match name {
        INFORMED => beside(informed(), Scaled(informed_profile()), gains, effect),
        LEVEL_SET => beside(level_set(), Scaled(level_set_profile()), gains, effect),
        MATERN => beside(matern(), Scaled(matern_profile()), gains, effect),
        AUTO => beside(auto(), auto_covariance(), gains, effect),
        _ => return None,
    })
}

/// `process` with an `effect` added to its `own` covariance, which is of the `gains`.
fn beside(
    process: Process,
    own: impl Covariance + 'static,
    gains: Range<usize>,
    effect: impl Covariance + 'static,
) -> Process {
    Process {
        kernel: Arc::new(Sum(Part::new(own, gains), effect)),
        ..process
    }
}

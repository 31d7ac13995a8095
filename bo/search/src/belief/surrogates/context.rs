//! Context: processes with numbers beside the gains, such as the wind of each flight.

use super::processes::{auto, auto_covariance, level_set, level_set_profile};
use super::{AUTO, LEVEL_SET};
use dilgp::process::{Believed, Covariance, Dot, Part, Scaled, Sum};
use dilgp::{Prior, Process};
use std::ops::Range;
use std::sync::Arc;

/// Those that can use covariates.
pub const TOLD_OF_COVARIATES: [&str; 2] = [LEVEL_SET, AUTO];

/// Prior of the logarithm of the variance that covariates have of their own, of standardised
/// targets: about a quarter, give or take a factor of three.
const OWN: Prior = Prior {
    centre: -1.4,
    deviation: 1.2,
};

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
        LEVEL_SET => beside(level_set(), Scaled(level_set_profile()), gains, effect),
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

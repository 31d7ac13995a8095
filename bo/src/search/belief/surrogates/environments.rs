//! Environments: processes that are told of the weather of each flight.

use super::processes::{FLIGHT_NOISE, LOUD_NOISE, informed_profile, level_set_profile};
use super::{INFORMED, LEVEL_SET, MATERN};
use dilgp::process::{
    Believed, Covariance, Lengths, Linear, Matern52, Noise, Part, Product, Radial, Scaled, Sum,
};
use dilgp::{Prior, Process};

/// Those that can be told of environments.
pub const TOLD_OF_ENVIRONMENTS: [&str; 3] = [INFORMED, MATERN, LEVEL_SET];

/// [`TOLD_OF_ENVIRONMENTS`] in a sentence.
pub fn told_of_environments_in_words() -> String {
    let [first @ .., last] = TOLD_OF_ENVIRONMENTS;
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
            shared_and_own(
                agreement,
                Part::new(Radial::new(Matern52, Lengths::Each), gains),
            ),
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

//! Processes: the Gaussian processes of ours, and what each believes before it sees data.

use super::{AUTO, LEVEL_SET, MATERN};
use dilgp::process::{Covariance, Lengths, Level, Matern52, Noise, Radial, Scaled, Sum, Trend};
use dilgp::{Prior, Process};

/// Belief about the logarithm of each length where every gain has its own: about 0.7 of an edge,
/// give or take a factor of two.
pub(super) const OWN_LENGTH: Prior = Prior {
    centre: -0.3,
    deviation: 0.7,
};

/// The same of [`AUTO`]: a little less than half an edge, give or take a factor of two. Shorter
/// lengths trust the model less far from the evaluations.
pub(super) const HALF_AN_EDGE: Prior = Prior {
    centre: -0.8,
    deviation: 0.7,
};

/// Belief about the logarithm of a flight's noise variance where nothing is known of the winds: a
/// third of the targets' variance, give or take a factor of e.
pub(super) const LOUD_NOISE: Prior = Prior {
    centre: -1.0,
    deviation: 1.0,
};

/// Belief about the logarithm of the noise variance of a flight on standardised targets: one wind
/// differs from the next by about a third of the targets' spread.
pub(super) const FLIGHT_NOISE: Prior = Prior {
    centre: -2.0,
    deviation: 1.0,
};

/// Variance of the unknown level of [`AUTO`], of standardised targets: so wide that the observations
/// decide. One and sixteen choose points that lose as few flights.
const WIDE: Level = Level(4.0);

/// What the process of [`MATERN`] is added to in noise: an unknown level, and an unknown slope and curvature
/// about the middle of the box. What they do to regret stands in docs/evidence/tuner.md.
const TREND: Trend = Trend {
    level: 16.0,
    about: 0.5,
};

/// Belief about the length of a parameter in the unit cube: log N(-0.7, 1), half the cube give or
/// take a factor of e. Longer ones smooth a search's few points into a plane.
const HALF_THE_CUBE: Prior = Prior {
    centre: -0.7,
    deviation: 1.0,
};

/// The process of that name, [`AUTO`] or [`MATERN`], for an objective with noise or without. What
/// [`AUTO`] believes of the level was chosen for flights; what is without noise has none, and no trend.
pub fn growing(name: &str, noisy: bool) -> Option<Process> {
    Some(match (name, noisy) {
        (AUTO, true) => auto(),
        (AUTO, false) => deterministic(AUTO, Scaled(auto_profile())),
        (MATERN, true) => Process::new(MATERN, Sum(Scaled(any_profile()), TREND)),
        (MATERN, false) => deterministic(MATERN, Scaled(any_profile())),
        _ => return None,
    })
}

/// A length of its own for each parameter of any function.
fn any_profile() -> Radial<Matern52> {
    Radial::new(Matern52, Lengths::Each).with_length_prior(HALF_THE_CUBE)
}

fn deterministic(name: &'static str, covariance: impl Covariance + 'static) -> Process {
    Process {
        noise: Noise::DETERMINISTIC,
        ..Process::new(name, covariance)
    }
}

/// A Matern-5/2 process with a length for each gain and beliefs about lengths and noise.
pub(super) fn level_set() -> Process {
    Process {
        noise: Noise::Believed(LOUD_NOISE),
        ..Process::new(LEVEL_SET, Scaled(level_set_profile()))
    }
}

/// A Matern-5/2 process of unknown level with a length for each parameter, of what finished.
pub(super) fn auto() -> Process {
    Process {
        noise: Noise::Believed(FLIGHT_NOISE),
        ..Process::new(AUTO, auto_covariance())
    }
}

pub(super) fn auto_covariance() -> Sum<Scaled<Radial<Matern52>>, Level> {
    Sum(Scaled(auto_profile()), WIDE)
}

fn auto_profile() -> Radial<Matern52> {
    Radial::new(Matern52, Lengths::Each).with_length_prior(HALF_AN_EDGE)
}

pub(super) fn level_set_profile() -> Radial<Matern52> {
    Radial::new(Matern52, Lengths::Each).with_length_prior(OWN_LENGTH)
}

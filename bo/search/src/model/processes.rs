//! Processes: our Gaussian processes with their priors.

use dilgp::process::{
    Covariance, Dot, Lengths, Level, Matern52, Noise, Part, Radial, Scaled, Sum, Trend, WithPrior,
};
use dilgp::{Prior, Process};
use std::ops::Range;
use std::sync::Arc;

/// A process for any costly function, the default of `bo serve`: a length for each parameter, refitted from
/// where it was, and grown by a row between refits. It expects lengths of about half the cube. In noise it has
/// a trend of unknown level, slope and curvature.
pub const MATERN: &str = "matern";

/// Ours where noise dominates: a process with a length for each parameter, searched and recommended
/// by level sets unless another acquisition is named.
pub(crate) const LEVEL_SET: &str = "gp-level-set";

/// Ours for any noise: a process for values and one for losses, searched by the knowledge gradient;
/// `gp-level-set` in its place while noise dominates; unless something else is named.
pub const AUTO: &str = "auto";

/// Prior of the logarithm of each length where every gain has its own: about 0.7 of an edge,
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

/// Prior of the logarithm of a flight's noise variance where nothing is known of the winds: a
/// third of the targets' variance, give or take a factor of e.
pub(super) const LOUD_NOISE: Prior = Prior {
    centre: -1.0,
    deviation: 1.0,
};

/// Prior of the logarithm of the noise variance of a flight on standardised targets: one wind
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

/// Posterior about the length of a parameter in the unit cube: log N(-0.7, 1), half the cube give or
/// take a factor of e. Longer ones smooth a search's few points into a plane.
const HALF_THE_CUBE: Prior = Prior {
    centre: -0.7,
    deviation: 1.0,
};

/// The process of that name, [`AUTO`] or [`MATERN`], for an objective with noise or without. The
/// prior of the level of [`AUTO`] was chosen for flights; without noise there is no level and no trend.
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

/// Of the slack of a constraint, which has no noise.
pub(super) fn slack() -> Process {
    deterministic("slack", Scaled(any_profile()))
}

/// Of what an evaluation measures beside its value.
pub(super) fn output(noisy: bool) -> Process {
    match noisy {
        true => Process {
            noise: Noise::WithPrior(FLIGHT_NOISE),
            ..Process::new("output", Scaled(any_profile()))
        },
        false => deterministic("output", Scaled(any_profile())),
    }
}

/// A Matern-5/2 process with a length for each gain and beliefs about lengths and noise.
pub(super) fn level_set() -> Process {
    Process {
        noise: Noise::WithPrior(LOUD_NOISE),
        ..Process::new(LEVEL_SET, Scaled(level_set_profile()))
    }
}

/// A Matern-5/2 process of unknown level with a length for each parameter, of what finished.
pub(super) fn auto() -> Process {
    Process {
        noise: Noise::WithPrior(FLIGHT_NOISE),
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

/// Those that can use covariates.
pub const CONTEXTUAL: [&str; 2] = [LEVEL_SET, AUTO];

/// Prior of the logarithm of the variance that covariates have of their own, of standardised
/// targets: about a quarter, give or take a factor of three.
const OWN: Prior = Prior {
    centre: -1.4,
    deviation: 1.2,
};

/// The process of that name for points of `dimensions` gains followed by `covariates`, numbers with
/// mean 0 and variance 1 that were not chosen (z: the wind of a flight); `None` unless it is one of
/// [`CONTEXTUAL`]. With K the process' own covariance of gains,
///
/// k = K + b z.z':
///
/// so a covariate has an effect of its own on the logarithm of the cost, the same for all gains.
pub fn with_context(name: &str, dimensions: usize, covariates: usize) -> Option<Process> {
    let effect = Scaled(Part::new(Dot, dimensions..dimensions + covariates));
    let effect = WithPrior::new(effect, "amplitude", OWN);
    let gains = 0..dimensions;
    Some(match name {
        LEVEL_SET => with_effect(level_set(), Scaled(level_set_profile()), gains, effect),
        AUTO => with_effect(auto(), auto_covariance(), gains, effect),
        _ => return None,
    })
}

/// `process` with an `effect` added to its `own` covariance, which is of the `gains`.
fn with_effect(
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

//! Prior: a weak normal distribution of the logarithm of a positive hyper-parameter, and what is set of
//! the noise.
//!
//! Priors keep a fit finite where the data say nothing (one point, constant targets) and are
//! overruled by a few points that do say something.

use crate::minimise::Evaluation;

/// `eta ~ N(centre, deviation^2)`, where eta is a natural logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// Mean of the logarithm.
    pub centre: f64,
    /// Standard deviation of the logarithm.
    pub deviation: f64,
}

/// The noise variance on standardised targets: log s2 ~ N(log 0.01, 3^2), that is noise of a
/// tenth of the targets' spread, give or take a factor of 4.5 either way at one deviation.
pub const NOISE: Prior = Prior {
    centre: -4.605_170_185_988_091, // ln 0.01
    deviation: 3.0,
};

impl Prior {
    /// Of order 1: log ~ N(0, 1.5^2).
    pub const NEAR_ONE: Self = Self {
        centre: 0.0,
        deviation: 1.5,
    };

    /// Minus the logarithm of the density at `eta`, without its constant, and its derivative.
    pub fn penalty(&self, eta: f64) -> (f64, f64) {
        let z = (eta - self.centre) / self.deviation;
        (0.5 * z * z, z / self.deviation)
    }
}

/// Adds to a value and its gradient by `eta` minus the log density of each entry under its prior,
/// without its constant, divided by `points`.
pub(crate) fn add_costs(priors: &[Prior], eta: &[f64], points: f64, whole: &mut Evaluation) {
    for ((prior, eta), slope) in priors.iter().zip(eta).zip(&mut whole.gradient) {
        let (cost, by_eta) = prior.penalty(*eta);
        whole.value += cost / points;
        *slope += by_eta / points;
    }
}

/// What is set of the noise of an observation before training: by how much it differs from the
/// function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Noise {
    /// Its variance is a hyper-parameter, log s2 ~ N(log 0.01, 3^2) on standardised targets.
    Inferred,
    /// Its variance is a hyper-parameter with this prior of its logarithm on standardised
    /// targets.
    WithPrior(Prior),
    /// Its variance on standardised targets is given: not negative.
    Fixed(f64),
}

impl Noise {
    /// For an objective without noise: a variance of 1e-8, which the matrix needs.
    pub const DETERMINISTIC: Self = Self::Fixed(1e-8);
}

/// What is known of the noise of one row of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Own {
    /// How much of the common noise it has: one over the number of observations that its target is the mean of.
    pub share: f64,
    /// Its variance beside that.
    pub variance: f64,
}

impl Own {
    /// Of a single observation of which nothing is known.
    pub const NOTHING: Self = Self {
        share: 1.0,
        variance: 0.0,
    };
}

/// The variance of an observation around the function, on standardised targets.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NoiseVariance {
    /// The same everywhere.
    Same(f64),
    /// The same everywhere, and for each row of the sample its share of it and what is known beside it.
    OfRow { common: f64, own: Vec<Own> },
    /// That of the group whose number, from 0, is a coordinate of the point.
    OfGroup {
        coordinate: usize,
        variances: Vec<f64>,
    },
}

impl NoiseVariance {
    /// The same everywhere, with what is known of the rows of the sample, unless that is empty.
    pub fn of(common: f64, own: &[Own]) -> Self {
        match own {
            [] => Self::Same(common),
            own => Self::OfRow {
                common,
                own: own.to_vec(),
            },
        }
    }

    /// The variance of the observation in a row of the sample, at `x`.
    pub fn of_row(&self, row: usize, x: &[f64]) -> f64 {
        let own = self.own(row);
        own.share * self.at(x) + own.variance
    }

    fn own(&self, row: usize) -> Own {
        match self {
            Self::OfRow { own, .. } => own[row],
            _ => Own::NOTHING,
        }
    }

    /// How much of the common variance a row of the sample has.
    pub fn share(&self, row: usize) -> f64 {
        self.own(row).share
    }

    /// The variance that rows share, where it is not that of groups.
    pub fn common(&self) -> f64 {
        match self {
            Self::Same(common) | Self::OfRow { common, .. } => *common,
            Self::OfGroup { .. } => f64::NAN,
        }
    }

    /// The variance of another observation at `x`.
    pub fn at(&self, x: &[f64]) -> f64 {
        match self {
            Self::Same(variance)
            | Self::OfRow {
                common: variance, ..
            } => *variance,
            Self::OfGroup {
                coordinate,
                variances,
            } => variances[x[*coordinate] as usize],
        }
    }
}

//! Noise: by how much an observation differs from the function.

use crate::process::prior::Prior;

/// What is known of the noise of an observation before training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Noise {
    /// Its variance is a hyper-parameter, log s2 ~ N(log 0.01, 3^2) on standardised targets.
    Inferred,
    /// Its variance is a hyper-parameter with this belief about the logarithm of its variance on
    /// standardised targets, for who knows more.
    Believed(Prior),
    /// Its variance on standardised targets is given: not negative.
    Fixed(f64),
}

impl Noise {
    /// For an objective without noise: a variance of 1e-8, which the matrix needs.
    pub const DETERMINISTIC: Self = Self::Fixed(1e-8);
}

/// The variance of an observation around the function, on standardised targets.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NoiseVariance {
    /// The same everywhere.
    Same(f64),
    /// That of the group whose number, from 0, is a coordinate of the point.
    OfGroup {
        coordinate: usize,
        variances: Vec<f64>,
    },
}

impl NoiseVariance {
    /// The variance at `x`.
    pub fn at(&self, x: &[f64]) -> f64 {
        match self {
            Self::Same(variance) => *variance,
            Self::OfGroup {
                coordinate,
                variances,
            } => variances[x[*coordinate] as usize],
        }
    }
}

//! Lengths: the length scales in which a radial covariance measures distance, as parameters.

use crate::process::covariance::Parameter;
use crate::process::prior::Prior;

/// How many length scales a radial covariance has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lengths {
    /// One for each coordinate: automatic relevance determination.
    Each,
    /// One for all coordinates.
    Shared,
    /// One for all coordinates, the parameter being its square: twice the logarithm, so that a
    /// descent takes other steps than along the length itself.
    SharedSquare,
}

impl Lengths {
    /// Parameters of points of so many coordinates.
    pub(super) fn count(self, dimensions: usize) -> usize {
        match self {
            Lengths::Each => dimensions,
            Lengths::Shared | Lengths::SharedSquare => 1,
        }
    }

    /// 1 / l_k^2.
    #[inline(always)]
    pub(super) fn rate(self, theta: &[f64], k: usize) -> f64 {
        match self {
            Lengths::Each => 1.0 / (theta[k] * theta[k]),
            Lengths::Shared => 1.0 / (theta[0] * theta[0]),
            Lengths::SharedSquare => 1.0 / theta[0],
        }
    }

    /// The parameters, with `prior` as the belief about the logarithm of each length.
    pub(super) fn parameters(self, dimensions: usize, prior: Prior) -> Vec<Parameter> {
        match self {
            Lengths::Shared => vec![Parameter::new("length", prior)],
            Lengths::SharedSquare => {
                let of_square = Prior {
                    centre: 2.0 * prior.centre,
                    deviation: 2.0 * prior.deviation,
                };
                vec![Parameter::new("length_squared", of_square)]
            }
            Lengths::Each => (1..=dimensions)
                .map(|k| Parameter::new(format!("length_{k}"), prior))
                .collect(),
        }
    }
}

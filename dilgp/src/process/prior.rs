//! Prior: a weak normal belief about the logarithm of a positive hyper-parameter.
//!
//! Priors keep a fit finite where the data say nothing (one point, constant targets) and are
//! overruled by a few points that do say something.

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
    /// Minus the logarithm of the density at `eta`, without its constant, and its derivative.
    pub fn penalty(&self, eta: f64) -> (f64, f64) {
        let z = (eta - self.centre) / self.deviation;
        (0.5 * z * z, z / self.deviation)
    }
}

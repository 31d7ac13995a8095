//! Expected improvement on the best value, and its logarithm.
//!
//! With z = (best - mean) / std: EI = std h(z), h(z) = phi(z) + z Phi(z) (Mockus 1978; Jones,
//! Schonlau and Welch 1998). Far from the best h underflows and its gradient with it; its logarithm
//! does not (Ament et al., "Unexpected improvements to expected improvement", NeurIPS 2023).

use crate::maximise::{Criterion, Worth};
use crate::model::normal::{TAIL, below, continued, density};
use std::f64::consts::PI;

/// A standard deviation below which a point counts as known.
const SMALLEST: f64 = 1e-150;

/// Expected improvement on `best`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Improvement {
    /// The value to improve on.
    pub best: f64,
}

/// Logarithm of the expected improvement on `best`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogImprovement {
    /// The value to improve on.
    pub best: f64,
}

impl Criterion for Improvement {
    fn worth(&self, mean: f64, std: f64) -> Worth {
        if std < SMALLEST {
            let value = (self.best - mean).max(0.0);
            return Worth {
                value,
                by_mean: if value > 0.0 { -1.0 } else { 0.0 },
                by_std: 0.0,
            };
        }
        let z = (self.best - mean) / std;
        let (density, below) = (density(z), below(z));
        Worth {
            value: std * log_improvement(z).0.exp(),
            by_mean: -below,
            by_std: density,
        }
    }
}

impl Criterion for LogImprovement {
    fn worth(&self, mean: f64, std: f64) -> Worth {
        if std < SMALLEST {
            let value = (self.best - mean).max(0.0).ln();
            return Worth {
                value,
                by_mean: 0.0,
                by_std: 0.0,
            };
        }
        let z = (self.best - mean) / std;
        let (log, slope) = log_improvement(z);
        Worth {
            value: std.ln() + log,
            by_mean: -slope / std,
            by_std: (1.0 - slope * z) / std,
        }
    }
}

/// log h(z) and its derivative Phi(z) / h(z), for any finite z.
///
/// In the tail, with t = -z and Mills' ratio M = (1 - Phi(t)) / phi(t), h = phi (1 - t M). The
/// continued fraction of Laplace, M = 1 / (t + 1 / (t + 2 / (t + 3 / ...))), gives t M = 1 - M c
/// with c = 1 / (t + 2 / (t + ...)), so that 1 - t M = M c without cancellation.
pub fn log_improvement(z: f64) -> (f64, f64) {
    if z > TAIL {
        let (density, below) = (density(z), below(z));
        let h = density + z * below;
        return (h.ln(), below / h);
    }
    let d = continued(-z);
    let c = 1.0 / d;
    let mills = 1.0 / (c - z);
    let log_density = -0.5 * z * z - 0.5 * (2.0 * PI).ln();
    (log_density + mills.ln() + c.ln(), d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    /// log h(z) to 50 digits, rounded: computed with mpmath from its definition.
    #[allow(clippy::excessive_precision)] // as the reference printed them
    const REFERENCE: [(f64, f64); 8] = [
        (-10000.0, -50000019.339619307),
        (-100.0, -5010.1295788002498),
        (-30.0, -457.724653760598),
        (-6.0, -22.578879392169797),
        (-3.0, -7.8696860596030285),
        (-1.0, -2.4851210257126413),
        (0.5, -0.35982768374506382),
        (8.0, 2.0794415416798359),
    ];

    #[test]
    fn the_logarithm_is_right_from_far_below_to_far_above() {
        for (z, log) in REFERENCE {
            assert_relative_eq!(log_improvement(z).0, log, max_relative = 1e-9);
        }
    }

    #[test]
    fn both_formulas_agree_where_they_meet() {
        let (above, below) = (log_improvement(TAIL + 1e-9), log_improvement(TAIL - 1e-9));
        assert_relative_eq!(above.0, below.0, max_relative = 1e-8);
        assert_relative_eq!(above.1, below.1, max_relative = 1e-8);
    }

    #[test]
    fn the_logarithm_rises_everywhere_and_keeps_a_gradient() {
        let mut before = f64::NEG_INFINITY;
        for step in 0..=4000 {
            let z = -1e4 + 2.505 * f64::from(step);
            let (log, slope) = log_improvement(z);
            assert!(log > before && slope > 0.0 && slope.is_finite(), "{z}");
            before = log;
        }
    }

    #[test]
    fn improvement_is_that_of_the_textbook() {
        // mean 1, std 2, best 2: z = 1/2; 2 (phi(.5) + .5 Phi(.5)).
        let value = Improvement { best: 2.0 }.worth(1.0, 2.0).value;
        let by_hand = 2.0 * (0.352_065_326_764_299_5 + 0.5 * 0.691_462_461_274_013_1);
        assert_relative_eq!(value, by_hand, max_relative = 1e-12);
    }

    #[test]
    fn of_a_known_point_the_improvement_is_what_it_is_with_its_slope() {
        let worth = Improvement { best: 2.0 }.worth(1.5, 0.0);
        assert_eq!((worth.value, worth.by_mean, worth.by_std), (0.5, -1.0, 0.0));
        for mean in [2.0, 3.0] {
            let worth = Improvement { best: 2.0 }.worth(mean, 0.0);
            assert_eq!((worth.value, worth.by_mean, worth.by_std), (0.0, 0.0, 0.0));
        }
        let log = LogImprovement { best: 2.0 }.worth(1.5, 0.0);
        assert_eq!(
            (log.value, log.by_mean, log.by_std),
            (0.5f64.ln(), 0.0, 0.0)
        );
    }
}

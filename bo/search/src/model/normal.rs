//! Normal: the standard normal distribution, also far out in its tail.

use shell::statistics::complementary_error;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Below this z the closed form loses digits and the continued fraction is used.
pub const TAIL: f64 = -3.0;

/// Terms of the continued fraction; at z = -3 it has then converged to rounding.
const TERMS: u32 = 80;

/// The density at `z`.
pub fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// The probability below `z`.
pub fn below(z: f64) -> f64 {
    0.5 * complementary_error(-z * FRAC_1_SQRT_2)
}

/// Of the tail: t + 2 / (t + 3 / (t + ...)), from the innermost term outwards.
pub fn continued(t: f64) -> f64 {
    let terms = (2..TERMS).rev();
    terms.fold(t, |inner, k| t + f64::from(k) / inner)
}

/// log Phi(z) and its derivative phi(z) / Phi(z), for any finite z.
pub fn log_normal_below(z: f64) -> (f64, f64) {
    if z > TAIL {
        let below = below(z);
        return (below.ln(), density(z) / below);
    }
    // 1 / M of the tail.
    let slope = 1.0 / continued(-z) - z;
    let log_density = -0.5 * z * z - 0.5 * (2.0 * PI).ln();
    (log_density - slope.ln(), slope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn the_logarithm_of_the_normal_distribution_is_right_far_below_and_its_slope_too() {
        // log Phi from mpmath to 50 digits, rounded.
        for (z, log) in [
            (-100.0, -5005.524208694205),
            (-10.0, -53.23128515051247),
            (-3.0, -6.607726221510343),
            (0.0, -std::f64::consts::LN_2),
            (2.0, -0.023012909328963486),
        ] {
            assert_relative_eq!(log_normal_below(z).0, log, max_relative = 1e-9);
            let by_difference =
                (log_normal_below(z + 1e-5).0 - log_normal_below(z - 1e-5).0) / 2e-5;
            assert_relative_eq!(log_normal_below(z).1, by_difference, max_relative = 1e-5);
        }
        let (above, below) = (log_normal_below(TAIL + 1e-9), log_normal_below(TAIL - 1e-9));
        assert_relative_eq!(above.0, below.0, max_relative = 1e-8);
    }
}

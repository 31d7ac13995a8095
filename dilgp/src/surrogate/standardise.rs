//! Standardise: targets as multiples of their standard deviation around their mean.

use nalgebra::DVector;

/// Spread below this multiple of the largest target is rounding, not variation.
const SMALLEST_RELATIVE_SPREAD: f64 = 1e-13;

/// The shift and scale between the caller's units and standardised ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standardisation {
    /// Mean of the targets, in the caller's units.
    pub mean: f64,
    /// Their standard deviation (over n, not n - 1); 1 where the targets are constant.
    pub scale: f64,
}

impl Standardisation {
    /// That of `y`, which must not be empty. Works for targets of any finite magnitude.
    pub fn of(y: &DVector<f64>) -> Self {
        let n = y.len() as f64;
        let largest = y.amax();
        if largest == 0.0 {
            return Self {
                mean: 0.0,
                scale: 1.0,
            };
        }
        // In units of the largest target, so that no square over- or underflows.
        let mean = y.iter().map(|y| y / largest).sum::<f64>() / n;
        let variance = y.iter().map(|y| (y / largest - mean).powi(2)).sum::<f64>() / n;
        let spread = variance.sqrt();
        let scale = spread * largest;
        Self {
            mean: mean * largest,
            scale: if spread > SMALLEST_RELATIVE_SPREAD && scale >= f64::MIN_POSITIVE {
                scale
            } else {
                1.0
            },
        }
    }

    /// The targets with mean 0 and, unless constant, variance 1.
    pub fn apply(&self, y: &DVector<f64>) -> DVector<f64> {
        y.map(|y| (y - self.mean) / self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_any_magnitude_get_mean_zero_and_variance_one() {
        for magnitude in [1e-300, 1e-12, 1.0, 1e12, 1e300] {
            let y = DVector::from_vec(vec![1.0, 2.0, 4.0, 9.0]) * magnitude;
            let units = Standardisation::of(&y);
            let z = units.apply(&y);
            approx::assert_abs_diff_eq!(z.mean(), 0.0, epsilon = 1e-14);
            approx::assert_relative_eq!(z.norm_squared() / 4.0, 1.0, max_relative = 1e-12);
        }
    }

    #[test]
    fn constant_targets_have_scale_one_even_where_their_mean_is_rounded() {
        for value in [0.0, 0.1, -7.3e11] {
            let units = Standardisation::of(&DVector::from_element(7, value));
            assert_eq!(units.scale, 1.0);
            approx::assert_relative_eq!(units.mean, value, max_relative = 1e-15);
        }
    }
}

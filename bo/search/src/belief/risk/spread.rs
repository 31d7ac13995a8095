//! Spread: how far an evaluation that finishes lies from what is believed of it.
//!
//! Losses by chance are few, and a few say little of where they are likely. What nearly was lost
//! finished with a value far from what others there have: among 48,789 evaluations of figure-8
//! gains the standard deviation of the logarithm of the error about its mean grows from 0.24 where
//! fewer than one flight in two hundred is lost to 0.49 where one in ten is. Every evaluation tells
//! of that, so a process ([`Smooth`]) regresses the absolute deviation of values from their
//! posterior mean.

use super::smooth::Smooth;
use dilgp::Error;
use nalgebra::{DMatrix, DVector};

/// What is believed of the mean absolute deviation over the cube.
pub struct Spread(Smooth);

impl Spread {
    /// Learnt from the values `y` of the evaluations that finished at the rows of `x`, of which
    /// `means` was believed.
    ///
    /// # Errors
    /// Numbers that defeat the process.
    pub fn learnt(
        x: &DMatrix<f64>,
        y: &DVector<f64>,
        means: &DVector<f64>,
        before: Option<&Spread>,
    ) -> Result<Spread, Error> {
        let before = before.map(|spread| &spread.0);
        Smooth::learnt(x, (y - means).abs(), before, true).map(Spread)
    }

    /// The deviation at each row of `x`, in the units of the values.
    pub fn deviations(&self, x: &DMatrix<f64>) -> Vec<f64> {
        let raw = self.0.cautious(x);
        raw.into_iter()
            .map(|deviation| deviation.max(0.0))
            .collect()
    }

    /// The deviation at `x` and its gradient, which is zero where it is 0.
    pub fn slope(&self, x: &[f64]) -> Option<(f64, Vec<f64>)> {
        let (raw, gradient) = self.0.slope(x)?;
        if raw >= 0.0 {
            return Some((raw, gradient));
        }
        Some((0.0, vec![0.0; x.len()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::view::matrix;
    use crate::climb::sobol;
    use rand::SeedableRng;
    use rand_distr::{Distribution, StandardNormal};

    #[test]
    fn what_is_louder_to_the_right_is_found_to_be() {
        // The standard deviation grows from 0.05 to 0.45; the mean absolute one of a normal number is
        // sqrt(2 / pi) times that.
        let points = sobol::points(2, 0, 200, 4);
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let y = DVector::from_fn(200, |k, _| {
            let z: f64 = StandardNormal.sample(&mut random);
            3.0 + (0.05 + 0.4 * points[k][0]) * z
        });
        let believed = DVector::from_element(200, 3.0);
        let spread = Spread::learnt(&matrix(&points), &y, &believed, None).expect("fits");
        let found = spread.deviations(&matrix(&[[0.1, 0.5], [0.5, 0.5], [0.9, 0.5]]));
        for (found, x) in found.iter().zip([0.1, 0.5, 0.9]) {
            let true_one = (0.05 + 0.4 * x) * (2.0 / std::f64::consts::PI).sqrt();
            // A standard deviation of caution above it, and some eighty numbers' worth of luck.
            assert!(
                *found > 0.7 * true_one && *found < 1.5 * true_one + 0.05,
                "{found} at {x}, {true_one}"
            );
        }
    }
}

//! SmoothProcess: a smooth function over the cube other than the value, such as the probability of a
//! loss.
//!
//! A Matern-5/2 process with one length. A handful of losses, or deviations of single evaluations,
//! says little of its hyper-parameters, so they have informative priors.

use dilgp::process::{FittedProcess, Lengths, Matern52, Noise, Radial, Scaled, WithPrior};
use dilgp::{Dataset, Effort, Error, Model, Prior, Process};
use nalgebra::{DMatrix, DVector};

/// Posterior about the logarithm of the function's variance, on standardised numbers: about 0.6.
const AMPLITUDE: Prior = Prior {
    centre: -0.51,
    deviation: 0.5,
};

/// The same of its length in the unit cube, one for every parameter: about 0.6.
const LENGTH: Prior = Prior {
    centre: -0.51,
    deviation: 0.8,
};

/// The same of the variance of a number about the function: about 0.4, give or take a factor of
/// three. WithPrior more loosely, single losses by chance were taken for edges that nothing else
/// shows; more tightly, edges for chance.
const NOISE: Prior = Prior {
    centre: -0.92,
    deviation: 1.0,
};

/// Standard deviations above the posterior mean where a point is judged or tried. Two where it is
/// to be tried lose fewer evaluations, and keep away from optima in corners that little is known
/// of.
const CAUTION: f64 = 1.0;

/// Numbers beyond which the three hyper-parameters are known well enough to be kept: a search for
/// them costs O(n^3) a step.
const SETTLED: usize = 200;

/// A search for them begins at the prior's centre, which is close to its end.
const EFFORT: Effort = Effort {
    evaluations: 30,
    smallest_decrease: 1e-3,
    smallest_gradient: 1e-2,
};

/// The posterior of such a function.
pub struct SmoothProcess {
    process: FittedProcess,
    most: f64,
}

impl SmoothProcess {
    /// Fitted from the numbers `y` at the rows of `x`. Hyper-parameters are those of `before`, where
    /// there is one and no search is `due` or they are settled. A search begins at the prior's
    /// centre: begun where the last one ended it stayed in lengths so short that only visited points
    /// looked safe.
    ///
    /// # Errors
    /// Numbers that defeat the process.
    pub fn learnt(
        x: &DMatrix<f64>,
        y: DVector<f64>,
        most: f64,
        before: Option<&SmoothProcess>,
        due: bool,
    ) -> Result<SmoothProcess, Error> {
        let profile = Radial::new(Matern52, Lengths::Shared).with_length_prior(LENGTH);
        let process = Process {
            noise: Noise::WithPrior(NOISE),
            effort: EFFORT,
            ..Process::new(
                "smooth",
                WithPrior::new(Scaled(profile), "amplitude", AMPLITUDE),
            )
        };
        let kept = before.filter(|_| !due || y.len() > SETTLED);
        let data = Dataset::new(x.clone(), y)?;
        let process = match kept {
            Some(before) => process.condition(&data, before.process.eta())?,
            None => {
                let from = [AMPLITUDE, LENGTH, NOISE].map(|prior| prior.centre);
                process.fit_from(&data, &from, false, 0)?
            }
        };
        Ok(SmoothProcess { process, most })
    }

    /// The posterior mean and a standard deviation of caution at each row of `x`.
    pub fn cautious(&self, x: &DMatrix<f64>) -> Vec<f64> {
        let believed = self.process.predict(x);
        let std = believed.std.unwrap_or_else(|| DVector::zeros(x.nrows()));
        let pairs = believed.mean.iter().zip(std.iter());
        let cautious = pairs.map(|(mean, std)| mean + CAUTION * std);
        cautious.map(|y| y.clamp(0.0, self.most)).collect()
    }

    /// The same at `x`, with its gradient.
    pub fn slope(&self, x: &[f64]) -> Option<(f64, Vec<f64>)> {
        let slope = self.process.slope(x)?;
        let of_std = slope.std_gradient?;
        let pairs = slope.mean_gradient.iter().zip(&of_std);
        let raw = slope.mean + CAUTION * slope.std?;
        let inside = f64::from((0.0..=self.most).contains(&raw));
        let gradient = pairs.map(|(mean, std)| inside * (mean + CAUTION * std));
        Some((raw.clamp(0.0, self.most), gradient.collect()))
    }

    /// Its hyper-parameters, and the noise among them.
    #[cfg(test)]
    pub fn found(&self) -> (Vec<f64>, f64) {
        let noise = self.process.summary().hyperparameter("noise");
        (
            self.process.eta().to_vec(),
            noise.expect("a process has one"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maximise::points;
    use crate::model::context::matrix;
    use approx::assert_abs_diff_eq;

    fn learnt(of: impl Fn(usize, &[f64]) -> f64) -> (DMatrix<f64>, DVector<f64>, SmoothProcess) {
        let points = points::sobol(2, 0, 80, 4);
        let y = DVector::from_fn(80, |k, _| of(k, &points[k]));
        let x = matrix(&points);
        let smooth = SmoothProcess::learnt(&x, y.clone(), 1.0, None, true).expect("fits");
        (x, y, smooth)
    }

    #[test]
    fn an_edge_is_sharp_and_chance_is_noise() {
        let (_, _, edge) = learnt(|_, x| f64::from(u8::from(x[0] > 0.6)));
        let (_, _, chance) = learnt(|k, _| f64::from(u8::from(k % 3 == 0)));
        assert!(edge.found().1 < 0.1, "{}", edge.found().1);
        assert!(chance.found().1 > 0.5, "{}", chance.found().1);
        let sides = edge.cautious(&matrix(&[[0.5, 0.5], [0.7, 0.5]]));
        assert!(sides[0] < 0.2 && sides[1] > 0.8, "{sides:?}");
    }

    #[test]
    fn between_searches_hyper_parameters_stay_what_they_were() {
        let (x, mut y, before) = learnt(|_, x| f64::from(u8::from(x[0] > 0.6)));
        y[79] = 1.0 - y[79];
        let eta = |due| {
            let again =
                SmoothProcess::learnt(&x, y.clone(), 1.0, Some(&before), due).expect("fits");
            again.found().0
        };
        assert_eq!(eta(false), before.found().0);
        assert_ne!(eta(true), before.found().0);
    }

    #[test]
    fn slopes_agree_with_differences() {
        let (_, _, smooth) = learnt(|_, x| x[0] * x[0] + 0.3 * x[1]);
        for x in [[0.3, 0.4], [0.9, 0.2], [0.1, 0.95]] {
            let (value, gradient) = smooth.slope(&x).expect("differentiable");
            assert_abs_diff_eq!(value, smooth.cautious(&matrix(&[x]))[0], epsilon = 1e-9);
            for k in 0..2 {
                let at = |h: f64| {
                    let mut moved = x;
                    moved[k] += h;
                    smooth.cautious(&matrix(&[moved]))[0]
                };
                let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
                assert_abs_diff_eq!(gradient[k], difference, epsilon = 1e-4);
            }
        }
    }
}

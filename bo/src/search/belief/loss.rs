//! Loss: the probability that an evaluation is lost, as a model of its own.
//!
//! A lost evaluation has no value. Learnt as a bad one it bends the model of the values: in the
//! runs in which that was tried beside this, tuned figure-8 gains tracked worse. Here a Matern-5/2
//! process regresses the indicator of a loss, 0 or 1, on all evaluations. A handful of losses says
//! little of its hyper-parameters, so they are believed before; many say whether losses begin
//! sharply, as at a constraint, or are a matter of the wind. What it gives is no calibrated
//! probability but a cautious one: the posterior mean and some standard deviations, within 0 and 1.

use dilgp::process::{Believed, FittedProcess, Lengths, Matern52, Noise, Radial, Scaled};
use dilgp::{Dataset, Effort, Error, Model, Prior, Process};
use nalgebra::{DMatrix, DVector};

/// Belief about the logarithm of the function's variance, on standardised indicators: about 0.6.
const AMPLITUDE: Prior = Prior {
    centre: -0.51,
    deviation: 0.5,
};

/// The same of its length in the unit cube, one for every parameter: about 0.6.
const LENGTH: Prior = Prior {
    centre: -0.51,
    deviation: 0.8,
};

/// The same of the variance of an indicator about the function, on standardised indicators: about
/// 0.4, for the same gains are lost in one wind and not in another, give or take a factor of seven,
/// for a constraint is kept or not.
const NOISE: Prior = Prior {
    centre: -0.92,
    deviation: 2.0,
};

/// Standard deviations above the posterior mean where a point is judged.
pub const JUDGING: f64 = 1.0;

/// The same where a point is to be tried: a loss while searching teaches nothing of values.
pub const TRYING: f64 = 2.0;

/// What becomes of evaluations that were lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LossModel {
    /// A lost evaluation is believed to have the worst finished value.
    #[default]
    Worst,
    /// Values are learnt from what finished, losses by a model of their own ([`Loss`]); what a point
    /// costs is made of both ([`super::risk::Risk`]).
    Apart,
}

/// Legal names.
pub const LOSS_MODELS: [(&str, LossModel); 2] =
    [("worst", LossModel::Worst), ("apart", LossModel::Apart)];

/// Evaluations beyond which the three hyper-parameters are known well enough to be kept: a search
/// for them costs O(n^3) a step.
const SETTLED: usize = 200;

/// A search for them begins close to its end: at the prior's centre or where the last one ended.
const EFFORT: Effort = Effort {
    evaluations: 30,
    smallest_decrease: 1e-3,
    smallest_gradient: 1e-2,
};

/// What was believed of losses before.
#[derive(Clone, Copy)]
pub enum Before<'a> {
    /// Its hyper-parameters are kept.
    Kept(&'a Loss),
    /// The search for hyper-parameters begins at its own, or where nothing was lost before at the
    /// prior's.
    From(Option<&'a Loss>),
}

/// What is believed of losses over the cube.
pub struct Loss {
    process: FittedProcess,
}

impl Loss {
    /// Learnt from all evaluations at the rows of `x`; nothing where none was lost, and then no
    /// point is believed to be. Hyper-parameters are kept, or searched for from where they were.
    ///
    /// # Errors
    /// Numbers that defeat the process.
    pub fn learnt(x: &DMatrix<f64>, lost: &[bool], before: Before) -> Result<Option<Loss>, Error> {
        if !lost.contains(&true) {
            return Ok(None);
        }
        let indicators = lost.iter().map(|lost| f64::from(u8::from(*lost)));
        let y = DVector::from_iterator(lost.len(), indicators);
        let profile = Radial::new(Matern52, Lengths::Shared).with_length_prior(LENGTH);
        let process = Process {
            noise: Noise::Believed(NOISE),
            effort: EFFORT,
            ..Process::new(
                "loss",
                Believed::new(Scaled(profile), "amplitude", AMPLITUDE),
            )
        };
        let believed = [AMPLITUDE, LENGTH, NOISE].map(|prior| prior.centre);
        let data = Dataset::new(x.clone(), y)?;
        let process = match before {
            Before::Kept(loss) => process.condition(&data, loss.process.eta())?,
            Before::From(Some(loss)) if lost.len() > SETTLED => {
                process.condition(&data, loss.process.eta())?
            }
            Before::From(loss) => {
                let from = loss.map_or(&believed[..], |loss| loss.process.eta());
                process.fit_from(&data, from, false, 0)?
            }
        };
        Ok(Some(Loss { process }))
    }

    /// The probability at each row of `x`, `caution` standard deviations above the posterior mean.
    pub fn probabilities(&self, x: &DMatrix<f64>, caution: f64) -> Vec<f64> {
        let believed = self.process.predict(x);
        let std = believed.std.unwrap_or_else(|| DVector::zeros(x.nrows()));
        let cautious = believed.mean.iter().zip(std.iter());
        cautious
            .map(|(mean, std)| (mean + caution * std).clamp(0.0, 1.0))
            .collect()
    }

    /// The probability at `x` and its gradient, which is zero where it is 0 or 1.
    pub fn slope(&self, x: &[f64], caution: f64) -> Option<(f64, Vec<f64>)> {
        let slope = self.process.slope(x)?;
        let raw = slope.mean + caution * slope.std?;
        if !(0.0..=1.0).contains(&raw) {
            return Some((raw.clamp(0.0, 1.0), vec![0.0; x.len()]));
        }
        let of_std = slope.std_gradient?;
        let pairs = slope.mean_gradient.iter().zip(&of_std);
        Some((raw, pairs.map(|(mean, std)| mean + caution * std).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::belief::view::matrix;
    use crate::search::climb::sobol;

    fn learnt(lost: impl Fn(usize, &[f64]) -> bool) -> (DMatrix<f64>, Vec<bool>, Loss) {
        let points = sobol::points(2, 0, 80, 4);
        let lost: Vec<bool> = (0..80).map(|k| lost(k, &points[k])).collect();
        let x = matrix(&points);
        let loss = Loss::learnt(&x, &lost, Before::From(None)).expect("fits");
        (x, lost, loss.expect("some were lost"))
    }

    fn noise(loss: &Loss) -> f64 {
        let summary = loss.process.summary();
        summary.hyperparameter("noise").expect("a process has one")
    }

    #[test]
    fn a_constraint_is_sharp_and_chance_is_noise() {
        let (_, _, constraint) = learnt(|_, x| x[0] > 0.6);
        let (_, _, chance) = learnt(|k, _| k % 3 == 0);
        assert!(noise(&constraint) < 0.1, "{}", noise(&constraint));
        assert!(noise(&chance) > 0.5, "{}", noise(&chance));
        let sides = matrix(&[[0.5, 0.5], [0.7, 0.5]]);
        let p = constraint.probabilities(&sides, JUDGING);
        assert!(p[0] < 0.2 && p[1] > 0.8, "{p:?}");
    }

    #[test]
    fn between_searches_hyper_parameters_stay_what_they_were() {
        let (x, mut lost, before) = learnt(|_, x| x[0] > 0.6);
        lost[79] = !lost[79];
        let eta = |before| {
            let loss = Loss::learnt(&x, &lost, before).expect("fits");
            loss.expect("some were lost").process.eta().to_vec()
        };
        assert_eq!(eta(Before::Kept(&before)), before.process.eta());
        assert_ne!(eta(Before::From(Some(&before))), before.process.eta());
    }
}

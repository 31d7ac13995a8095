//! Loss: the probability that an evaluation is lost, as a model of its own.
//!
//! A lost evaluation has no value. Learnt as a bad one it bends the model of the values: in the
//! runs in which that was tried beside this, tuned figure-8 gains tracked worse. Here a Matern-5/2
//! process regresses the indicator of a loss, 0 or 1, on all evaluations; its hyper-parameters are
//! fixed, because a handful of losses says nothing of them. What it gives is no calibrated
//! probability but a cautious one: the posterior mean and some standard deviations, within 0 and 1.

use dilgp::process::{FittedProcess, Lengths, Matern52, Noise, Radial, Scaled};
use dilgp::{Dataset, Error, Model, Process};
use nalgebra::{DMatrix, DVector};

/// Variance of the function, on standardised indicators.
const AMPLITUDE: f64 = 0.6;

/// Length in the unit cube, the same for every parameter.
const LENGTH: f64 = 0.6;

/// Variance of an indicator about the function, on standardised indicators: the same gains are lost
/// in one wind and not in another.
const NOISE: f64 = 0.4;

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

/// What is believed of losses over the cube.
pub struct Loss {
    process: FittedProcess,
}

impl Loss {
    /// Learnt from all evaluations at the rows of `x`; nothing where none was lost, and then no
    /// point is believed to be.
    ///
    /// # Errors
    /// Numbers that defeat the process.
    pub fn learnt(x: &DMatrix<f64>, lost: &[bool]) -> Result<Option<Loss>, Error> {
        if !lost.contains(&true) {
            return Ok(None);
        }
        let indicators = lost.iter().map(|lost| f64::from(u8::from(*lost)));
        let y = DVector::from_iterator(lost.len(), indicators);
        let process = Process {
            noise: Noise::Inferred,
            ..Process::new("loss", Scaled(Radial::new(Matern52, Lengths::Shared)))
        };
        let eta = [AMPLITUDE.ln(), LENGTH.ln(), NOISE.ln()];
        let process = process.condition(&Dataset::new(x.clone(), y)?, &eta)?;
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

//! CrashModel: the probability that an evaluation is lost, as a model of its own.
//!
//! A lost evaluation has no value. Fitted as a bad one it bends the model of the values: in the
//! runs in which that was tried beside this, tuned figure-8 gains tracked worse. Here a process
//! ([`SmoothProcess`]) regresses the indicator of a loss, 0 or 1, on all evaluations: many losses say
//! whether they begin sharply, as at a constraint, or are a matter of the wind. What it gives is no
//! calibrated probability but a cautious one, within 0 and 1.

use super::smooth::SmoothProcess;
use dilgp::Error;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

/// How lost evaluations are learnt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LossModel {
    /// A lost evaluation counts as the worst finished value.
    #[default]
    Worst,
    /// Values are learnt from what finished, losses by a model of their own ([`CrashModel`]); what a point
    /// costs is made of both ([`super::RiskModel`]).
    Apart,
    /// As `Worst`, but in noise the search is by the knowledge gradient from the first loss on, where no
    /// acquisition is named, and where losses look like a matter of place ([`super::is_of_place`]) that
    /// finished evaluation is recommended of which the posterior mean and one standard deviation, by
    /// what finished alone, is least: at that place the next will finish too.
    ByPlace,
}

/// Legal names.
pub const LOSS_MODELS: [(&str, LossModel); 3] = [
    ("worst", LossModel::Worst),
    ("apart", LossModel::Apart),
    ("by-place", LossModel::ByPlace),
];

/// The probability of a loss over the cube, fitted from all evaluations at the rows of `x`; `None` if none
/// was lost. Hyper-parameters are those of `before`, where there is one and no search is `due` or they are
/// settled.
///
/// # Errors
/// Numbers that defeat the process.
pub fn crashes(
    x: &DMatrix<f64>,
    lost: &[bool],
    before: Option<&SmoothProcess>,
    due: bool,
) -> Result<Option<SmoothProcess>, Error> {
    if !lost.contains(&true) {
        return Ok(None);
    }
    let indicators = lost.iter().map(|lost| f64::from(u8::from(*lost)));
    let y = DVector::from_iterator(lost.len(), indicators);
    SmoothProcess::learnt(x, y, 1.0, before, due).map(Some)
}

/// The mean absolute deviation over the cube, fitted from the values `y` of the evaluations that finished at
/// the rows of `x`, with the posterior means `means` there.
///
/// # Errors
/// Numbers that defeat the process.
pub fn deviations(
    x: &DMatrix<f64>,
    y: &DVector<f64>,
    means: &DVector<f64>,
    before: Option<&SmoothProcess>,
) -> Result<SmoothProcess, Error> {
    SmoothProcess::learnt(x, (y - means).abs(), f64::INFINITY, before, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maximise::points;
    use crate::model::context::matrix;
    use rand::SeedableRng;
    use rand_distr::{Distribution, StandardNormal};

    #[test]
    fn what_is_louder_to_the_right_is_found_to_be() {
        // The standard deviation grows from 0.05 to 0.45; the mean absolute one of a normal number is
        // sqrt(2 / pi) times that.
        let points = points::sobol(2, 0, 200, 4);
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let y = DVector::from_fn(200, |k, _| {
            let z: f64 = StandardNormal.sample(&mut random);
            3.0 + (0.05 + 0.4 * points[k][0]) * z
        });
        let believed = DVector::from_element(200, 3.0);
        let spread = deviations(&matrix(&points), &y, &believed, None).expect("fits");
        let found = spread.cautious(&matrix(&[[0.1, 0.5], [0.5, 0.5], [0.9, 0.5]]));
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

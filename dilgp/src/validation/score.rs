//! Score: how well predictions fit observations that were not seen in training.

use nalgebra::DVector;
use serde::Serialize;

use crate::Prediction;

/// How predictions compare with observations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Score {
    /// Root of the mean squared error, in the units of the targets.
    pub rmse: f64,
    /// Share of observations within one standard deviation (of an observation) of the predicted
    /// mean; 0.683 for a calibrated normal prediction. `None` where the model claims no deviation.
    pub coverage: Option<f64>,
    /// Mean of minus the log density of each observation under a normal prediction, in nats;
    /// `None` where no deviation is claimed or one is zero.
    pub nlpd: Option<f64>,
}

impl Score {
    /// Compares predictions with what was `observed` at the same points.
    ///
    /// # Panics
    /// If there is not one observation for each predicted point, or none.
    pub fn of(predicted: &Prediction, observed: &DVector<f64>) -> Self {
        assert_eq!(predicted.mean.len(), observed.len(), "one observation each");
        assert!(!observed.is_empty(), "there is nothing to score");
        let n = observed.len() as f64;
        let miss = &predicted.mean - observed;
        let std = predicted.observation_std.as_ref();
        Self {
            rmse: (miss.norm_squared() / n).sqrt(),
            coverage: std.map(|std| {
                let covered = miss.iter().zip(std).filter(|(m, s)| m.abs() <= **s);
                covered.count() as f64 / n
            }),
            nlpd: std.filter(|std| std.iter().all(|s| *s > 0.0)).map(|std| {
                miss.iter()
                    .zip(std)
                    .map(|(m, s)| surprise(*m, *s))
                    .sum::<f64>()
                    / n
            }),
        }
    }
}

fn surprise(miss: f64, std: f64) -> f64 {
    0.5 * (miss / std).powi(2) + std.ln() + 0.5 * (2.0 * std::f64::consts::PI).ln()
}

/// For each of `half_widths`, in predicted standard deviations, the share of observations that far
/// from the predicted mean or nearer: the calibration curve, to be held against the normal
/// distribution. `None` where the model claims no deviation.
pub fn calibration(
    predicted: &Prediction,
    observed: &DVector<f64>,
    half_widths: &[f64],
) -> Option<Vec<f64>> {
    let std = predicted.observation_std.as_ref()?;
    let miss = &predicted.mean - observed;
    let n = observed.len() as f64;
    let share = |width: &f64| {
        let within = miss.iter().zip(std).filter(|(m, s)| m.abs() <= width * **s);
        within.count() as f64 / n
    };
    Some(half_widths.iter().map(share).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(std: Option<&[f64]>) -> Prediction {
        let std = std.map(DVector::from_row_slice);
        Prediction {
            mean: DVector::from_row_slice(&[1.0, 2.0, 3.0, 4.0]),
            std: std.clone(),
            observation_std: std,
        }
    }

    #[test]
    fn scores_are_those_computed_by_hand() {
        let observed = DVector::from_row_slice(&[1.0, 3.0, 3.0, 1.0]);
        let predicted = prediction(Some(&[1.0, 1.0, 2.0, 2.0]));
        let score = Score::of(&predicted, &observed);
        // Misses 0, -1, 0, 3.
        approx::assert_relative_eq!(score.rmse, 2.5f64.sqrt(), max_relative = 1e-15);
        assert_eq!(score.coverage, Some(0.75));
        let normal = 0.5 * (2.0 * std::f64::consts::PI).ln();
        let expected = normal + (0.5 + 2.0 * 2f64.ln() + 0.5 * 2.25) / 4.0;
        approx::assert_relative_eq!(score.nlpd.unwrap(), expected, max_relative = 1e-14);
        let curve = calibration(&predicted, &observed, &[0.5, 1.0, 1.5]);
        assert_eq!(curve, Some(vec![0.5, 0.75, 1.0]));
    }

    #[test]
    fn what_is_not_claimed_is_not_scored() {
        let observed = DVector::from_row_slice(&[1.0, 3.0, 3.0, 1.0]);
        let silent = Score::of(&prediction(None), &observed);
        assert_eq!((silent.coverage, silent.nlpd), (None, None));
        let certain = Score::of(&prediction(Some(&[0.0, 1.0, 1.0, 1.0])), &observed);
        assert_eq!((certain.coverage, certain.nlpd), (Some(0.75), None));
    }
}

//! Believed: the visited point with the least posterior mean, as it is or with a deviation of caution.

use super::{Choice, Recommendation};
use crate::belief::view::{matrix, means};
use crate::observations::Observations;
use dilgp::Model;

/// Standard deviations of the mean by which a minimiser is cautious.
pub(super) const CAUTION: f64 = 1.0;

/// The point `x`, of which the posterior mean is the least.
pub(super) fn believed(x: Vec<f64>, posterior_mean: f64) -> Recommendation {
    Recommendation {
        x,
        choice: Choice::Believed { posterior_mean },
    }
}

/// The finished observation of the target with the least posterior mean, and that mean: what there
/// is to improve on under noise. Nothing where none finished.
pub fn best_believed(model: &dyn Model, seen: &Observations) -> Option<(Vec<f64>, f64)> {
    let points: Vec<&[f64]> = seen.finished().map(|known| known.0).collect();
    let believed = means(model, &points);
    let least = (0..points.len()).min_by(|a, b| believed[*a].total_cmp(&believed[*b]))?;
    Some((points[least].to_vec(), believed[least]))
}

/// The finished observation of the target of which the posterior mean and one standard deviation is least:
/// what one lucky evaluation or a slope says of a place that little is known of does not count for much.
/// Nothing where none finished or the model claims no deviation.
pub fn cautiously_believed(model: &dyn Model, seen: &Observations) -> Option<Recommendation> {
    let points: Vec<&[f64]> = seen.finished().map(|known| known.0).collect();
    if points.is_empty() {
        return None;
    }
    let said = model.predict(&matrix(&points));
    let std = said.std?;
    let cautious = |k: usize| said.mean[k] + CAUTION * std[k];
    let least = (0..points.len()).min_by(|a, b| cautious(*a).total_cmp(&cautious(*b)))?;
    Some(believed(points[least].to_vec(), said.mean[least]))
}

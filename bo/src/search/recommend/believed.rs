//! Believed: the visited point with the least posterior mean.

use super::{Choice, Recommendation};
use crate::search::belief::view::means;
use crate::search::observations::Observations;
use dilgp::Model;

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

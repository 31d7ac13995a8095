//! Centroid: the average of the visited points that the surrogate believes best.

use super::{Case, Choice, Recommendation};
use crate::search::belief::incumbent::Incumbent;
use crate::search::belief::view::means;
use crate::search::observations::{Observation, Observations};
use dilgp::Model;

/// Visited points over whose centroid the default recommender averages.
const CENTROID_OF: usize = 10;

impl Case<'_> {
    /// That of all of them or of those nearest to the best, or the baseline.
    pub(super) fn centroid(&self, incumbent: Incumbent) -> Recommendation {
        let members = least_posterior_means(incumbent.model(), self.seen, CENTROID_OF);
        let found = incumbent.centre(&members, self.settle);
        self.unless_the_baseline(incumbent.model(), found, |posterior_mean, baseline| {
            Choice::Centroid {
                posterior_mean,
                baseline_posterior_mean: baseline,
            }
        })
    }
}

/// The `count` visited points with the least posterior mean, best first; fewer where there are
/// not as many.
pub(super) fn least_posterior_means(
    model: &dyn Model,
    seen: &Observations,
    count: usize,
) -> Vec<Vec<f64>> {
    let visited: Vec<&Observation> = seen.of_target().collect();
    let points: Vec<&[f64]> = visited.iter().map(|o| o.x.as_slice()).collect();
    let believed = means(model, &points);
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|a, b| believed[*a].total_cmp(&believed[*b]));
    let best = order.into_iter().take(count);
    best.map(|row| points[row].to_vec()).collect()
}

//! Centroid: the average of the visited points that the surrogate believes best.

use super::{Case, Choice, Recommendation};
use crate::belief::incumbent::{Incumbent, least_means};

/// Visited points over whose centroid the default recommender averages.
const CENTROID_OF: usize = 10;

impl Case<'_> {
    /// That of all of them or of those nearest to the best, or the baseline.
    pub(super) fn centroid(&self, incumbent: Incumbent) -> Recommendation {
        let visited: Vec<&[f64]> = self.seen.of_target().map(|o| o.x.as_slice()).collect();
        let members = least_means(incumbent.model(), &visited, CENTROID_OF);
        let found = incumbent.centre(&members, self.settle);
        self.averaged(incumbent.model(), found, |posterior_mean, baseline| {
            Choice::Centroid {
                posterior_mean,
                baseline_posterior_mean: baseline,
            }
        })
    }
}

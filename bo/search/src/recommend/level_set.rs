//! Level set: the centre of the points that one evaluation could hardly tell from the best.

use super::{Case, Choice, Recommendation};
use crate::belief::incumbent::Incumbent;

impl Case<'_> {
    /// Their centre, or the baseline; nothing where the surrogate claims no noise to measure by.
    pub(super) fn centre_of_level_set(&self, incumbent: Incumbent) -> Option<Recommendation> {
        let found = self.level_set(incumbent).centre(self.seed, self.settle)?;
        let choice = |posterior_mean, baseline| Choice::LevelSet {
            posterior_mean,
            baseline_posterior_mean: baseline,
        };
        Some(self.averaged(incumbent.model(), found, choice))
    }
}

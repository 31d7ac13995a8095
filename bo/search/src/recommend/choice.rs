//! Choice: a recommended point, and how it was chosen.

use serde::{Deserialize, Serialize};

/// A recommended point and where it came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recommendation {
    /// The point.
    pub x: Vec<f64>,
    /// How it was chosen.
    pub choice: Choice,
}

/// How a recommended point was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Choice {
    /// Least observed cost: the paper's recommender. One lucky wind can decide it.
    Observed {
        /// The trial.
        trial: u64,
    },
    /// As `Observed`, but the trial is one of the run's warm start.
    ObservedBefore {
        /// The trial of the earlier run.
        trial: u64,
    },
    /// Centroid of the ten visited points with the least posterior mean.
    Centroid {
        /// Posterior mean of the log cost there.
        posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        baseline_posterior_mean: Option<f64>,
    },
    /// Centre of the points that one flight could hardly tell from the best: the level set of
    /// [`crate::climb::level_set`].
    LevelSet {
        /// Posterior mean of the log cost there.
        posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        baseline_posterior_mean: Option<f64>,
    },
    /// On the way from the cautious minimiser of the posterior mean to the centre of the points that
    /// one flight could hardly tell from the best, as far as all flights cannot tell the difference.
    Centre {
        /// How much of the way, from 0 to 1.
        share: f64,
        /// Posterior mean of the log cost at the minimiser, and at the centre.
        ends: [f64; 2],
        /// Standard deviation of what is believed of the difference of these two.
        deviation: f64,
        /// Standard deviation of the noise of one flight, in the same units.
        noise: f64,
        /// Posterior mean of the log cost at the point recommended.
        posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        baseline_posterior_mean: Option<f64>,
    },
    /// Average of those of these points that lie nearest to the visited point believed best,
    /// because the average of all is believed to be worse than is tolerated.
    NearBest {
        /// Points averaged; 1 where it is the point believed best itself.
        averaged: usize,
        /// Posterior mean of the log cost there.
        posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        baseline_posterior_mean: Option<f64>,
    },
    /// The baseline, which the surrogate believes to be at least as good as the centroid.
    BaselineByBelief {
        /// Posterior mean of the log cost at the centroid, or at the level set's centre.
        centroid_posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline.
        baseline_posterior_mean: f64,
    },
    /// The visited point that the surrogate believes best.
    Believed {
        /// Its posterior mean.
        posterior_mean: f64,
    },
    /// The better of two finalists in the same conditions: what the search recommends, and the best
    /// observed.
    Final {
        /// Whether that is the best observed.
        observed: bool,
        /// Pairs of evaluations, each in conditions of its own.
        pairs: u64,
        /// Mean difference of the log cost, the best observed minus what the search recommends.
        difference: f64,
        /// Its standard error over the pairs; nothing of one pair.
        #[serde(skip_serializing_if = "Option::is_none")]
        standard_error: Option<f64>,
    },
    /// The baseline, because every trial crashed.
    BaselineByDefault,
    /// A point that is known to be allowed: nothing that is allowed finished.
    WithinLimits,
}

//! Recommend: which point to deploy once the evaluations are spent.
//!
//! An average of good points is recommended if its posterior mean exceeds that of the best visited
//! point by no more than is tolerated ([`crate::model::incumbent`]).

mod centre;
#[cfg(test)]
mod tests;

use crate::acquisition::level_set::LevelSet;
use crate::model::allowed::Allowed;
use crate::model::context::{matrix, means};
use crate::model::incumbent::{Centre, Incumbent, least_means};
use crate::observations::Observations;
use crate::{Abilities, Refusal};
use dilgp::Model;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A rule that names the point to deploy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recommender {
    /// The paper's: the finished evaluation with the least value.
    Observed,
    /// The visited point with the least posterior mean.
    Believed,
    /// The centroid of the visited points of least posterior mean, unless the baseline's is no
    /// greater. Averaging takes out most of the luck that picks a single noisy evaluation. If the
    /// centroid's posterior mean is not tolerated, the centroid of those points nearest to the best.
    Centroid,
    /// The centre of the points that one evaluation could hardly tell from the best, likewise.
    LevelSet,
    /// On the way from the cautious minimiser of the posterior mean to that centre, as far as the
    /// evaluations cannot tell the difference.
    Centre,
}

/// Legal names.
pub const RECOMMENDERS: [(&str, Recommender); 5] = [
    ("observed", Recommender::Observed),
    ("believed", Recommender::Believed),
    ("centroid", Recommender::Centroid),
    ("level-set", Recommender::LevelSet),
    ("centre", Recommender::Centre),
];

impl Recommender {
    /// Its name.
    pub fn name(self) -> &'static str {
        let named = RECOMMENDERS.iter().find(|(_, known)| *known == self);
        named.expect("every recommender is listed").0
    }

    /// Refuses a surrogate that does not claim what this rule weighs.
    ///
    /// # Errors
    /// [`Refusal::RecommenderNeeds`].
    pub fn check(self, abilities: &Abilities) -> Result<(), Refusal> {
        let lacking = match self {
            Recommender::LevelSet if !abilities.has_noise => "a noise of evaluations",
            Recommender::Centre if !abilities.has_noise => "a noise of evaluations",
            Recommender::Centre if !abilities.has_joint => "a joint posterior",
            _ => return Ok(()),
        };
        Err(Refusal::RecommenderNeeds {
            recommender: self.name(),
            what: lacking,
            surrogate: abilities.surrogate,
        })
    }
}

/// What there is to choose from.
pub struct Case<'a> {
    /// The observations.
    pub seen: &'a Observations,
    /// The user's starting point in the unit cube.
    pub baseline: Option<&'a [f64]>,
    /// A point of the cube with whole numbers whole.
    pub snap: &'a dyn Fn(&[f64]) -> Vec<f64>,
    /// The point that is really evaluated for a point of the cube: snapped, and within the limits.
    pub settled: &'a dyn Fn(&[f64]) -> Vec<f64>,
    /// Where points are predicted to be within the limits, if there are some.
    pub within: Option<&'a Allowed<'a>>,
    /// Random numbers of the recommendation.
    pub seed: u64,
}

impl Case<'_> {
    /// The point of the cube that `recommender` chooses by `model`; the best observed if there is no
    /// model or it finds none; the baseline if nothing finished; `None` without a baseline.
    pub fn recommend(
        &self,
        recommender: Recommender,
        model: Option<&dyn Model>,
    ) -> Option<Recommendation> {
        let by_belief = model.and_then(|model| {
            let (x, mean) = posterior_minimiser(model, self.seen)?;
            let incumbent = Incumbent::at(model, &x)?;
            match recommender {
                Recommender::Observed => None,
                Recommender::Believed => Some(visited(x, mean)),
                Recommender::Centroid => Some(self.centroid(incumbent)),
                Recommender::LevelSet => self.centre_of_level_set(incumbent),
                Recommender::Centre => self.towards_the_centre(incumbent),
            }
        });
        by_belief.or_else(|| self.observed())
    }

    /// The points that one evaluation could hardly tell from `incumbent`.
    fn level_set<'s>(&'s self, incumbent: Incumbent<'s>) -> LevelSet<'s> {
        LevelSet {
            about: incumbent,
            observations: self.seen.count(),
            within: self.within,
        }
    }

    /// `found`, chosen as `choice` says if it is the average of all good points, or the baseline if its
    /// posterior mean is no greater.
    fn averaged(
        &self,
        model: &dyn Model,
        found: Centre,
        choice: impl Fn(f64, Option<f64>) -> Choice,
    ) -> Recommendation {
        let (of_all, averaged) = (found.is_of_all(), found.averaged);
        self.unless_the_baseline(model, found.x, |posterior_mean, baseline| match of_all {
            true => choice(posterior_mean, baseline),
            false => Choice::NearBest {
                averaged,
                posterior_mean,
                baseline_posterior_mean: baseline,
            },
        })
    }

    /// `found`, chosen as `choice` says, or the baseline if its posterior mean is no greater.
    fn unless_the_baseline(
        &self,
        model: &dyn Model,
        found: Vec<f64>,
        choice: impl Fn(f64, Option<f64>) -> Choice,
    ) -> Recommendation {
        let posterior_mean = means(model, &[&found])[0];
        let baseline_posterior_mean = self.baseline.map(|x| means(model, &[x])[0]);
        if let (Some(x), Some(mean)) = (self.baseline, baseline_posterior_mean)
            // A mean that is not a number decides nothing.
            && posterior_mean.partial_cmp(&mean) != Some(Ordering::Less)
        {
            return Recommendation {
                x: x.to_vec(),
                choice: Choice::BaselineByBelief {
                    centroid_posterior_mean: posterior_mean,
                    baseline_posterior_mean: mean,
                },
            };
        }
        Recommendation {
            x: found,
            choice: choice(posterior_mean, baseline_posterior_mean),
        }
    }
}

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
    /// [`crate::acquisition::level_set`].
    LevelSet {
        /// Posterior mean of the log cost there.
        posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        baseline_posterior_mean: Option<f64>,
    },
    /// On the way from the cautious minimiser of the posterior mean to the centre of the points that
    /// one flight could hardly tell from the best, as far as all flights do not distinguish them.
    Centre {
        /// How much of the way, from 0 to 1.
        share: f64,
        /// Posterior mean of the log cost at the minimiser, and at the centre.
        ends: [f64; 2],
        /// Posterior standard deviation of the difference of these two.
        deviation: f64,
        /// Standard deviation of the noise of one flight, in the same units.
        noise: f64,
        /// Posterior mean of the log cost at the point recommended.
        posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        baseline_posterior_mean: Option<f64>,
    },
    /// Average of those of these points that lie nearest to the visited point of least posterior mean,
    /// because the posterior mean at the average of all is not tolerated.
    NearBest {
        /// Points averaged; 1 if it is that visited point itself.
        averaged: usize,
        /// Posterior mean of the log cost there.
        posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        baseline_posterior_mean: Option<f64>,
    },
    /// The baseline, whose posterior mean is no greater than the centroid's.
    BaselineByBelief {
        /// Posterior mean of the log cost at the centroid, or at the level set's centre.
        centroid_posterior_mean: f64,
        /// Posterior mean of the log cost at the baseline.
        baseline_posterior_mean: f64,
    },
    /// The visited point of least posterior mean.
    Believed {
        /// Its posterior mean.
        posterior_mean: f64,
    },
    /// The baseline, because every trial crashed.
    BaselineByDefault,
    /// A point that is known to be allowed: nothing that is allowed finished.
    WithinLimits,
    /// The finished evaluation that most likely keeps the limits on what is measured: none keeps them.
    OutsideLimits,
}

impl Case<'_> {
    /// The best finished evaluation; the baseline if none finished; `None` without a baseline.
    pub(super) fn observed(&self) -> Option<Recommendation> {
        let Some(best) = self.seen.best() else {
            let baseline = self.baseline?.to_vec();
            return Some(Recommendation {
                x: baseline,
                choice: Choice::BaselineByDefault,
            });
        };
        let alike = self.seen.all().iter().filter(|o| o.earlier == best.earlier);
        let before = alike.take_while(|o| !std::ptr::eq(*o, best)).count();
        let trial = before as u64;
        Some(Recommendation {
            x: best.x.clone(),
            choice: match best.earlier {
                true => Choice::ObservedBefore { trial },
                false => Choice::Observed { trial },
            },
        })
    }
}

/// Standard deviations of the mean by which a minimiser is cautious.
pub(super) const CAUTION: f64 = 1.0;

/// The point `x`, of which the posterior mean is the least.
pub(super) fn visited(x: Vec<f64>, posterior_mean: f64) -> Recommendation {
    Recommendation {
        x,
        choice: Choice::Believed { posterior_mean },
    }
}

/// The finished observation of the target with the least posterior mean, and that mean: what there
/// is to improve on under noise. `None` if none finished.
pub fn posterior_minimiser(model: &dyn Model, seen: &Observations) -> Option<(Vec<f64>, f64)> {
    let points: Vec<&[f64]> = seen.finished().map(|known| known.0).collect();
    let believed = means(model, &points);
    let least = (0..points.len()).min_by(|a, b| believed[*a].total_cmp(&believed[*b]))?;
    Some((points[least].to_vec(), believed[least]))
}

/// The finished observation of the target of which the posterior mean and one standard deviation is least:
/// one lucky evaluation or a slope into an unexplored region counts for little. `None` if none
/// finished or the model has no standard deviation.
pub fn cautious_minimiser(model: &dyn Model, seen: &Observations) -> Option<Recommendation> {
    let points: Vec<&[f64]> = seen.finished().map(|known| known.0).collect();
    if points.is_empty() {
        return None;
    }
    let said = model.predict(&matrix(&points));
    let std = said.std?;
    let cautious = |k: usize| said.mean[k] + CAUTION * std[k];
    let least = (0..points.len()).min_by(|a, b| cautious(*a).total_cmp(&cautious(*b)))?;
    Some(visited(points[least].to_vec(), said.mean[least]))
}

/// Visited points over whose centroid the default recommender averages.
const CENTROID_OF: usize = 10;

impl Case<'_> {
    /// That of all of them or of those nearest to the best, or the baseline.
    pub(super) fn centroid(&self, incumbent: Incumbent) -> Recommendation {
        let visited: Vec<&[f64]> = self.seen.of_target().map(|o| o.x.as_slice()).collect();
        let members = least_means(incumbent.model(), &visited, CENTROID_OF);
        let found = incumbent.centre(&members, self.settled);
        self.averaged(incumbent.model(), found, |posterior_mean, baseline| {
            Choice::Centroid {
                posterior_mean,
                baseline_posterior_mean: baseline,
            }
        })
    }
}

impl Case<'_> {
    /// Their centre, or the baseline; `None` if the surrogate has no noise.
    pub(super) fn centre_of_level_set(&self, incumbent: Incumbent) -> Option<Recommendation> {
        let found = self.level_set(incumbent).centre(self.seed, self.settled)?;
        let choice = |posterior_mean, baseline| Choice::LevelSet {
            posterior_mean,
            baseline_posterior_mean: baseline,
        };
        Some(self.averaged(incumbent.model(), found, choice))
    }
}

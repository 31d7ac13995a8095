//! Recommend: which point to deploy once the evaluations are spent.
//!
//! By belief an average of good points is recommended, as far as the model believes it to be no
//! worse than the best visited point by more than is tolerated ([`crate::belief::incumbent`]).

mod believed;
mod centre;
mod centroid;
mod choice;
mod level_set;
mod observed;
#[cfg(test)]
mod tests;

pub use believed::{best_believed, cautiously_believed};
pub use choice::{Choice, Recommendation};

use crate::belief::incumbent::{Centre, Incumbent};
use crate::belief::view::means;
use crate::climb::level_set::LevelSet;
use crate::observations::Observations;
use crate::{Abilities, Refusal};
use believed::believed;
use dilgp::Model;
use std::cmp::Ordering;

/// A rule that names the point to deploy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recommender {
    /// The paper's: the finished evaluation with the least value.
    Observed,
    /// The visited point with the least posterior mean.
    Believed,
    /// The centroid of the visited points that the surrogate believes best, unless it believes the
    /// baseline to be no worse. Averaging takes out most of the luck that picks a single noisy
    /// evaluation. Where the centroid is believed to be worse than is tolerated, that of those
    /// points nearest to the one believed best.
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
            Recommender::LevelSet if !abilities.claims_noise => "a noise of evaluations",
            Recommender::Centre if !abilities.claims_noise => "a noise of evaluations",
            Recommender::Centre if !abilities.draws => "a joint posterior",
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
    /// What was told.
    pub seen: &'a Observations,
    /// The user's starting point in the unit cube.
    pub baseline: Option<&'a [f64]>,
    /// A point of the cube with whole numbers whole.
    pub snap: &'a dyn Fn(&[f64]) -> Vec<f64>,
    /// The point that is really evaluated for a point of the cube: snapped, and within the limits.
    pub settle: &'a dyn Fn(&[f64]) -> Vec<f64>,
    /// Random numbers of the recommendation.
    pub seed: u64,
}

impl Case<'_> {
    /// The point of the cube that `recommender` chooses by what `model` believes; by what was
    /// observed where there is no model or it finds nothing; the baseline where nothing finished,
    /// and nothing where there is none.
    pub fn recommend(
        &self,
        recommender: Recommender,
        model: Option<&dyn Model>,
    ) -> Option<Recommendation> {
        let by_belief = model.and_then(|model| {
            let (x, mean) = best_believed(model, self.seen)?;
            let incumbent = Incumbent::at(model, &x)?;
            match recommender {
                Recommender::Observed => None,
                Recommender::Believed => Some(believed(x, mean)),
                Recommender::Centroid => Some(self.centroid(incumbent)),
                Recommender::LevelSet => self.centre_of_level_set(incumbent),
                Recommender::Centre => self.towards_the_centre(incumbent),
            }
        });
        by_belief.or_else(|| self.observed())
    }

    /// The points that one evaluation could hardly tell from `incumbent`.
    fn level_set<'a>(&self, incumbent: Incumbent<'a>) -> LevelSet<'a> {
        LevelSet {
            about: incumbent,
            observations: self.seen.count(),
        }
    }

    /// `found`, chosen as `choice` says where it is the average of all good points, or the baseline
    /// where `model` believes it to be no worse.
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

    /// `found`, chosen as `choice` says, or the baseline where `model` believes it to be no worse.
    fn unless_the_baseline(
        &self,
        model: &dyn Model,
        found: Vec<f64>,
        choice: impl Fn(f64, Option<f64>) -> Choice,
    ) -> Recommendation {
        let posterior_mean = means(model, &[&found])[0];
        let baseline_posterior_mean = self.baseline.map(|x| means(model, &[x])[0]);
        if let (Some(x), Some(mean)) = (self.baseline, baseline_posterior_mean)
            // Of a mean that is not a number nothing can be said.
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

//! Deploy: the point that is recommended.

use super::Optimiser;
use crate::model::Posterior;
use crate::model::context::matrix;
use crate::model::losses::{LossModel, is_of_place};
use crate::observations::Observations;
use crate::recommend::{Case, Choice, Recommendation, Recommender, cautious_minimiser};
use crate::streams::Search;
use crate::{Acquisition, Refusal};
use dilgp::Model;

impl Optimiser {
    /// The point to deploy, in natural units: by the recommender that is named or goes with the
    /// acquisition; else the best observed of a deterministic objective, and in noise the visited
    /// point with the least posterior mean.
    ///
    /// # Errors
    /// Where no evaluation of the target has finished.
    pub fn recommend(&mut self) -> Result<Vec<f64>, Refusal> {
        Ok(self.recommended()?.x)
    }

    /// The same with how it was chosen.
    ///
    /// # Errors
    /// As [`Optimiser::recommend`].
    pub fn recommended(&mut self) -> Result<Recommendation, Refusal> {
        let seen = &self.state.seen;
        if seen.best().is_none() {
            let (told, crashed) = (seen.count(), seen.crashed());
            return Err(Refusal::NothingFinished { told, crashed });
        }
        let recommender = match self.settings.recommender {
            Some(named) => named,
            None if !self.settings.noisy => Recommender::Observed,
            None => (self.recommender_of_rule()).unwrap_or(Recommender::Believed),
        };
        self.recommend_by(recommender)
    }

    /// The recommender that goes with the acquisition, if one does: after level sets the centre of
    /// the level set, after the knowledge gradient a point on the way to it. Where something was lost
    /// and losses may depend on the place, no average of points: it may be lost, and what finished
    /// is not.
    fn recommender_of_rule(&mut self) -> Option<Recommender> {
        if self.acquisition == Acquisition::ByNoise {
            // A surrogate that cannot be fitted says nothing about the noise.
            let _ = self.learn();
        }
        match self.rule() {
            _ if self.has_an_edge() => Some(Recommender::Believed),
            Acquisition::LevelSet => Some(Recommender::LevelSet),
            Acquisition::KnowledgeGradient => Some(Recommender::Centre),
            _ => None,
        }
    }

    /// The recommender that is named, that goes with the acquisition, or that averages good points
    /// as the noise asks: the centre of the level set if noise dominates, else the centroid.
    pub fn usual_recommender(&mut self) -> Recommender {
        let named = self.settings.recommender;
        let usual = named.or_else(|| self.recommender_of_rule());
        usual.unwrap_or_else(|| match self.noise_dominates() {
            true => Recommender::LevelSet,
            false => Recommender::Centroid,
        })
    }

    /// What `judge` finds among what was `seen`.
    pub(super) fn judging<T>(
        &self,
        seen: &Observations,
        seed: u64,
        judge: impl FnOnce(Case) -> T,
    ) -> T {
        let baseline = self.baseline.as_deref();
        let allowed = self.allowed_by(self.allowed_set(), &self.stated_limits());
        judge(Case {
            seen,
            baseline: baseline.filter(|x| self.allows(x)),
            snap: &|x| self.space.snapped(x),
            settled: &|x| self.nearest_allowed(self.space.snapped(x)),
            within: Some(&allowed).filter(|allowed| !allowed.is_everywhere()),
            seed,
        })
    }

    /// Whether evaluations look lost by their place, where that matters.
    pub(super) fn loses_by_place(&self) -> bool {
        if !self.has_an_edge() {
            return false;
        }
        let seen = &self.state.seen;
        let points: Vec<&[f64]> = seen.all().iter().map(|o| o.x.as_slice()).collect();
        let lost: Vec<bool> = seen.all().iter().map(|o| o.value.is_none()).collect();
        is_of_place(&matrix(&points), &lost)
    }

    /// The cautious minimiser among the finished evaluations of `seen`, by the posterior of what
    /// finished alone, if losses depend on the place: the worst value, learnt for each lost one,
    /// bends the posterior near the edge of what finishes, where optima lie.
    fn best_by_place(&self, seen: &Observations) -> Option<Recommendation> {
        if !self.loses_by_place() {
            return None;
        }
        let options = self.options_with(&self.learner, LossModel::Apart, self.fit_seed());
        let posterior = Posterior::updated(None, &self.state.seen, &options).ok()?;
        let finishing = posterior.view().finishing;
        cautious_minimiser(&finishing, seen)
    }

    /// The point that `recommender` would deploy, in natural units.
    ///
    /// # Errors
    /// Where no evaluation of the target has finished and there is no baseline.
    pub fn recommend_by(&mut self, recommender: Recommender) -> Result<Recommendation, Refusal> {
        self.learn_slacks();
        self.learn_outputs();
        let seen = &self.state.seen;
        let (told, crashed) = (seen.count(), seen.crashed());
        let by_belief = recommender != Recommender::Observed && seen.best().is_some();
        let view = match by_belief && self.learn().is_ok() {
            true => self.posterior_now().map(Posterior::view),
            false => None,
        };
        let seen = self.deployable(&self.stated_limits());
        let model = view.as_ref().map(|view| view as &dyn Model);
        let by_place = (by_belief && recommender == Recommender::Believed)
            .then(|| self.best_by_place(&seen))
            .flatten();
        let seed = self.seed_for(Search::Recommend);
        let usual = || self.judging(&seen, seed, |case| case.recommend(recommender, model));
        let found = by_place.or_else(usual);
        // An average of points that keep the limits need not keep them, nor need the baseline.
        let keeps = |found: &Recommendation| self.keeps_limits(&found.x, &seen);
        let observed = || {
            self.judging(&seen, seed, |case| {
                case.recommend(Recommender::Observed, None)
            })
        };
        let found = found.filter(keeps).or_else(|| observed().filter(keeps));
        let found = found.or_else(|| self.nearest_to_limits());
        let surely = || {
            Some(Recommendation {
                x: self.feasible_point()?.to_vec(),
                choice: Choice::WithinLimits,
            })
        };
        let found = found.or_else(surely);
        let found = found.ok_or(Refusal::NothingFinished { told, crashed })?;
        Ok(Recommendation {
            x: self.space.natural(&found.x),
            ..found
        })
    }
}

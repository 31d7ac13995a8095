//! Judgements: whether the search is for the minimiser or for the middle of all that is good.
//!
//! Where one evaluation tells little of what there is to gain, the least posterior mean is luck:
//! evaluations are best spread over all that one of them could hardly tell from the best, and the centre
//! of that set is recommended ([`Acquisition::LevelSet`]). Where it tells much, or the evaluations
//! together have told that the centre is worse than the minimiser, as where the optimum lies in a corner
//! of the box, the minimiser is looked for ([`Acquisition::KnowledgeGradient`]).
//! [`Acquisition::ByNoise`] begins with the latter, since of few evaluations every objective looks loud,
//! and goes over to the former, and back, by what they tell. Losses that are frequent are a matter of
//! place and not of chance; the level set, which takes a lost evaluation for a bad one, is no search for
//! the edge of what finishes.
//!
//! No budget, no unit and no baseline enters. It ignores that the noise differs over the box: that at the
//! incumbent counts.

use super::Optimiser;
use crate::Acquisition;
use crate::maximise::points;
use crate::model::context::means;
use crate::model::incumbent::Incumbent;
use crate::model::losses::LossModel;
use crate::model::surrogate::Learner;
use crate::model::{FitOptions, Posterior, names};
use crate::streams::Search;
use dilgp::Error;
use serde::{Deserialize, Serialize};

/// Signals from which on one evaluation tells much. Eight of ten judgements after 110 flights of `omac`
/// that was told the winds are 1.6 to 4.0 on the figure-8 and 6.6 to 20 on hover, sin-forward and
/// spiral-up (100 and 60 seeds); on `crazyflie`'s figure-8, where the minimiser is better, 4 to 10.
const LEAST_SIGNAL: f64 = 5.0;

/// Contrasts from which on the centre is told from the minimiser: one in 160 by chance. At 1.645, one in
/// twenty, they sent runs of `omac`'s figure-8 to the minimiser, and those read no better; 99 of 100
/// judgements there lie below 1.9.
const LEAST_CONTRAST: f64 = 2.5;

/// Observations of which contrasts are told. More of them tell differences too small to matter: a
/// contrast grows with the square root of their number, and is counted as if there were so many.
const CONTRAST_OF: usize = 110;

/// Shares of lost evaluations from which on losses are frequent.
const FREQUENT: f64 = 0.25;

/// Judgements of which most must be loud: hyper-parameters jump from fit to fit.
pub(super) const VOTES: usize = 5;

/// Observations beyond which nothing is judged and the search is that for the minimiser: the surrogate
/// for loud objectives is fitted anew at each, which takes O(n^3).
const MANY: usize = 500;

/// Observations before which nothing is judged and the search is that for the minimiser.
const FIRST: usize = 30;

/// Points of the box at which the posterior mean is looked at.
const LOOKED_AT: usize = 1024;

/// What the evaluations so far tell of the noise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// How far the median of the posterior mean over the box lies above that of the visited point
    /// believed best, in standard deviations of the noise of one evaluation.
    pub signal: f64,
    /// How far the posterior mean of the level set's centre lies above that of the cautious minimiser, in
    /// standard deviations of what is believed of their difference, beyond 110 observations as these would
    /// tell it.
    pub contrast: f64,
    /// The share of evaluations that were lost.
    pub lost: f64,
}

impl Judgement {
    /// Whether all that is good is looked for and not the minimiser.
    pub fn noise_dominates(&self) -> bool {
        self.signal < LEAST_SIGNAL && self.contrast < LEAST_CONTRAST && self.lost < FREQUENT
    }
}

/// What a suggestion was made by, where the noise decides that.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// Whether one evaluation tells little, by most of the last five judgements.
    pub loud: bool,
    /// The last of them.
    #[serde(flatten)]
    pub last: Judgement,
}

/// The judgements so far, as far as they count.
#[derive(Debug, Default)]
pub(super) struct Judgements {
    pub(super) votes: Vec<Judgement>,
    /// Observations of the last.
    observations: usize,
}

impl Judgements {
    /// Whether most of the last [`VOTES`] judgements, counted as if all were made, were loud.
    pub(super) fn noise_dominates(&self) -> bool {
        let loud = self
            .votes
            .iter()
            .filter(|vote| vote.noise_dominates())
            .count();
        2 * loud > VOTES
    }

    /// The last judgement.
    pub(super) fn last(&self) -> Option<Judgement> {
        self.votes.last().copied()
    }

    pub(super) fn count(&mut self, vote: Option<Judgement>, observations: usize) {
        self.votes.extend(vote);
        let outvoted = self.votes.len().saturating_sub(VOTES);
        self.votes.drain(..outvoted);
        self.observations = observations;
    }

    /// Whether it is time for another: from [`FIRST`] on at each observation while it is loud or there
    /// are few, later as often as hyper-parameters are refitted, every `cycle` observations.
    pub(super) fn is_due(&self, observations: usize, cycle: usize) -> bool {
        let since = observations - self.observations;
        observations >= FIRST && since > 0 && (self.noise_dominates() || since >= cycle)
    }
}

/// What a search with `surrogate` for points of so many dimensions and covariates learns with while it is
/// loud, where that is another surrogate.
pub(super) fn noisy_learner(
    surrogate: &str,
    acquisition: Acquisition,
    dimensions: usize,
    covariates: usize,
) -> Option<Learner> {
    let handed_to = names::in_noise(surrogate)?;
    let by_noise = acquisition == Acquisition::ByNoise;
    let learner = || Learner::beside(handed_to, dimensions, covariates);
    by_noise.then(|| learner().expect("a name of both lists"))
}

impl Optimiser {
    /// The rule that chooses now.
    pub(super) fn rule(&self) -> Acquisition {
        let loud = self.state.regime.noise_dominates() && self.state.seen.count() <= MANY;
        match (self.acquisition, loud) {
            (Acquisition::ByNoise, true) => Acquisition::LevelSet,
            (Acquisition::ByNoise, false) => Acquisition::KnowledgeGradient,
            _ if self.comes_to_an_edge() => Acquisition::KnowledgeGradient,
            (other, _) => other,
        }
    }

    /// Whether something was lost, and what is lost may be a matter of place.
    pub(super) fn has_an_edge(&self) -> bool {
        self.loss_model == LossModel::ByPlace && self.state.seen.crashed() > 0
    }

    /// Whether that decides by what the search is. The best point found beside the edge of what finishes is
    /// better by the knowledge gradient than by the bound: .85 [.72, 1.01] and .73 [.55, .96] times the
    /// least regret visited.
    fn comes_to_an_edge(&self) -> bool {
        let settings = &self.settings;
        let unnamed = settings.noisy && settings.acquisition.is_none() && self.learner.can_sample();
        unnamed && self.has_an_edge()
    }

    /// Whether one evaluation is taken to tell little now, so that the search is for the middle of all that
    /// is good.
    fn is_for_the_middle(&self) -> bool {
        self.rule() == Acquisition::LevelSet
    }

    /// By what the noise decides now, where it does.
    pub(super) fn judged(&self) -> Option<Judged> {
        let loud = self.is_for_the_middle();
        let last = self.state.regime.last()?;
        Some(Judged { loud, last })
    }

    /// The surrogate for loud objectives, where the search is in its hands.
    fn handed_to(&self) -> Option<&Learner> {
        let loud = self.is_for_the_middle();
        self.loud.as_ref().filter(|_| loud)
    }

    /// The belief that counts now, where there is one.
    pub(super) fn belief(&self) -> Option<&Posterior> {
        match self.handed_to() {
            Some(_) => self.state.loud.as_ref(),
            None => self.state.belief.as_ref(),
        }
    }

    /// Learns from what was told so far, with the surrogate that the regime asks for.
    pub(super) fn learn_in_regime(&mut self) -> Result<(), Error> {
        let count = self.state.seen.count();
        let cycle = self.learner.refit_cycle(count);
        let due = count <= MANY && self.state.regime.is_due(count, cycle);
        if let Some(loud) = self.loud.as_ref().filter(|_| due) {
            let options = self.fit_options_with(loud, LossModel::Worst, self.fit_seed());
            let belief = Posterior::updated(None, &self.state.seen, &options)?;
            self.judge_by(&belief);
            self.state.loud = Some(belief);
        }
        if self.handed_to().is_some() {
            return Ok(());
        }
        let before = self.state.belief.take();
        let options = self.fit_options_with(&self.learner, self.loss_model, self.fit_seed());
        let belief = Posterior::updated(before, &self.state.seen, &options)?;
        if self.loud.is_none() && self.acquisition == Acquisition::ByNoise && due {
            self.judge_by(&belief);
        }
        self.state.belief = Some(belief);
        Ok(())
    }

    fn judge_by(&mut self, belief: &Posterior) {
        let judgement = self.judgement_by(belief);
        let observations = self.state.seen.count();
        self.state.regime.count(judgement, observations);
    }

    /// The judgement by `belief`; nothing from a model without a noise or a joint posterior.
    fn judgement_by(&self, belief: &Posterior) -> Option<Judgement> {
        let view = belief.view();
        let seed = self.seed_for(Search::Judgements);
        let contrast = self.judging(&self.deployable(), seed, |case| case.contrast(&view))?;
        let (incumbent, least) = self.incumbent(belief);
        let noise = Incumbent::at(&view, &incumbent)?.noise()?;
        let points = points::sobol(self.space.dimensions(), 0, LOOKED_AT, seed);
        let mut believed = means(&view, &points);
        believed.sort_by(f64::total_cmp);
        let signal = (believed[LOOKED_AT / 2] - least) / noise;
        let seen = &self.state.seen;
        let contrast =
            contrast * (CONTRAST_OF as f64 / seen.count().max(CONTRAST_OF) as f64).sqrt();
        let judgement = Judgement {
            signal,
            contrast,
            lost: seen.crashed() as f64 / seen.count() as f64,
        };
        (signal.is_finite() && contrast.is_finite()).then_some(judgement)
    }

    pub(super) fn fit_options_with<'a>(
        &'a self,
        learner: &'a Learner,
        loss_model: LossModel,
        seed: u64,
    ) -> FitOptions<'a> {
        FitOptions {
            learner,
            transform: self.settings.transform,
            noisy: self.settings.noisy,
            loss_model,
            lost_value: self.settings.lost_value,
            contexts: self.state.contexts.as_ref(),
            seed,
        }
    }

    /// How the belief that counts now is learnt.
    pub(super) fn options(&self) -> FitOptions<'_> {
        let seed = self.seed_for(Search::Fit);
        match self.handed_to() {
            Some(loud) => self.fit_options_with(loud, LossModel::Worst, seed),
            None => self.fit_options_with(&self.learner, self.loss_model, seed),
        }
    }
}

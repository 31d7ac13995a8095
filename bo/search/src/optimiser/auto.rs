//! `auto`: the search that decides by the noise what to look for.
//!
//! Its surrogate is a Gaussian process with a length for each parameter that learns values from what
//! finished, and the probability of a loss from a process of its own. At each step:
//!
//! 1. Up to 30 observations, and beyond 500, it looks for the minimiser: the knowledge gradient
//!    chooses the next point, because with few observations every objective looks noisy.
//! 2. In between it judges: is the *signal* below 5 (how far the median of the posterior mean over
//!    the box lies above the best visited point, in standard deviations of one evaluation's noise),
//!    the *contrast* below 2.5 (how far the centre of the level set lies above the minimiser, in
//!    standard deviations of their difference), and fewer than a quarter of the evaluations lost?
//! 3. If three of the last five judgements are yes, noise dominates: the least posterior mean is
//!    luck, and a search for it drives into corners. Evaluations are then drawn from all points that
//!    one evaluation could hardly tell from the best ([`Acquisition::LevelSet`]), learnt with
//!    `gp-level-set`, and the centre of that set is recommended.
//! 4. Otherwise the knowledge gradient chooses, and a point on the way from the minimiser to that
//!    centre is recommended, as far as the evaluations cannot tell the difference.
//!
//! Frequent losses depend on the place and not on chance; the level set, which takes a lost
//! evaluation for a bad one, does not find the edge of what finishes. No budget, no unit and no
//! baseline enters. The noise at the incumbent stands for that of the whole box.

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

/// Least signal with which one evaluation decides. Eight of ten judgements after 110 flights of
/// `omac` with the winds as context are 1.6 to 4.0 on the figure-8 and 6.6 to 20 on hover,
/// sin-forward and spiral-up (100 and 60 seeds); on `crazyflie`'s figure-8, where the minimiser is
/// better, 4 to 10.
const LEAST_SIGNAL: f64 = 5.0;

/// Least contrast with which the centre differs from the minimiser: one in 160 by chance. With
/// 1.645, one in twenty, runs of `omac`'s figure-8 looked for the minimiser and were no better; 99
/// of 100 judgements there lie below 1.9.
const LEAST_CONTRAST: f64 = 2.5;

/// Observations for which contrasts are stated. A contrast grows with the square root of their
/// number; more of them would find differences too small to matter.
const CONTRAST_OF: usize = 110;

/// Share of lost evaluations from which on losses are frequent.
const FREQUENT: f64 = 0.25;

/// Judgements of which most decide: hyper-parameters jump from fit to fit.
pub(super) const VOTES: usize = 5;

/// Observations beyond which the search is for the minimiser: `gp-level-set` is fitted anew at each
/// step, which takes O(n^3).
const MANY: usize = 500;

/// Observations before which the search is for the minimiser.
const FIRST: usize = 30;

/// Points of the box at which the posterior mean is evaluated for the signal.
const BOX_POINTS: usize = 1024;

/// What the evaluations so far say about the noise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// How far the median of the posterior mean over the box lies above that of the best visited
    /// point, in standard deviations of the noise of one evaluation.
    pub signal: f64,
    /// How far the posterior mean at the level set's centre lies above that of the cautious
    /// minimiser, in standard deviations of their difference; beyond 110 observations, as 110 would
    /// state it.
    pub contrast: f64,
    /// The share of evaluations that were lost.
    pub lost: f64,
}

impl Judgement {
    /// Whether one evaluation says little about which of the good points is best.
    pub fn noise_dominates(&self) -> bool {
        self.signal < LEAST_SIGNAL && self.contrast < LEAST_CONTRAST && self.lost < FREQUENT
    }
}

/// What a suggestion was made by, where the noise decides that.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// Whether noise dominates, by most of the last five judgements.
    pub loud: bool,
    /// The last of them.
    #[serde(flatten)]
    pub last: Judgement,
}

/// The judgements that count, and what is learnt while noise dominates.
pub(super) struct Auto {
    /// The surrogate while noise dominates, if that is another.
    pub(super) in_noise: Option<Learner>,
    /// What it learnt.
    posterior: Option<Posterior>,
    pub(super) judgements: Vec<Judgement>,
    /// Observations at the last judgement.
    observations: usize,
}

impl Auto {
    /// For a search with `surrogate` over points of so many dimensions and covariates.
    pub(super) fn new(surrogate: &str, dimensions: usize, covariates: usize) -> Auto {
        let learner = |name| {
            let learner = Learner::contextual(name, dimensions, covariates);
            learner.expect("a name that takes covariates")
        };
        Auto {
            in_noise: names::in_noise(surrogate).map(learner),
            posterior: None,
            judgements: Vec::new(),
            observations: 0,
        }
    }

    /// Whether noise dominates by most of the last [`VOTES`] judgements, counted as if all were made.
    pub(super) fn noise_dominates(&self) -> bool {
        let judgements = self.judgements.iter();
        2 * judgements
            .filter(|judgement| judgement.noise_dominates())
            .count()
            > VOTES
    }

    /// The acquisition after so many observations.
    fn acquisition(&self, observations: usize) -> Acquisition {
        match self.noise_dominates() && observations <= MANY {
            true => Acquisition::LevelSet,
            false => Acquisition::KnowledgeGradient,
        }
    }

    pub(super) fn add(&mut self, judgement: Option<Judgement>, observations: usize) {
        self.judgements.extend(judgement);
        let outdated = self.judgements.len().saturating_sub(VOTES);
        self.judgements.drain(..outdated);
        self.observations = observations;
    }

    /// Whether another judgement is due: from [`FIRST`] on at each observation while noise dominates
    /// or there are few, later as often as hyper-parameters are refitted, every `cycle` observations.
    pub(super) fn is_due(&self, observations: usize, cycle: usize) -> bool {
        let since = observations - self.observations;
        let often = self.noise_dominates() || since >= cycle;
        (FIRST..=MANY).contains(&observations) && since > 0 && often
    }
}

impl Optimiser {
    /// The acquisition now.
    pub(super) fn rule(&self) -> Acquisition {
        match &self.state.auto {
            Some(auto) => auto.acquisition(self.state.seen.count()),
            None if self.searches_an_edge() => Acquisition::KnowledgeGradient,
            None => self.acquisition,
        }
    }

    /// Whether something was lost, and losses may depend on the place.
    pub(super) fn has_an_edge(&self) -> bool {
        self.loss_model == LossModel::ByPlace && self.state.seen.crashed() > 0
    }

    /// Whether that decides the acquisition. Beside the edge of what finishes the knowledge gradient
    /// finds better points than the bound: .85 [.72, 1.01] and .73 [.55, .96] times the least regret.
    fn searches_an_edge(&self) -> bool {
        let settings = &self.settings;
        let unnamed = settings.noisy && settings.acquisition.is_none();
        unnamed && self.learner.abilities().has_joint && self.has_an_edge()
    }

    /// What the noise decides now, if it decides.
    pub(super) fn judged(&self) -> Option<Judged> {
        let last = self.state.auto.as_ref()?.judgements.last().copied()?;
        let loud = self.rule() == Acquisition::LevelSet;
        Some(Judged { loud, last })
    }

    /// The surrogate while noise dominates, if it does.
    fn learner_in_noise(&self) -> Option<&Learner> {
        let dominates = self.rule() == Acquisition::LevelSet;
        let auto = self.state.auto.as_ref().filter(|_| dominates)?;
        auto.in_noise.as_ref()
    }

    /// The posterior that counts now, if there is one.
    pub(super) fn posterior_now(&self) -> Option<&Posterior> {
        match self.learner_in_noise() {
            Some(_) => self.state.auto.as_ref()?.posterior.as_ref(),
            None => self.state.posterior.as_ref(),
        }
    }

    /// Fits the surrogate that counts now to the observations so far.
    pub(super) fn fit(&mut self) -> Result<(), Error> {
        let count = self.state.seen.count();
        let cycle = self.learner.refit_cycle(count);
        let auto = self.state.auto.as_ref();
        let due = auto.is_some_and(|auto| auto.is_due(count, cycle));
        let in_noise = auto.and_then(|auto| auto.in_noise.as_ref());
        let alone = in_noise.is_none();
        if let Some(learner) = in_noise.filter(|_| due) {
            let options = self.options_with(learner, LossModel::Worst, self.fit_seed());
            let posterior = Posterior::updated(None, &self.state.seen, &options)?;
            self.add_judgement(&posterior);
            self.state.auto.as_mut().expect("just read").posterior = Some(posterior);
        }
        if self.learner_in_noise().is_some() {
            return Ok(());
        }
        let before = self.state.posterior.take();
        let options = self.options_with(&self.learner, self.loss_model, self.fit_seed());
        let posterior = Posterior::updated(before, &self.state.seen, &options)?;
        if alone && due {
            self.add_judgement(&posterior);
        }
        self.state.posterior = Some(posterior);
        Ok(())
    }

    /// Whether noise dominates at the end of a search whose acquisition does not depend on it: one
    /// judgement as `auto` makes it, by `gp-level-set` fitted to the observations. `false` for a
    /// surrogate that is not a Gaussian process, and for few or many observations.
    pub(super) fn noise_dominates(&self) -> bool {
        let able = self.learner.abilities();
        let able = able.has_noise && able.has_joint;
        let judged = able && (FIRST..=MANY).contains(&self.state.seen.count());
        let judgement = judged.then(|| self.judgement_by_level_sets()).flatten();
        judgement.is_some_and(|judgement| judgement.noise_dominates())
    }

    fn judgement_by_level_sets(&self) -> Option<Judgement> {
        let (dimensions, covariates) = (self.space.dimensions(), self.settings.covariates);
        let learner = Learner::contextual(names::LEVEL_SET, dimensions, covariates);
        let learner = learner.expect("a name that takes covariates");
        let options = self.options_with(&learner, LossModel::Worst, self.fit_seed());
        let posterior = Posterior::updated(None, &self.state.seen, &options).ok()?;
        self.judgement(&posterior)
    }

    fn add_judgement(&mut self, posterior: &Posterior) {
        let judgement = self.judgement(posterior);
        let observations = self.state.seen.count();
        if let Some(auto) = &mut self.state.auto {
            auto.add(judgement, observations);
        }
    }

    /// The judgement by `posterior`; `None` from a model without a noise or a joint posterior.
    fn judgement(&self, posterior: &Posterior) -> Option<Judgement> {
        let view = posterior.view();
        let seed = self.seed_for(Search::Judgements);
        let allowed = self.deployable(&self.stated_limits());
        let contrast = self.judging(&allowed, seed, |case| case.contrast(&view))?;
        let (incumbent, least) = self.incumbent(posterior, &allowed);
        let noise = Incumbent::at(&view, &incumbent)?.noise()?;
        let box_points = points::sobol(self.space.dimensions(), 0, BOX_POINTS, seed);
        let mut over_box = means(&view, &box_points);
        over_box.sort_by(f64::total_cmp);
        let signal = (over_box[BOX_POINTS / 2] - least) / noise;
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

    pub(super) fn options_with<'a>(
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

    /// How the posterior that counts now is fitted.
    pub(super) fn options(&self) -> FitOptions<'_> {
        let seed = self.seed_for(Search::Fit);
        match self.learner_in_noise() {
            Some(learner) => self.options_with(learner, LossModel::Worst, seed),
            None => self.options_with(&self.learner, self.loss_model, seed),
        }
    }
}

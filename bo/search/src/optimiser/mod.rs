//! Optimiser: suggests points, observes outcomes, recommends a point.

mod auto;
mod constraint;
mod deploy;
mod limits;
mod observe;
mod pending;
mod predict;
mod propose;
pub mod settings;
mod suggestion;
#[cfg(test)]
mod tests;

pub use auto::{Judged, Judgement};
pub use constraint::{Constraint, Slack};
pub use limits::{FrontMember, FrontPrediction, Role};
pub use observe::{Evaluated, Outcome};
pub use predict::Predicted;
pub use suggestion::{Origin, Suggestion};

use crate::model::Posterior;
use crate::model::context::Contexts;
use crate::model::losses::LossModel;
use crate::model::surrogate::Learner;
use crate::observations::{Known, Observations};
use crate::recommend;
use crate::space::Space;
use crate::streams::Search;
use crate::trust_region::TrustRegion;
use crate::{Acquisition, Refusal};
use auto::Auto;
use constraint::Slacks;
use limits::Outputs;
use observe::DeferredFit;
use pending::{Pending, same};
use settings::Settings;
use shell::seeds::Stream;
use std::time::{Duration, Instant};

/// Share of a known budget after which a deterministic objective is searched locally.
const GLOBAL_SHARE: f64 = 0.65;

/// Where no budget is known, every step of this number is local.
const LOCAL_EVERY: usize = 3;

/// Where the time of a search went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Time {
    /// Fitting surrogates.
    pub fitting: Duration,
    /// Maximising acquisitions.
    pub climbing: Duration,
}

/// What changes from suggestion to suggestion.
#[derive(Default)]
struct State {
    seen: Observations,
    pending: Pending,
    /// Evaluations that were suggested, or told without a suggestion.
    suggested: u64,
    contexts: Option<Contexts>,
    /// Points of the design's sequence handed out or passed over.
    designed: usize,
    posterior: Option<Posterior>,
    /// What decides by the noise, if that decides.
    auto: Option<Auto>,
    deferred: Option<DeferredFit>,
    region: TrustRegion,
    time: Time,
    /// What is known of the constraint, if there is one.
    slacks: Option<Slacks>,
    /// What is known of the outputs.
    outputs: Outputs,
    /// The point of the next suggestion that breaks the constraint.
    rejected: Option<Vec<f64>>,
}

/// A search: its constants and its state.
pub struct Optimiser {
    space: Space,
    settings: Settings,
    learner: Learner,
    acquisition: Acquisition,
    loss_model: LossModel,
    /// The user's starting point in the unit cube.
    baseline: Option<Vec<f64>>,
    allowed: Option<Constraint>,
    state: State,
}

impl Optimiser {
    /// A search that has seen nothing.
    ///
    /// # Errors
    /// A surrogate that does not exist, an acquisition it cannot serve, covariates that it does not take
    /// or of an objective without noise, a baseline that is not of the space, or no initial design.
    pub fn new(space: Space, settings: Settings) -> Result<Optimiser, Refusal> {
        let name = settings.learns_with();
        let learner = match (settings.noisy, settings.covariates) {
            (true, covariates) => Learner::contextual(name, space.dimensions(), covariates)?,
            (false, 0) => Learner::by_name(name, false)?,
            (false, given) => return Err(Refusal::CovariatesWithoutNoise(given)),
        };
        Optimiser::learning_with(learner, space, settings)
    }

    /// The same with a learner of the caller's in the place of the one that `settings` name.
    ///
    /// # Errors
    /// As [`Optimiser::new`].
    pub fn learning_with(
        learner: Learner,
        space: Space,
        settings: Settings,
    ) -> Result<Optimiser, Refusal> {
        let acquisition = settings.searches_by(&learner);
        acquisition.check(&learner.abilities())?;
        if let Some(recommender) = settings.recommender {
            recommender.check(&learner.abilities())?;
        }
        if settings.initial == 0 {
            return Err(Refusal::SettingOutOfRange {
                setting: "initial",
                value: 0.0,
                wanted: "at least 1",
            });
        }
        let traded = settings.outputs.iter().filter(|r| **r == Role::Traded);
        let given = traded.count();
        if given > 1 {
            return Err(Refusal::TradedTwice(given));
        }
        let (dimensions, covariates) = (space.dimensions(), settings.covariates);
        let auto = (acquisition == Acquisition::ByNoise)
            .then(|| Auto::new(learner.name(), dimensions, covariates));
        let baseline = settings.baseline.as_ref();
        Ok(Optimiser {
            baseline: baseline.map(|x| space.unit(x)).transpose()?,
            space,
            loss_model: settings.loses_by(&learner),
            settings,
            learner,
            acquisition,
            allowed: None,
            state: State {
                auto,
                ..State::default()
            },
        })
    }

    /// The space searched.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The observations so far.
    pub fn seen(&self) -> &Observations {
        &self.state.seen
    }

    /// The next point to evaluate. Asked again before the outcome is told, it suggests another point
    /// away from those pending.
    pub fn ask(&mut self) -> Suggestion {
        self.state.rejected = None;
        let (unit, origin) = self.next();
        let rejected = self.state.rejected.take();
        let x = self.space.natural(&unit);
        Suggestion {
            id: self.add_pending(unit),
            x,
            origin,
            rejected: rejected.map(|unit| self.space.natural(&unit)),
        }
    }

    /// Adds a suggestion to the pending ones; its id.
    fn add_pending(&mut self, unit: Vec<f64>) -> u64 {
        let id = self.state.suggested;
        self.state.suggested += 1;
        self.state.pending.push(id, unit);
        id
    }

    /// The pending suggestions in the unit cube, in their order.
    pub fn pending(&self) -> &[Vec<f64>] {
        self.state.pending.points()
    }

    fn next(&mut self) -> (Vec<f64>, Origin) {
        if self.begins_with_baseline()
            && let Some(baseline) = &self.baseline
        {
            return (baseline.clone(), Origin::Baseline);
        }
        if self.evaluations() < self.settings.initial {
            return (self.design_point(), Origin::Initial);
        }
        if let Some(x) = self.near_only_finished() {
            return (x, Origin::Local);
        }
        if self.local_is_due()
            && let Some(x) = self.local_point()
        {
            return (x, Origin::Local);
        }
        self.global_point()
            .unwrap_or_else(|reason| (self.design_point(), Origin::Fallback { reason }))
    }

    /// Whether the next point is the baseline.
    fn begins_with_baseline(&self) -> bool {
        self.evaluations() == 0 && self.baseline.is_some()
    }

    /// This search's evaluations, observed and pending.
    fn evaluations(&self) -> usize {
        self.state.seen.own() + self.state.pending.points().len()
    }

    fn seed_for(&self, purpose: Search) -> u64 {
        purpose.at(self.settings.seed, self.evaluations() as u64)
    }

    fn local_is_due(&self) -> bool {
        let (settings, count) = (&self.settings, self.state.seen.count());
        let possible = settings.local && !settings.noisy && self.space.is_continuous();
        // The region of trust knows nothing of outputs.
        let possible = possible && settings.outputs.is_empty();
        let turn = match settings.budget {
            Some(budget) => count as f64 >= GLOBAL_SHARE * budget as f64,
            None => count.is_multiple_of(LOCAL_EVERY),
        };
        possible && turn && self.state.pending.points().is_empty() && !self.state.region.collapsed()
    }

    fn local_point(&mut self) -> Option<Vec<f64>> {
        let seed = self.seed_for(Search::Local);
        let known: Vec<Known> = self.state.seen.finished().collect();
        let proposed = self.state.region.propose(&known, seed)?;
        let x = self.near_and_allowed(proposed)?;
        self.state.region.moved_to(&x);
        (!self.is_known(&x)).then_some(x)
    }

    fn learn(&mut self) -> Result<(), dilgp::Error> {
        // How the noise is judged depends on where points are allowed.
        self.learn_slacks();
        self.learn_outputs();
        let started = Instant::now();
        let learnt = self.fit();
        self.state.time.fitting += started.elapsed();
        learnt
    }

    /// Where the time went so far.
    pub fn time(&self) -> Time {
        self.state.time
    }

    /// The visited point to improve on and its value in the model's units: the best observed, or
    /// under noise that of least posterior mean; of those among `allowed`.
    fn incumbent(&self, posterior: &Posterior, allowed: &Observations) -> (Vec<f64>, f64) {
        if self.settings.noisy
            && let Some(best) = recommend::posterior_minimiser(&posterior.view(), allowed)
        {
            return best;
        }
        // A search may have seen nothing yet that is allowed.
        let best = allowed.best().or_else(|| self.state.seen.best());
        let best = best.expect("checked by the caller");
        let value = best.value.expect("the best is finished");
        (best.x.clone(), posterior.image(value))
    }

    /// Whether `x` was observed or is pending.
    fn is_known(&self, x: &[f64]) -> bool {
        self.any_known(|known| same(known, x))
    }

    fn any_known(&self, is: impl Fn(&[f64]) -> bool) -> bool {
        let seen = self.state.seen.all().iter().map(|o| &o.x);
        let mut known = seen.chain(self.state.pending.points());
        known.any(|known| is(known))
    }
}

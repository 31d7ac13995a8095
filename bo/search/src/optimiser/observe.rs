//! Observe: the outcomes that an optimiser learns from, and the replay of an interrupted search.
//!
//! A search that resumes does not choose its earlier suggestions again, but it fits its surrogate as
//! it did then: where a fit ends depends on where the one before it ended.

use super::pending::same;
use super::{Optimiser, Origin};
use crate::model::context::Contexts;
use crate::observations::{NOWHERE, Observation};
use crate::streams::Search;
use crate::{Acquisition, Refusal};

/// Most observations of one optimiser: exact processes grow with their third power.
const MOST_OBSERVATIONS: usize = 5_000;

/// What came of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outcome {
    /// Its value, which is finite.
    Value(f64),
    /// It crashed, or was lost.
    Lost,
}

impl From<f64> for Outcome {
    /// A value that is not finite is a lost evaluation.
    fn from(value: f64) -> Outcome {
        Some(value).into()
    }
}

impl From<Option<f64>> for Outcome {
    fn from(value: Option<f64>) -> Outcome {
        let finite = value.filter(|value| value.is_finite());
        finite.map_or(Outcome::Lost, Outcome::Value)
    }
}

impl Outcome {
    /// The value; `None` of a lost evaluation.
    pub fn value(self) -> Option<f64> {
        match self {
            Outcome::Value(value) => Some(value),
            Outcome::Lost => None,
        }
    }
}

/// One evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evaluated<'a> {
    /// The suggestion that it answers, if it answers one.
    pub id: Option<u64>,
    /// Where it was made, in natural units.
    pub x: &'a [f64],
    /// What came of it.
    pub outcome: Outcome,
    /// The name of its domain, if that is not the target.
    pub other_domain: Option<&'a str>,
    /// What was measured beside the value, in the order of [`super::settings::Settings::outputs`]; not
    /// finite where it was not measured.
    pub outputs: &'a [f64],
    /// The standard error of the value, where it is known: its square adds to the noise of the objective.
    pub error: Option<f64>,
    /// Whether it is data beside this search's own evaluations, as a second answer to one of them is.
    pub additional: bool,
}

impl<'a> Evaluated<'a> {
    /// An evaluation at `x` of nothing beside its value, which answers no suggestion.
    pub fn at(x: &'a [f64], outcome: impl Into<Outcome>) -> Evaluated<'a> {
        Evaluated {
            id: None,
            x,
            outcome: outcome.into(),
            other_domain: None,
            outputs: &[],
            error: None,
            additional: false,
        }
    }
}

impl Optimiser {
    /// Observes the outcome of suggestion `id`.
    ///
    /// # Errors
    /// A suggestion that is not pending, too many observations, or outputs that have to be told with
    /// [`Optimiser::tell_evaluated`]; nothing has changed then.
    pub fn tell(&mut self, id: u64, outcome: impl Into<Outcome>) -> Result<(), Refusal> {
        self.check_room()?;
        self.check_outputs(&[])?;
        let point = self.state.pending.take(id);
        let unit = point.ok_or(Refusal::NotPending(id))?;
        let x = self.space.natural(&unit);
        self.observe(unit, &Evaluated::at(&x, outcome));
        Ok(())
    }

    /// Observes an outcome at `x` (natural units): that of the pending suggestion near `x`, or of a
    /// point that was not suggested.
    ///
    /// # Errors
    /// A point that is not of the space, or too many observations; nothing has changed then.
    pub fn tell_at(&mut self, x: &[f64], outcome: impl Into<Outcome>) -> Result<(), Refusal> {
        self.tell_evaluated(Evaluated {
            id: self.pending_near(x)?,
            ..Evaluated::at(x, outcome)
        })
    }

    /// The pending suggestion whose point is nearest to `x`; `None` if none is near.
    ///
    /// # Errors
    /// A point that is not of the space.
    pub fn pending_near(&self, x: &[f64]) -> Result<Option<u64>, Refusal> {
        Ok(self.state.pending.near(&self.space.coordinates(x)?))
    }

    /// Observes an evaluation, which may lie a little beside the point that was suggested.
    ///
    /// # Errors
    /// As [`Optimiser::tell`] and [`Optimiser::tell_at`].
    pub fn tell_evaluated(&mut self, evaluated: Evaluated) -> Result<(), Refusal> {
        let unit = self.space.coordinates(evaluated.x)?;
        self.check_room()?;
        if !(evaluated.additional && evaluated.outputs.is_empty()) {
            self.check_outputs(evaluated.outputs)?;
        }
        self.check_error(&evaluated)?;
        let suggested = match evaluated.id {
            Some(id) => Some(self.state.pending.take(id).ok_or(Refusal::NotPending(id))?),
            None if evaluated.additional => None,
            None => {
                self.state.suggested += 1;
                None
            }
        };
        // What was evaluated counts, unless it differs from the suggestion by rounding alone.
        let x = suggested.filter(|suggested| same(suggested, &unit));
        self.observe(x.unwrap_or(unit), &evaluated);
        Ok(())
    }

    /// Appends what was evaluated, at coordinates `x`.
    fn observe(&mut self, x: Vec<f64>, evaluated: &Evaluated) {
        let inside = self.space.holds(&x);
        let state = &mut self.state;
        let value = evaluated.outcome.value();
        let best = state.seen.best().and_then(|best| best.value);
        if inside {
            state.region.judge(&x, value, best);
        }
        let domain = match inside {
            true => state.seen.domain(evaluated.other_domain),
            false => NOWHERE,
        };
        state.seen.push(Observation {
            x,
            value,
            domain,
            outputs: evaluated.outputs.to_vec(),
            error: evaluated.error.unwrap_or(0.0),
            earlier: evaluated.additional,
        });
    }

    /// Adds an observation of an earlier search of the same objective: data, but not one of this
    /// search's evaluations.
    ///
    /// # Errors
    /// As [`Optimiser::tell_at`].
    pub fn add_earlier(&mut self, x: &[f64], outcome: impl Into<Outcome>) -> Result<(), Refusal> {
        self.tell_evaluated(Evaluated {
            additional: true,
            ..Evaluated::at(x, outcome)
        })
    }

    /// Takes the observation at `place` of [`Optimiser::seen`] back. All that was learnt is learnt anew from what is
    /// left; the caller takes its context back.
    ///
    /// # Panics
    /// If there is no such observation.
    pub fn withdraw(&mut self, place: usize) {
        let state = &mut self.state;
        state.seen.remove(place);
        state.posterior = None;
        state.deferred = None;
        state.outputs = Default::default();
        state.slacks = None;
        state.region = Default::default();
    }

    /// Sets the context of each observation so far, and the one that predictions are for.
    pub fn set_contexts(&mut self, contexts: Contexts) {
        self.state.contexts = Some(contexts);
    }

    /// As many outputs as the settings have.
    fn check_outputs(&self, given: &[f64]) -> Result<(), Refusal> {
        let (given, wanted) = (given.len(), self.settings.outputs.len());
        match given == wanted {
            true => Ok(()),
            false => Err(Refusal::Outputs { given, wanted }),
        }
    }

    /// A standard error is one of an objective with noise, and only a process weighs it.
    fn check_error(&self, evaluated: &Evaluated) -> Result<(), Refusal> {
        let Some(error) = evaluated.error else {
            return Ok(());
        };
        let (noisy, surrogate) = (self.settings.noisy, self.learner.name());
        if !noisy || !self.learner.weighs_errors() {
            return Err(Refusal::ErrorsNotWeighed { noisy, surrogate });
        }
        match error.is_finite() && error >= 0.0 {
            true => Ok(()),
            false => Err(Refusal::SettingOutOfRange {
                setting: "sem",
                value: error,
                wanted: "a finite number of at least 0",
            }),
        }
    }

    fn check_room(&self) -> Result<(), Refusal> {
        let most = MOST_OBSERVATIONS;
        match self.state.seen.count() < most {
            true => Ok(()),
            false => Err(Refusal::TooManyObservations(most)),
        }
    }
}

/// A fit that was made before the interruption and is not needed yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeferredFit {
    /// Observations that it was made to.
    observations: usize,
    /// Its random numbers.
    seed: u64,
}

impl Optimiser {
    /// Replays a suggestion that this search made after the outcomes so far, before it was
    /// interrupted: `x` in natural units becomes pending.
    ///
    /// # Errors
    /// A point that is not of the space.
    pub fn replay(&mut self, x: &[f64]) -> Result<(), Refusal> {
        let unit = self.space.unit(x)?;
        let designed = self.evaluations() < self.settings.initial;
        if self.depends_on_earlier_fits() && !designed && self.state.seen.best().is_some() {
            // A fit that failed then fails now, and the design was used in its place.
            let _ = self.learn();
        }
        if designed && self.allowed.is_some() && !self.begins_with_baseline() {
            // Which points of the sequence were passed over depends on the slacks known then.
            self.design_point();
        }
        self.add_pending(unit);
        Ok(())
    }

    /// Replays a suggestion of which its origin and the point of the unit cube are known, as
    /// [`Optimiser::pending`] gave it then; its id.
    pub fn replay_suggestion(&mut self, unit: Vec<f64>, origin: &Origin) -> u64 {
        match origin {
            Origin::Baseline => {}
            Origin::Initial => {
                self.design_point();
            }
            _ => self.replay_search(origin),
        }
        self.add_pending(unit)
    }

    fn replay_search(&mut self, origin: &Origin) {
        if *origin == Origin::Local && self.near_only_finished().is_some() {
            return;
        }
        if self.local_is_due() {
            // Its box and its hyper-parameters are as they were once it has proposed a point.
            let _ = self.local_point();
        }
        if *origin != Origin::Local && self.state.seen.best().is_some() {
            self.replay_fit();
        }
        if matches!(origin, Origin::Fallback { .. }) {
            self.design_point();
        }
    }

    /// Whether a fit depends on those before it: on where a process that grows ended, or on how
    /// the noise was judged.
    fn depends_on_earlier_fits(&self) -> bool {
        self.learner.grows() || self.acquisition == Acquisition::ByNoise
    }

    /// Fits as it did then; a surrogate that is fitted anew each time, not before it is needed.
    fn replay_fit(&mut self) {
        if self.depends_on_earlier_fits() {
            // A fit that failed then fails now.
            let _ = self.learn();
            return;
        }
        let observations = self.state.seen.count();
        let deferred = self.state.deferred;
        if deferred.is_none_or(|fit| fit.observations != observations) {
            let seed = self.seed_for(Search::Fit);
            self.state.deferred = Some(DeferredFit { observations, seed });
        }
    }

    /// The random numbers of a fit to the observations so far.
    pub(super) fn fit_seed(&self) -> u64 {
        let deferred = self.state.deferred;
        let due = deferred.filter(|fit| fit.observations == self.state.seen.count());
        due.map_or_else(|| self.seed_for(Search::Fit), |fit| fit.seed)
    }
}

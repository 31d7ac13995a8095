//! Tell: what an optimiser takes in.

use super::{Optimiser, Origin};
use crate::model::context::Circumstances;
use crate::observations::Observation;
use crate::streams::Search;
use crate::{Acquisition, Refusal};

/// Most observations of one optimiser: exact processes grow with their third power.
const MOST_OBSERVATIONS: usize = 5_000;

impl Optimiser {
    /// Takes in a value observed at `x` (natural units). A value that is not finite is a crash.
    ///
    /// # Errors
    /// A point that is not of the space, or too many observations; nothing has changed then.
    pub fn tell(&mut self, x: &[f64], value: f64) -> Result<(), Refusal> {
        self.tell_of(x, value.is_finite().then_some(value), None)
    }

    /// Takes in an observation: no value for a crash, and the name of its domain where that is
    /// not the target.
    ///
    /// # Errors
    /// As [`Optimiser::tell`].
    pub fn tell_of(
        &mut self,
        x: &[f64],
        value: Option<f64>,
        other_domain: Option<&str>,
    ) -> Result<(), Refusal> {
        let question = self.question(x)?;
        self.answer(question, x, value, other_domain)
    }

    /// The question to which a value observed at `x` is the answer, counted from the one that was asked
    /// first among those not yet answered; nothing where `x` is near none.
    ///
    /// # Errors
    /// A point that is not of the space.
    pub fn question(&self, x: &[f64]) -> Result<Option<usize>, Refusal> {
        Ok(self.state.under_way.question(&self.space.unit(x)?))
    }

    /// Takes in what was observed at `x` for that question, or for none; otherwise as
    /// [`Optimiser::tell_of`].
    ///
    /// # Errors
    /// As [`Optimiser::tell`].
    pub fn answer(
        &mut self,
        question: Option<usize>,
        x: &[f64],
        value: Option<f64>,
        other_domain: Option<&str>,
    ) -> Result<(), Refusal> {
        let unit = self.space.unit(x)?;
        self.check_room()?;
        let state = &mut self.state;
        let value = value.filter(|value| value.is_finite());
        let evaluated = state.under_way.answered(question, unit);
        let best = state.seen.best().and_then(|best| best.value);
        state.region.judge(&evaluated, value, best);
        let domain = state.seen.domain(other_domain);
        state.seen.push(Observation {
            x: evaluated,
            value,
            domain,
            earlier: false,
        });
        Ok(())
    }

    /// Takes in an observation of an earlier search of the same objective: data, but none of this
    /// search's evaluations.
    ///
    /// # Errors
    /// As [`Optimiser::tell`].
    pub fn know(&mut self, x: &[f64], value: Option<f64>) -> Result<(), Refusal> {
        self.check_room()?;
        let observation = Observation {
            x: self.space.unit(x)?,
            value: value.filter(|value| value.is_finite()),
            domain: 0,
            earlier: true,
        };
        self.state.seen.push(observation);
        Ok(())
    }

    /// From now on the surrogate learns in these circumstances, a row for each observation so far.
    pub fn surround(&mut self, circumstances: Circumstances) {
        self.state.circumstances = Some(circumstances);
    }

    fn check_room(&self) -> Result<(), Refusal> {
        let most = MOST_OBSERVATIONS;
        match self.state.seen.count() < most {
            true => Ok(()),
            false => Err(Refusal::TooManyObservations { most }),
        }
    }
}

/// A fit that was made before the interruption and whose turn has not come yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owed {
    /// Observations that it learnt from.
    observations: usize,
    /// Its random numbers.
    seed: u64,
}

impl Optimiser {
    /// Takes in a point that this search suggested after what was told so far, before it was
    /// interrupted.
    ///
    /// # Errors
    /// A point that is not of the space.
    pub fn asked_before(&mut self, x: &[f64]) -> Result<(), Refusal> {
        let unit = self.space.unit(x)?;
        self.learn_again();
        self.state.under_way.push(unit);
        Ok(())
    }

    /// Learns from what was told so far as it did when the next point was asked for: what a process
    /// that grows is refitted to depends on where its last fit ended.
    fn learn_again(&mut self) {
        let designed = self.evaluations() < self.settings.initial;
        if self.remembers() && !designed && self.state.seen.best().is_some() {
            // A fit that failed then fails now, and the design went on.
            let _ = self.learn();
        }
    }

    /// Takes up a question that this search asked before it was interrupted, with the point of the unit
    /// cube that [`Optimiser::asked`] gave then.
    pub fn ask_again(&mut self, unit: Vec<f64>, origin: &Origin) {
        match origin {
            Origin::Baseline => {}
            Origin::Initial => {
                self.design_point();
            }
            _ => self.search_again(origin),
        }
        self.state.under_way.push(unit);
    }

    fn search_again(&mut self, origin: &Origin) {
        if self.local_is_due() {
            // Its box and its hyper-parameters are as they were once it has been asked.
            let _ = self.local_point();
        }
        if *origin != Origin::Local && self.state.seen.best().is_some() {
            self.owe();
        }
        if matches!(origin, Origin::Fallback { .. }) {
            self.design_point();
        }
    }

    /// Whether what is learnt depends on what was learnt before: where a process that grows ended, or
    /// how the noise was judged.
    fn remembers(&self) -> bool {
        self.learner.grows() || self.acquisition == Acquisition::ByNoise
    }

    /// Learns as it did then. A surrogate that is fitted anew from each set of observations need not do
    /// so until somebody asks for its belief.
    fn owe(&mut self) {
        if self.remembers() {
            // A fit that failed then fails now.
            let _ = self.learn();
            return;
        }
        let observations = self.state.seen.count();
        if self
            .state
            .owed
            .is_none_or(|owed| owed.observations != observations)
        {
            let seed = self.seed_for(Search::Fit);
            self.state.owed = Some(Owed { observations, seed });
        }
    }

    /// The random numbers of a fit to what was told so far.
    pub(super) fn fit_seed(&self) -> u64 {
        let owed = self.state.owed;
        let due = owed.filter(|owed| owed.observations == self.state.seen.count());
        due.map_or_else(|| self.seed_for(Search::Fit), |owed| owed.seed)
    }
}

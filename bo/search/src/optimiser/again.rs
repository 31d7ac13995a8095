//! Again: a search taken up where it was interrupted. What it suggested then is not chosen again, but
//! what it learnt on the way is: where a fit ends depends on where the one before ended.

use super::{Optimiser, Origin};
use crate::streams::Search;
use crate::{Acquisition, Refusal};

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
    pub fn asked_before(&mut self, x: &[f64], origin: &Origin) -> Result<(), Refusal> {
        let unit = self.space.unit(x)?;
        self.learn_again();
        self.state.under_way.push(unit, origin.gain_nats());
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
        self.state.under_way.push(unit, origin.gain_nats());
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

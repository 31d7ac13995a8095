//! Tell: what an optimiser takes in.

use super::Optimiser;
use crate::Refusal;
use crate::belief::view::Circumstances;
use crate::observations::Observation;

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
        let (evaluated, gain_nats) = state.under_way.answered(question, unit);
        let best = state.seen.best().and_then(|best| best.value);
        state.region.judge(&evaluated, value, best);
        let domain = state.seen.domain(other_domain);
        state.seen.push(Observation {
            x: evaluated,
            value,
            domain,
            earlier: false,
            gain_nats,
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
            gain_nats: 0.0,
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

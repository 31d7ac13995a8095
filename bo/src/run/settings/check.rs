//! Check: whether the numbers of settings are legal and their names go together.

use super::{FLIGHTS, HELD_OUT, INITIAL, ITERATIONS, KAPPA, LAMBDA, Settings, TOGETHER};
use crate::{ChoiceError, Error};
use search::surrogates;

impl Settings {
    /// Checks the numbers, and that the surrogate has what acquisition and winds need.
    ///
    /// # Errors
    /// [`ChoiceError`], a number out of range naming the flag, or [`Error::Engine`].
    pub fn check(&self) -> Result<(), Error> {
        INITIAL.check(self.initial as f64)?;
        ITERATIONS.check(self.iterations as f64)?;
        FLIGHTS.check(self.flights_per_evaluation as f64)?;
        TOGETHER.check(self.together as f64)?;
        HELD_OUT.check(self.held_out_winds as f64)?;
        KAPPA.check(self.kappa)?;
        if let Some(lambda) = self.lambda {
            LAMBDA.check(lambda)?;
            if dilgp::default_lambda(self.surrogate).is_none() {
                let surrogate = self.surrogate;
                return Err(ChoiceError::NoPenalty { surrogate }.into());
            }
        }
        self.check_acquisition()?;
        if !self.environments.able().contains(&self.surrogate) {
            return Err(self.unable());
        }
        Ok(())
    }

    /// That the surrogate cannot have this context.
    pub fn unable(&self) -> Error {
        let gone = ChoiceError::refuse_retired("environments", self.environments.name());
        gone.err().unwrap_or_else(|| {
            ChoiceError::NoWinds {
                surrogate: self.surrogate,
                able: surrogates::CONTEXTUAL.join(" or "),
            }
            .into()
        })
    }

    fn check_acquisition(&self) -> Result<(), Error> {
        let abilities = surrogates::abilities(self.surrogate);
        self.rule()?.check(&abilities)?;
        if let Some(recommender) = self.recommender()? {
            recommender.check(&abilities)?;
        }
        Ok(())
    }
}

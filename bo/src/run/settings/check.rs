//! Check: whether the numbers of settings are legal and their names go together.

use super::{FINALS, FLIGHTS, HELD_OUT, INITIAL, ITERATIONS, KAPPA, LAMBDA, Settings, TOGETHER};
use crate::flights::environments::{Environments, Target};
use crate::search::surrogates;
use crate::{ChoiceError, Error};

impl Settings {
    /// Checks the numbers, and that the surrogate has what acquisition and environments need.
    ///
    /// # Errors
    /// [`ChoiceError`], a number out of range naming the flag, or [`Error::Engine`].
    pub fn check(&self) -> Result<(), Error> {
        INITIAL.check(self.initial as f64)?;
        ITERATIONS.check(self.iterations as f64)?;
        FLIGHTS.check(self.flights_per_evaluation as f64)?;
        TOGETHER.check(self.together as f64)?;
        FINALS.check(self.finals as f64)?;
        if self.finals > self.iterations {
            let (finals, iterations) = (self.finals, self.iterations);
            return Err(ChoiceError::OnlyFinals { finals, iterations }.into());
        }
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
        let told = self.environments != Environments::None;
        if !self.environments.able().contains(&self.surrogate) {
            return Err(self.unable());
        }
        match self.target {
            Some(target) if !self.environments.are_told_apart() => {
                let target = target.name();
                Err(ChoiceError::TargetAlone { target }.into())
            }
            _ if told && self.acquisition == "ucb-theory" => {
                Err(ChoiceError::TheoryAmongEnvironments.into())
            }
            Some(Target::Worst) if self.acquisition == "kg" => {
                let what = "acquisition kg";
                Err(ChoiceError::WorstOfEnvironments { what }.into())
            }
            Some(Target::Worst) if self.acquisition == "by-noise" => {
                let what = "acquisition by-noise";
                Err(ChoiceError::WorstOfEnvironments { what }.into())
            }
            Some(Target::Worst) if self.recommender == Some("centre") => {
                let what = "recommender centre";
                Err(ChoiceError::WorstOfEnvironments { what }.into())
            }
            _ => Ok(()),
        }
    }

    /// That the surrogate cannot be told of the environments.
    pub fn unable(&self) -> Error {
        ChoiceError::NoEnvironments {
            surrogate: self.surrogate,
            what: match self.environments {
                Environments::Winds => "winds",
                _ => "environments",
            },
            able: surrogates::in_words(self.environments.able()),
        }
        .into()
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

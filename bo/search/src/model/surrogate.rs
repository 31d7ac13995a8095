//! Learner: what a search learns with: an exact Gaussian process with a length scale for each
//! parameter, which is refitted from where it was and grows by a row between refits, or any other
//! surrogate, fitted anew each time.

use super::names::{self, Abilities, MATERN};
use super::refit::{QUICK, RefitSchedule, THOROUGH};
use crate::Refusal;
use dilgp::process::{FittedProcess, Noise};
use dilgp::{Dataset, Error, Model, Process, Surrogate};

/// How to learn; does not change.
pub enum Learner {
    /// A process that can grow.
    Process(Process),
    /// Another surrogate.
    Other(Box<dyn Surrogate>),
}

/// What was learnt.
#[allow(clippy::large_enum_variant)] // one exists at a time
pub enum Fitted {
    /// A process that can grow.
    Process(FittedProcess),
    /// Another surrogate's model.
    Other(Box<dyn Model>),
}

impl Learner {
    /// The learner of that name: one of [`names::NAMES`]. For a deterministic objective the
    /// noise of a process that can grow is fixed at its floor; the others have no such switch.
    ///
    /// # Errors
    /// When there is none; the message lists the names.
    pub fn by_name(name: &str, noisy: bool) -> Result<Learner, Refusal> {
        if let Some(process) = names::growing(name, noisy) {
            return Ok(Learner::Process(process));
        }
        let unknown = |_| Refusal::UnknownSurrogate {
            given: name.to_owned(),
            known: &names::NAMES,
        };
        Ok(Learner::Other(names::by_name(name).map_err(unknown)?))
    }

    /// The same for a noisy objective with so many `covariates` besides a point's `dimensions`
    /// coordinates; without covariates [`Learner::by_name`].
    ///
    /// # Errors
    /// If there is none, or it takes no covariates and there are some; the message lists those that do.
    pub fn contextual(
        name: &str,
        dimensions: usize,
        covariates: usize,
    ) -> Result<Learner, Refusal> {
        if covariates == 0 {
            return Learner::by_name(name, true);
        }
        let unable = || Refusal::NoCovariates {
            given: name.to_owned(),
            able: &names::CONTEXTUAL,
        };
        let process = names::with_context(name, dimensions, covariates);
        let process = process.ok_or_else(unable)?;
        Ok(match names::growing(name, true) {
            Some(_) => Learner::Process(process),
            None => Learner::Other(Box::new(process)),
        })
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Learner::Process(process) => process.name,
            Learner::Other(surrogate) => surrogate.name(),
        }
    }

    /// Whether it weighs the standard errors of values.
    pub fn weighs_errors(&self) -> bool {
        self.grows() || self.name() == names::LEVEL_SET
    }

    /// What it has to offer an acquisition.
    pub fn abilities(&self) -> Abilities {
        let exact = matches!(self, Learner::Process(own) if own.noise == Noise::DETERMINISTIC);
        let of_name = names::abilities(self.name());
        Abilities {
            has_noise: of_name.has_noise && !exact,
            ..of_name
        }
    }

    /// Learns from `data`: from where `before` was, at times with one cold start as a guard.
    ///
    /// # Errors
    /// Numbers that defeat the surrogate.
    pub fn learn(
        &self,
        data: &Dataset,
        before: Option<&[f64]>,
        seed: u64,
    ) -> Result<Fitted, Error> {
        match self {
            Learner::Process(process) => {
                let process = Process {
                    effort: self.schedule().effort(data.len(), before.is_some()),
                    ..process.clone()
                };
                let guarded = self.schedule().guards(data.len(), seed);
                let fitted = match before {
                    Some(eta) => process.fit_from(data, eta, guarded, seed),
                    None => process.train(data, seed),
                };
                Ok(Fitted::Process(fitted?))
            }
            Learner::Other(surrogate) => Ok(Fitted::Other(surrogate.fit(data, seed)?)),
        }
    }

    /// Whether its models grow by a row between refits.
    pub fn grows(&self) -> bool {
        matches!(self, Learner::Process(_))
    }

    /// How often it is refitted and how much work a climb on it may be. The processes that no tuning
    /// of a vehicle has for a default are quick.
    pub fn schedule(&self) -> &'static RefitSchedule {
        match self.name() == MATERN {
            true => &QUICK,
            false => &THOROUGH,
        }
    }

    /// Steps from one refit to the next once there are so many observations.
    pub fn refit_cycle(&self, observations: usize) -> usize {
        match self.grows() {
            true => self.schedule().refit_cycle(observations),
            false => 1,
        }
    }
}

impl Fitted {
    /// The model.
    pub fn model(&self) -> &dyn Model {
        match self {
            Fitted::Process(fitted) => fitted,
            Fitted::Other(model) => model.as_ref(),
        }
    }

    /// The process, where it is one.
    pub fn process(&self) -> Option<&FittedProcess> {
        match self {
            Fitted::Process(fitted) => Some(fitted),
            Fitted::Other(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{SHAPES, observed};
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn what_a_name_is_said_to_claim_is_what_its_models_claim() {
        let seen = observed(SHAPES[0].1, 40, 1);
        let x = DMatrix::from_fn(40, 2, |row, column| seen[row].0[column]);
        let y = DVector::from_fn(40, |row, _| seen[row].1);
        let data = Dataset::new(x.clone(), y).expect("finite");
        for name in names::NAMES {
            let learner = Learner::by_name(name, true).expect("legal");
            let learnt = learner.learn(&data, None, 1).expect("fits");
            let believed = learnt.model().predict(&x);
            assert_eq!(
                learner.abilities().has_deviation,
                believed.std.is_some(),
                "{name}"
            );
            // A forest's leaves are pure: at what it was grown on an observation varies no more
            // than the trees disagree.
            let noise = believed
                .std
                .zip(believed.observation_std)
                .map_or(0.0, |(std, whole)| whole[0].powi(2) - std[0].powi(2));
            assert_eq!(
                learner.abilities().has_noise,
                noise > 1e-6,
                "{name}: {noise}"
            );
        }
        let exact = Learner::by_name("matern", false).expect("legal");
        let exact = exact.abilities();
        assert!(exact.has_deviation && !exact.has_noise);
    }
}

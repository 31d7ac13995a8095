//! Acquisition: which rule chooses the next point, by name.

use crate::belief::surrogates::{AUTO, usual_acquisition};
use crate::criterion::{Bound, Criterion, Improvement, LeastMean, LogImprovement, Schedule};
use crate::{Abilities, Refusal};
use dilgp::Model;
use nalgebra::DMatrix;

/// Legal names.
pub const ACQUISITIONS: [&str; 8] = [
    "log-ei",
    "ei",
    "ucb",
    "ucb-theory",
    "mean",
    "level-set",
    "kg",
    "by-noise",
];

/// The rule that chooses the next point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Acquisition {
    /// Expected improvement on the best value.
    Improvement,
    /// Its logarithm: the same peak, with a gradient everywhere.
    LogImprovement,
    /// Mean minus kappa standard deviations.
    Bound {
        /// Weight of the standard deviation.
        kappa: f64,
    },
    /// The bound with the schedule of Theorem 2. The theorem takes covariance and noise as known;
    /// here the surrogate refits them as it goes, so its guarantee does not apply. `bo regret`
    /// keeps to the theorem's assumptions.
    TheoryBound {
        /// Bound on the objective's norm, for a covariance scaled to a variance of 1.
        norm: f64,
        /// Probability with which the bound may fail.
        delta: f64,
    },
    /// The mean alone.
    LeastMean,
    /// A point drawn from those that one noisy evaluation could hardly tell from the best; the
    /// centre of such points is recommended, where it is one of them.
    LevelSet,
    /// The point whose evaluation is expected to lower the least posterior mean most: the knowledge
    /// gradient.
    KnowledgeGradient,
    /// The level set where one evaluation tells little of what there is to gain, the knowledge gradient
    /// where it tells much.
    ByNoise,
}

impl Acquisition {
    /// Weight of the standard deviation in the bound where none is given.
    pub const KAPPA: f64 = 2.0;

    /// The same of `auto` without noise, where less exploration is needed.
    const KAPPA_WITHOUT_NOISE: f64 = 1.5;

    /// The acquisition of that name with its default constants: [`Acquisition::KAPPA`], norm 2, delta 0.1.
    ///
    /// # Errors
    /// [`Refusal::UnknownAcquisition`], which lists the names.
    pub fn by_name(name: &str) -> Result<Acquisition, Refusal> {
        Ok(match name {
            "log-ei" => Acquisition::LogImprovement,
            "ei" => Acquisition::Improvement,
            "ucb" => Acquisition::Bound {
                kappa: Acquisition::KAPPA,
            },
            "ucb-theory" => Acquisition::TheoryBound {
                norm: 2.0,
                delta: 0.1,
            },
            "mean" => Acquisition::LeastMean,
            "level-set" => Acquisition::LevelSet,
            "kg" => Acquisition::KnowledgeGradient,
            "by-noise" => Acquisition::ByNoise,
            other => {
                return Err(Refusal::UnknownAcquisition {
                    given: other.to_owned(),
                    known: &ACQUISITIONS,
                });
            }
        })
    }

    /// The rule where none is named. For a deterministic objective log expected improvement, but for
    /// `auto` the bound. Under noise what the surrogate is meant for, which is the bound for all but
    /// ours for tuning, because the best value seen is luck in part and improving on it stops
    /// exploring too soon. The mean for a surrogate without uncertainty.
    pub fn usual(abilities: &Abilities, noisy: bool) -> Acquisition {
        match (abilities.claims_deviation, noisy) {
            (false, _) => Acquisition::LeastMean,
            (true, false) if abilities.surrogate == AUTO => Acquisition::Bound {
                kappa: Acquisition::KAPPA_WITHOUT_NOISE,
            },
            (true, false) => Acquisition::LogImprovement,
            (true, true) => Acquisition::by_name(usual_acquisition(abilities.surrogate))
                .expect("a surrogate is meant for an acquisition that exists"),
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Acquisition::LogImprovement => "log-ei",
            Acquisition::Improvement => "ei",
            Acquisition::Bound { .. } => "ucb",
            Acquisition::TheoryBound { .. } => "ucb-theory",
            Acquisition::LeastMean => "mean",
            Acquisition::LevelSet => "level-set",
            Acquisition::KnowledgeGradient => "kg",
            Acquisition::ByNoise => "by-noise",
        }
    }

    /// Refuses a surrogate that does not claim what this rule weighs, or constants out of range.
    ///
    /// # Errors
    /// [`Refusal::NoDeviation`], [`Refusal::NoNoise`], [`Refusal::NeedsProcess`] or
    /// [`Refusal::SettingOutOfRange`].
    pub fn check(&self, abilities: &Abilities) -> Result<(), Refusal> {
        let (acquisition, surrogate) = (self.name(), abilities.surrogate);
        let in_range = |setting, value: f64, legal: bool, wanted| {
            let refusal = Refusal::SettingOutOfRange {
                setting,
                value,
                wanted,
            };
            if legal { Ok(()) } else { Err(refusal) }
        };
        match *self {
            Acquisition::LeastMean => return Ok(()),
            Acquisition::Bound { kappa } => {
                let legal = kappa.is_finite() && kappa >= 0.0;
                in_range("kappa", kappa, legal, "finite and not negative")?;
            }
            Acquisition::TheoryBound { norm, delta } => {
                let legal = norm.is_finite() && norm > 0.0;
                in_range("norm", norm, legal, "finite and above 0")?;
                let legal = delta > 0.0 && delta < 1.0;
                in_range("delta", delta, legal, "between 0 and 1")?;
            }
            _ => {}
        }
        if !abilities.claims_deviation {
            return Err(Refusal::NoDeviation {
                acquisition,
                surrogate,
            });
        }
        let by_noise = matches!(self, Acquisition::LevelSet | Acquisition::ByNoise);
        if by_noise && !abilities.claims_noise {
            return Err(Refusal::NoNoise {
                acquisition,
                surrogate,
            });
        }
        let process = matches!(
            self,
            Acquisition::KnowledgeGradient | Acquisition::ByNoise | Acquisition::TheoryBound { .. }
        );
        if process && !abilities.draws {
            return Err(Refusal::NeedsProcess {
                acquisition,
                surrogate,
            });
        }
        Ok(())
    }

    /// What a point is worth by this rule where `model` believes the value `best` of the point to
    /// improve on and `gain` nats were gained so far. The knowledge gradient
    /// weighs whole functions and level sets none at all: log expected improvement stands in.
    pub fn criterion(&self, model: &dyn Model, best: f64, gain: f64) -> Box<dyn Criterion> {
        match *self {
            Acquisition::Improvement => Box::new(Improvement { best }),
            Acquisition::Bound { kappa } => Box::new(Bound { kappa }),
            Acquisition::TheoryBound { norm, delta } => {
                let noise = relative_noise(model);
                let schedule = Schedule { norm, noise, delta };
                Box::new(Bound {
                    kappa: schedule.beta(gain),
                })
            }
            Acquisition::LeastMean => Box::new(LeastMean),
            Acquisition::LogImprovement
            | Acquisition::LevelSet
            | Acquisition::KnowledgeGradient
            | Acquisition::ByNoise => Box::new(LogImprovement { best }),
        }
    }

    /// What an observation at `x` will gain by the schedule of
    /// Theorem 2 [nats]; 0 for every other rule.
    pub fn gain_at(&self, model: &dyn Model, x: &[f64]) -> f64 {
        if !matches!(self, Acquisition::TheoryBound { .. }) {
            return 0.0;
        }
        let believed = model.predict(&DMatrix::from_row_slice(1, x.len(), x));
        let std = believed.std.map_or(0.0, |std| std[0]);
        let whole = believed.observation_std.map_or(0.0, |std| std[0]);
        let noise = (whole * whole - std * std).max(f64::MIN_POSITIVE).sqrt();
        0.5 * (std / noise).powi(2).ln_1p()
    }
}

/// Standard deviation of the noise as a multiple of that of the process' prior.
fn relative_noise(model: &dyn Model) -> f64 {
    let summary = model.summary();
    let value = |name: &str| summary.hyperparameter(name).unwrap_or(1.0);
    (value("noise") / value("amplitude")).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Learner;

    #[test]
    fn every_name_is_its_own() {
        for name in ACQUISITIONS {
            assert_eq!(Acquisition::by_name(name).expect("legal").name(), name);
        }
        let error = Acquisition::by_name("pi").expect_err("unknown").to_string();
        assert!(
            error.starts_with("unknown acquisition `pi`; known: log-ei, ei"),
            "{error}"
        );
    }

    #[test]
    fn what_a_surrogate_cannot_give_is_refused_in_one_line() {
        let line = |acquisition: &str, surrogate: &str| {
            let learner = Learner::by_name(surrogate, true).expect("legal");
            let acquisition = Acquisition::by_name(acquisition).expect("legal");
            acquisition
                .check(&learner.abilities())
                .map_err(|refusal| refusal.to_string())
        };
        assert_eq!(
            line("log-ei", "mlp"),
            Err(
                "acquisition log-ei needs a standard deviation, which surrogate mlp does not claim"
                    .into()
            )
        );
        assert_eq!(
            line("kg", "rf"),
            Err("acquisition kg needs a Gaussian process, which surrogate rf is not".into())
        );
        assert_eq!(
            line("level-set", "rf"),
            Err(
                "acquisition level-set measures by the noise of evaluations, of which surrogate rf claims none"
                    .into()
            )
        );
        assert_eq!(
            line("level-set", "mlp"),
            Err(
                "acquisition level-set needs a standard deviation, which surrogate mlp does not claim"
                    .into()
            )
        );
        for noisy in ["matern", "gp", "gp-rq", "gp-dp", "dil-gp"] {
            assert_eq!(line("level-set", noisy), Ok(()), "{noisy}");
        }
        let exact = Learner::by_name("matern", false).expect("legal");
        let error = Acquisition::LevelSet.check(&exact.abilities());
        assert!(matches!(error, Err(Refusal::NoNoise { .. })));
        assert_eq!(line("mean", "mlp"), Ok(()));
        assert_eq!(line("ucb", "rf"), Ok(()));
        assert_eq!(line("kg", "gp"), Ok(()));
        let kappa = Acquisition::Bound { kappa: -1.0 };
        let learner = Learner::by_name("matern", true).expect("legal");
        let error = kappa
            .check(&learner.abilities())
            .expect_err("negative")
            .to_string();
        assert_eq!(error, "kappa is -1; it must be finite and not negative");
    }
}

//! Acquisition: which rule chooses the next point, by name.

mod bound;
mod improvement;
pub mod knowledge;
pub mod level_set;

pub use bound::{Bound, LeastMean};
pub use improvement::{Improvement, LogImprovement, log_improvement};

use crate::maximise::Criterion;
use crate::model::names::{AUTO, usual_acquisition};
use crate::{Abilities, Refusal};

/// Legal names.
pub const ACQUISITIONS: [&str; 7] = ["log-ei", "ei", "ucb", "mean", "level-set", "kg", "by-noise"];

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
    /// The mean alone.
    LeastMean,
    /// A point drawn from those that one noisy evaluation could hardly tell from the best; the
    /// centre of such points is recommended, where it is one of them.
    LevelSet,
    /// The point whose evaluation is expected to lower the least posterior mean most: the knowledge
    /// gradient.
    KnowledgeGradient,
    /// The level set while noise dominates, else the knowledge gradient: that of `auto`.
    ByNoise,
}

impl Acquisition {
    /// Weight of the standard deviation in the bound where none is given.
    pub const KAPPA: f64 = 2.0;

    /// The same of `auto` without noise, where less exploration is needed.
    const KAPPA_WITHOUT_NOISE: f64 = 1.5;

    /// The acquisition of that name with its default constants, kappa [`Acquisition::KAPPA`].
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
        match (abilities.has_deviation, noisy) {
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
            _ => {}
        }
        if !abilities.has_deviation {
            return Err(Refusal::NoDeviation {
                acquisition,
                surrogate,
            });
        }
        let by_noise = matches!(self, Acquisition::LevelSet | Acquisition::ByNoise);
        if by_noise && !abilities.has_noise {
            return Err(Refusal::NoNoise {
                acquisition,
                surrogate,
            });
        }
        let process = matches!(self, Acquisition::KnowledgeGradient | Acquisition::ByNoise);
        if process && !abilities.has_joint {
            return Err(Refusal::NeedsProcess {
                acquisition,
                surrogate,
            });
        }
        Ok(())
    }

    /// What a point is worth by this rule if the point to improve on has the value `best`. The
    /// knowledge gradient weighs whole functions and level sets none: for them log expected
    /// improvement.
    pub fn criterion(&self, best: f64) -> Box<dyn Criterion> {
        match *self {
            Acquisition::Improvement => Box::new(Improvement { best }),
            Acquisition::Bound { kappa } => Box::new(Bound { kappa }),
            Acquisition::LeastMean => Box::new(LeastMean),
            Acquisition::LogImprovement
            | Acquisition::LevelSet
            | Acquisition::KnowledgeGradient
            | Acquisition::ByNoise => Box::new(LogImprovement { best }),
        }
    }
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

    #[test]
    fn derivatives_agree_with_differences() {
        let criteria: [&dyn Criterion; 4] = [
            &Bound { kappa: 1.7 },
            &Improvement { best: 0.3 },
            &LogImprovement { best: 0.3 },
            &LeastMean,
        ];
        for (index, criterion) in criteria.iter().enumerate() {
            for (mean, std) in [(0.1, 0.5), (0.9, 0.4), (4.0, 0.3), (0.3, 1.2)] {
                let worth = criterion.worth(mean, std);
                let h = 1e-6;
                let value = |mean: f64, std: f64| criterion.worth(mean, std).value;
                let by_mean = (value(mean + h, std) - value(mean - h, std)) / (2.0 * h);
                let by_std = (value(mean, std + h) - value(mean, std - h)) / (2.0 * h);
                for (numeric, analytic) in [(by_mean, worth.by_mean), (by_std, worth.by_std)] {
                    let slack = 1e-5 * (1.0 + numeric.abs());
                    assert!(
                        (numeric - analytic).abs() < slack,
                        "{index}: {numeric} {analytic}"
                    );
                }
            }
        }
    }

    #[test]
    fn without_uncertainty_every_criterion_is_finite_or_minus_infinity_and_prefers_less() {
        let criteria: [&dyn Criterion; 4] = [
            &Bound { kappa: 2.0 },
            &Improvement { best: 0.0 },
            &LogImprovement { best: 0.0 },
            &LeastMean,
        ];
        for criterion in criteria {
            let (good, bad) = (
                criterion.worth(-1.0, 0.0).value,
                criterion.worth(1.0, 0.0).value,
            );
            assert!(good > bad && !good.is_nan() && !bad.is_nan());
        }
    }
}

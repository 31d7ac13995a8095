//! Study: the paper's Algorithm 2, Bayesian optimisation of one costly function on the unit cube.

use crate::search::Acquisition;
use crate::search::acquisition::{Summit, maximise};
use crate::search::belief::incumbent::{Incumbent, View};
use crate::search::belief::learning::Learner;
use crate::search::climb::level_set::LevelSet;
use crate::search::climb::sobol;
use crate::search::climb::thompson;
use crate::search::history::{History, Observation, Origin, Trial};
use crate::search::recommend;
use crate::streams::{self, Stream};
use dilgp::Model;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// What a study is: everything that does not change while it runs.
pub struct Study<'a> {
    /// Learns cost from position.
    pub learner: Learner<'a>,
    /// First point to be evaluated: what the user has today.
    pub baseline: Vec<f64>,
    /// Evaluations before the surrogate is first asked, the baseline's among them; at least 1.
    pub initial: u64,
    /// Evaluations that the surrogate chooses.
    pub iterations: u64,
    /// The rule that chooses the next point.
    pub acquisition: Acquisition,
    /// Decides the initial design, the fits and the acquisition's starting points. The initial
    /// design depends on nothing else, so surrogates that share a seed share it.
    pub seed: u64,
}

/// Sees each trial as soon as it is known; breaking ends the study.
pub trait Watcher {
    /// Called after every evaluation.
    fn trial(&mut self, trial: &Trial, history: &History) -> ControlFlow<()>;
}

/// Where the time of a study went.
#[derive(Debug, Clone, Copy, Default)]
pub struct Time {
    /// Evaluating the costly function.
    pub evaluating: Duration,
    /// Fitting surrogates.
    pub fitting: Duration,
    /// Maximising acquisitions.
    pub acquiring: Duration,
}

/// Whether a study ran to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All evaluations were made.
    Complete,
    /// The watcher broke off.
    BrokenOff,
}

impl Study<'_> {
    /// Runs Algorithm 2 on `objective`, which is given the trial's number and a point of the unit
    /// cube.
    pub fn run(
        &self,
        objective: impl FnMut(u64, &[f64]) -> Observation,
        watcher: &mut dyn Watcher,
    ) -> (History, Time, Ending) {
        self.go_on(History::default(), objective, watcher)
    }

    /// Goes on after the trials of `history`, which this study made: each trial depends on the
    /// study and on the trials before it, on nothing else.
    pub fn go_on(
        &self,
        mut history: History,
        mut objective: impl FnMut(u64, &[f64]) -> Observation,
        watcher: &mut dyn Watcher,
    ) -> (History, Time, Ending) {
        let mut time = Time::default();
        for number in history.trials.len() as u64..self.initial + self.iterations {
            let (x, origin) = if number < self.initial {
                self.initial_point(number)
            } else {
                self.propose(number, &history, &mut time)
            };
            let started = Instant::now();
            let observation = objective(number, &x);
            time.evaluating += started.elapsed();
            history.trials.push(Trial {
                number,
                x,
                origin,
                observation,
            });
            let trial = &history.trials[number as usize];
            if watcher.trial(trial, &history).is_break() {
                return (history, time, Ending::BrokenOff);
            }
        }
        (history, time, Ending::Complete)
    }

    /// The baseline first, then scrambled Sobol' points.
    fn initial_point(&self, number: u64) -> (Vec<f64>, Origin) {
        if number == 0 {
            return (self.baseline.clone(), Origin::Baseline);
        }
        (self.design_point(number - 1), Origin::Initial)
    }

    fn design_point(&self, index: u64) -> Vec<f64> {
        let seed = streams::Study::Design.at(self.seed, 0);
        sobol::points(self.baseline.len(), index as usize, 1, seed).remove(0)
    }

    /// Fits the surrogate to the history and maximises the acquisition. Where either fails the
    /// initial design goes on, with the reason on record.
    fn propose(&self, number: u64, history: &History, time: &mut Time) -> (Vec<f64>, Origin) {
        let fallback =
            |reason: String| (self.design_point(number - 1), Origin::Fallback { reason });
        let started = Instant::now();
        let fitted = self
            .learner
            .learn(history, streams::Study::Fit.at(self.seed, number));
        time.fitting += started.elapsed();
        let model = match fitted {
            Ok(model) => model,
            Err(error) => return fallback(error.to_string()),
        };
        let started = Instant::now();
        let summit = self.summit(
            model.as_ref(),
            history,
            streams::Study::Acquisition.at(self.seed, number),
        );
        time.acquiring += started.elapsed();
        match summit {
            Some(summit) => {
                let gain = self.acquisition.gain_at(model.as_ref(), &summit.x);
                let origin = Origin::Acquisition {
                    value: summit.value,
                    jitter: model.summary().jitter,
                    gain_nats: (gain > 0.0).then_some(gain),
                };
                (summit.x, origin)
            }
            None => fallback("the acquisition was nowhere finite".to_owned()),
        }
    }

    /// Where the acquisition is highest.
    fn summit(&self, model: &dyn Model, history: &History, seed: u64) -> Option<Summit> {
        let incumbents = recommend::least_posterior_means(model, history, 1);
        let dimensions = self.baseline.len();
        if self.acquisition == Acquisition::Thompson {
            let least = thompson::least_of_a_draw(model, dimensions, 0, &incumbents, seed)?;
            return Some(Summit {
                x: least.x,
                value: least.value,
            });
        }
        if self.acquisition == Acquisition::LevelSet {
            let view = View { model, contexts: 0 };
            let incumbent = Incumbent::at(view, incumbents.first()?)?;
            let (x, mean) = LevelSet(incumbent).draw(seed)?;
            return Some(Summit { x, value: -mean });
        }
        let best = match self.acquisition {
            // What there is to improve on matters to no other rule.
            Acquisition::Improvement | Acquisition::LogImprovement => {
                recommend::best_believed(model, history).1
            }
            _ => 0.0,
        };
        let gain = history.trials.iter().map(|trial| trial.origin.gain_nats());
        let criterion = self.acquisition.criterion(model, best, gain.sum());
        maximise(model, criterion.as_ref(), &incumbents, dimensions, seed)
    }
}

/// Watches nothing.
pub struct Unwatched;

impl Watcher for Unwatched {
    fn trial(&mut self, _: &Trial, _: &History) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dilgp::Dataset;
    use dilgp::Error;
    use dilgp::Surrogate;
    use dilgp::by_name;

    fn study(surrogate: &dyn Surrogate, iterations: u64) -> Study<'_> {
        Study {
            learner: surrogate.into(),
            baseline: vec![0.9, 0.9],
            initial: 6,
            iterations,
            acquisition: Acquisition::Bound { kappa: 2.0 },
            seed: 3,
        }
    }

    fn bowl(x: &[f64]) -> f64 {
        0.1 + (x[0] - 0.3).powi(2) + (x[1] - 0.6).powi(2)
    }

    fn observed(cost: f64) -> Observation {
        Observation {
            cost,
            crashed: false,
        }
    }

    #[test]
    fn the_gaussian_process_finds_the_bottom_of_a_bowl() {
        let gp = by_name("gp").expect("legal");
        let (history, _, ending) =
            study(gp.as_ref(), 20).run(|_, x| observed(bowl(x)), &mut Unwatched);
        assert_eq!(ending, Ending::Complete);
        assert_eq!(history.trials.len(), 26);
        let best = history.best().expect("nothing crashed");
        // The best of the six initial points costs 0.163; the bottom is at 0.1.
        assert!(best.observation.cost < 0.101, "{best:?}");
    }

    #[test]
    fn surrogates_of_one_seed_share_the_initial_design_and_start_with_the_baseline() {
        let run = |name: &str, seed| {
            let surrogate = by_name(name).expect("legal");
            let study = Study {
                seed,
                ..study(surrogate.as_ref(), 1)
            };
            let (history, ..) = study.run(|_, x| observed(bowl(x)), &mut Unwatched);
            history.trials[..6]
                .iter()
                .map(|t| t.x.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(run("gp", 3), run("rf", 3));
        assert_ne!(run("gp", 3), run("gp", 4));
        assert_eq!(run("gp", 4)[0], [0.9, 0.9]);
    }

    #[test]
    fn every_surrogate_survives_a_study_in_which_everything_crashes() {
        for name in dilgp::NAMES {
            let surrogate = by_name(name).expect("legal");
            let crash = |_: u64, _: &[f64]| Observation {
                cost: f64::NAN,
                crashed: true,
            };
            let (history, ..) = study(surrogate.as_ref(), 3).run(crash, &mut Unwatched);
            assert_eq!(history.crashes(), 9, "{name}");
        }
    }

    struct Unfittable;

    impl Surrogate for Unfittable {
        fn name(&self) -> &'static str {
            "unfittable"
        }
        fn fit(&self, data: &Dataset, _: u64) -> Result<Box<dyn Model>, Error> {
            Err(Error::EmptyDataset {
                rows: data.len(),
                columns: 0,
            })
        }
    }

    #[test]
    fn a_surrogate_that_cannot_be_fitted_is_replaced_by_the_design_and_the_reason_recorded() {
        let (history, ..) = study(&Unfittable, 4).run(|_, x| observed(bowl(x)), &mut Unwatched);
        assert_eq!(history.trials.len(), 10);
        for trial in &history.trials[6..] {
            let Origin::Fallback { reason } = &trial.origin else {
                panic!("{trial:?}");
            };
            assert!(
                reason.contains("at least one row and one column"),
                "{reason}"
            );
        }
        let distinct: std::collections::HashSet<String> = history
            .trials
            .iter()
            .map(|t| format!("{:?}", t.x))
            .collect();
        assert_eq!(distinct.len(), 10, "the design goes on, it does not repeat");
    }

    struct StopsAt(u64);

    impl Watcher for StopsAt {
        fn trial(&mut self, trial: &Trial, _: &History) -> ControlFlow<()> {
            if trial.number == self.0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        }
    }

    #[test]
    fn a_watcher_can_break_a_study_off() {
        let gp = by_name("gp").expect("legal");
        let (history, _, ending) =
            study(gp.as_ref(), 20).run(|_, x| observed(bowl(x)), &mut StopsAt(7));
        assert_eq!((history.trials.len(), ending), (8, Ending::BrokenOff));
    }

    #[test]
    fn the_same_seed_gives_the_same_study() {
        for name in dilgp::NAMES {
            let surrogate = by_name(name).expect("legal");
            let once = || {
                study(surrogate.as_ref(), 4)
                    .run(|_, x| observed(bowl(x)), &mut Unwatched)
                    .0
            };
            assert_eq!(once(), once(), "{name}");
        }
    }
}

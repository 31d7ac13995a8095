//! Tune: Algorithm 2 of the paper, and every other search, as one loop: a point is suggested, its
//! gains are flown, and the outcome is recorded and observed. Points may come in batches, flown side by side.

use crate::Error;
use crate::flights::evaluation::Evaluation;
use crate::flights::problem::Problem;
use search::Suggestion;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Suggests the next points.
pub trait Searcher {
    /// The next batch of `count` points in the unit cube, given `history`. They depend only on the
    /// searcher and on these evaluations, which are those that it suggested, from the first on: an
    /// interrupted search resumes as if it had not been interrupted.
    ///
    /// # Errors
    /// Evaluations that it cannot have suggested.
    fn next(&mut self, history: &[Evaluation], count: usize) -> Result<Vec<Suggestion>, Error>;
}

/// How many evaluations a search makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// In all.
    pub evaluations: u64,
    /// Points suggested before any of their costs is known, at least 1.
    pub batch_size: u64,
}

impl Budget {
    /// The first evaluation of the batch that evaluation `number` belongs to.
    pub fn batch_start(&self, number: usize) -> usize {
        number - number % self.batch_size as usize
    }
}

/// Sees each evaluation as soon as it is known; breaking ends the search once its batch is recorded.
/// The recommendations are then tested, on several threads.
pub trait Observer: Sync {
    /// Called with every evaluation so far, of which the last is new.
    fn evaluated(&mut self, history: &[Evaluation]) -> ControlFlow<()>;

    /// A test of so many flights begins, of which `kept` were flown by an earlier process.
    fn testing(&self, _flights: u64, _kept: u64) {}

    /// So many more of them are flown.
    fn tested(&self, _flights: u64) {}
}

/// Ignores everything.
pub struct NoObserver;

impl Observer for NoObserver {
    fn evaluated(&mut self, _: &[Evaluation]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuned {
    /// Every evaluation.
    pub evaluations: Vec<Evaluation>,
    /// The time in flight of the evaluations that were flown now.
    pub flying: Duration,
}

/// Continues after the evaluations `history` until the `budget` is spent. `record` receives each new one
/// first. A batch that was recorded in part is suggested again and its rest flown.
///
/// # Errors
/// [`Error::Interrupted`] if the observer breaks off, and those of the searcher and of `record`.
pub fn tune(
    problem: &Problem,
    searcher: &mut dyn Searcher,
    budget: Budget,
    mut history: Vec<Evaluation>,
    record: &mut dyn FnMut(&Evaluation) -> Result<(), Error>,
    observer: &mut dyn Observer,
) -> Result<Tuned, Error> {
    let mut flying = Duration::ZERO;
    while (history.len() as u64) < budget.evaluations {
        let (first, done) = (budget.batch_start(history.len()), history.len());
        let count = budget.batch_size.min(budget.evaluations - first as u64);
        let mut batch = searcher.next(&history[..first], count as usize)?;
        let suggestions = batch.split_off(done - first);
        let started = Instant::now();
        let evaluations = problem.evaluate_batch(done as u64, suggestions);
        flying += started.elapsed();
        let mut continues = true;
        for evaluation in evaluations {
            record(&evaluation)?;
            history.push(evaluation);
            continues &= observer.evaluated(&history).is_continue();
        }
        if !continues {
            let flights = history.len() as u64;
            return Err(Error::Interrupted(flights));
        }
    }
    Ok(Tuned {
        evaluations: history,
        flying,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flights::evaluation::best;
    use crate::run::bayesian::Bayesian;
    use crate::run::settings::Settings;

    fn settings(surrogate: &str, seed: u64) -> Settings {
        Settings {
            initial: 4,
            iterations: 3,
            ..Settings::of_paper("hover", surrogate, seed).expect("legal")
        }
    }

    fn tuned(settings: &Settings, made: &[Evaluation]) -> Vec<Evaluation> {
        let problem = settings.problem().expect("legal");
        let mut searcher = Bayesian::new(&problem, settings).expect("legal");
        let budget = settings.budget();
        let kept = &mut |_: &Evaluation| Ok(());
        let tuned = tune(
            &problem,
            &mut searcher,
            budget,
            made.to_vec(),
            kept,
            &mut NoObserver,
        );
        tuned.expect("nothing breaks it").evaluations
    }

    #[test]
    fn every_surrogate_of_one_seed_makes_the_same_study_again_and_resumes_from_anywhere() {
        for name in search::surrogates::NAMES {
            let settings = settings(name, 3);
            let whole = tuned(&settings, &[]);
            assert_eq!(whole.len(), 7, "{name}");
            assert_eq!(tuned(&settings, &whole[..5]), whole, "{name}");
        }
    }

    #[test]
    fn batches_are_suggested_before_their_costs_are_known_and_resume_in_their_midst() {
        for name in ["auto", "gp-level-set", "gp", "matern"] {
            let settings = Settings {
                together: 3,
                initial: 4,
                iterations: 7,
                ..settings(name, 3)
            };
            let whole = tuned(&settings, &[]);
            assert_eq!(whole.len(), 11, "{name}");
            for made in [1, 3, 5, 8, 10] {
                assert_eq!(
                    tuned(&settings, &whole[..made]),
                    whole,
                    "{name}, {made} made"
                );
            }
            // The third batch depends on the costs of the second. The fifth flight finished, so that its cost is
            // learnt, and was a good one.
            let mut other = whole[..6].to_vec();
            assert!(!other[4].lost && other[4].cost_m < 0.15, "{name}");
            other[4].cost_m *= 8.0;
            let other = tuned(&settings, &other);
            assert_ne!(other[6].x, whole[6].x, "{name}");
        }
    }

    #[test]
    fn surrogates_of_one_seed_share_the_initial_design_which_begins_with_the_baseline() {
        let design = |name, seed| -> Vec<Vec<f64>> {
            let made = tuned(&settings(name, seed), &[]);
            made[..4].iter().map(|made| made.x.clone()).collect()
        };
        assert_eq!(design("gp", 3), design("rf", 3));
        let other = design("gp", 4);
        assert_ne!(design("gp", 3), other);
        let baseline = settings("gp", 4).problem().expect("legal").baseline();
        assert_eq!(other[0], baseline);
    }

    struct StopsAt(usize);

    impl Observer for StopsAt {
        fn evaluated(&mut self, made: &[Evaluation]) -> ControlFlow<()> {
            match made.len() == self.0 {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }
    }

    #[test]
    fn an_observer_stops_a_search_after_what_it_saw_was_recorded() {
        let settings = settings("gp", 3);
        let problem = settings.problem().expect("legal");
        let mut searcher = Bayesian::new(&problem, &settings).expect("legal");
        let mut kept = Vec::new();
        let keep = &mut |made: &Evaluation| {
            kept.push(made.clone());
            Ok(())
        };
        let ended = tune(
            &problem,
            &mut searcher,
            settings.budget(),
            Vec::new(),
            keep,
            &mut StopsAt(5),
        );
        assert!(matches!(ended, Err(Error::Interrupted(5))));
        assert_eq!(kept.len(), 5);
        assert!(best(&kept).is_some());
    }

    #[test]
    fn what_cannot_be_kept_ends_the_search() {
        let settings = settings("gp", 3);
        let problem = settings.problem().expect("legal");
        let mut searcher = Bayesian::new(&problem, &settings).expect("legal");
        let keep = &mut |made: &Evaluation| match made.number {
            2 => Err(Error::Interrupted(99)),
            _ => Ok(()),
        };
        let budget = settings.budget();
        let ended = tune(
            &problem,
            &mut searcher,
            budget,
            Vec::new(),
            keep,
            &mut NoObserver,
        );
        assert!(matches!(ended, Err(Error::Interrupted(99))));
    }
}

//! Tune: Algorithm 2 of the paper, and every other search, as one loop: a point is named, its gains
//! are flown, what came of it is kept and told.

use crate::Error;
use crate::flights::evaluation::Evaluation;
use crate::flights::problem::Problem;
use crate::search::Suggestion;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// What names the next point.
pub trait Searcher {
    /// The point to evaluate after `made`, in the unit cube. It depends on the searcher and on these
    /// evaluations alone, which are those that it named, from the first on: a search that was
    /// interrupted goes on as if it had not been.
    ///
    /// # Errors
    /// Evaluations that it cannot have named.
    fn next(&mut self, made: &[Evaluation]) -> Result<Suggestion, Error>;
}

/// Sees each evaluation as soon as it is known; breaking ends the search. What is recommended is then
/// tested, on several threads.
pub trait Watcher: Sync {
    /// Called with every evaluation so far, of which the last is new.
    fn evaluated(&mut self, made: &[Evaluation]) -> ControlFlow<()>;

    /// A test of so many flights begins, of which `kept` were flown by an earlier process.
    fn testing(&self, _flights: u64, _kept: u64) {}

    /// So many more of them are flown.
    fn tested(&self, _flights: u64) {}
}

/// Watches nothing.
pub struct Unwatched;

impl Watcher for Unwatched {
    fn evaluated(&mut self, _: &[Evaluation]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// What a search made.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuned {
    /// Every evaluation.
    pub evaluations: Vec<Evaluation>,
    /// The time in flight of those that were made now.
    pub flying: Duration,
}

/// Goes on after the evaluations `made` until there are `budget`. Each is given to `keep` before
/// anybody else hears of it.
///
/// # Errors
/// [`Error::Interrupted`] where the watcher broke off, and those of the searcher and of `keep`.
pub fn tune(
    problem: &Problem,
    searcher: &mut dyn Searcher,
    budget: u64,
    mut made: Vec<Evaluation>,
    keep: &mut dyn FnMut(&Evaluation) -> Result<(), Error>,
    watcher: &mut dyn Watcher,
) -> Result<Tuned, Error> {
    let mut flying = Duration::ZERO;
    for number in made.len() as u64..budget {
        let suggestion = searcher.next(&made)?;
        let started = Instant::now();
        let evaluation = problem.evaluate(number, suggestion);
        flying += started.elapsed();
        keep(&evaluation)?;
        made.push(evaluation);
        if watcher.evaluated(&made).is_break() {
            let flights = made.len() as u64;
            return Err(Error::Interrupted { flights });
        }
    }
    Ok(Tuned {
        evaluations: made,
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
        let budget = settings.evaluations();
        let kept = &mut |_: &Evaluation| Ok(());
        let tuned = tune(
            &problem,
            &mut searcher,
            budget,
            made.to_vec(),
            kept,
            &mut Unwatched,
        );
        tuned.expect("nothing breaks it").evaluations
    }

    #[test]
    fn every_surrogate_of_one_seed_makes_the_same_study_again_and_goes_on_from_anywhere() {
        for name in crate::search::surrogates::NAMES {
            let settings = settings(name, 3);
            let whole = tuned(&settings, &[]);
            assert_eq!(whole.len(), 7, "{name}");
            assert_eq!(tuned(&settings, &whole[..5]), whole, "{name}");
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
        let problem = settings("gp", 4).problem().expect("legal");
        assert_eq!(other[0], problem.baseline());
    }

    struct StopsAt(usize);

    impl Watcher for StopsAt {
        fn evaluated(&mut self, made: &[Evaluation]) -> ControlFlow<()> {
            match made.len() == self.0 {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }
    }

    #[test]
    fn a_watcher_breaks_a_search_off_after_what_it_saw_was_kept() {
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
            7,
            Vec::new(),
            keep,
            &mut StopsAt(5),
        );
        assert!(matches!(ended, Err(Error::Interrupted { flights: 5 })));
        assert_eq!(kept.len(), 5);
        assert!(best(&kept).is_some());
    }

    #[test]
    fn what_cannot_be_kept_ends_the_search() {
        let settings = settings("gp", 3);
        let problem = settings.problem().expect("legal");
        let mut searcher = Bayesian::new(&problem, &settings).expect("legal");
        let keep = &mut |made: &Evaluation| match made.number {
            2 => Err(Error::Interrupted { flights: 99 }),
            _ => Ok(()),
        };
        let ended = tune(&problem, &mut searcher, 7, Vec::new(), keep, &mut Unwatched);
        assert!(matches!(ended, Err(Error::Interrupted { flights: 99 })));
    }
}

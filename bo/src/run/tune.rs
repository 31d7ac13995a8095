//! Tune: Algorithm 2 of the paper, and every other search, as one loop: a point is named, its gains
//! are flown, what came of it is kept and told. Several may be named, and flown side by side, at once.

use crate::Error;
use crate::flights::evaluation::Evaluation;
use crate::flights::problem::Problem;
use search::Suggestion;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// What names the next points.
pub trait Searcher {
    /// The `count` points to evaluate next, side by side, after `made`, in the unit cube. They depend
    /// on the searcher and on these evaluations alone, which are those that it named, from the first
    /// on: a search that was interrupted goes on as if it had not been.
    ///
    /// # Errors
    /// Evaluations that it cannot have named.
    fn next(&mut self, made: &[Evaluation], count: usize) -> Result<Vec<Suggestion>, Error>;
}

/// How many evaluations a search makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// In all.
    pub evaluations: u64,
    /// Side by side: so many are named before any of them is known.
    pub together: u64,
}

impl Budget {
    /// The first of the evaluations that are named together with that of number `made`.
    pub fn round_of(&self, made: usize) -> usize {
        made - made % self.together as usize
    }
}

/// Sees each evaluation as soon as it is known; breaking ends the search once its round is kept. What
/// is recommended is then tested, on several threads.
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

/// Goes on after the evaluations `made` until the `budget` is spent. Each is given to `keep` before
/// anybody else hears of it. A round of which only a part was kept is named again and the rest of it
/// flown.
///
/// # Errors
/// [`Error::Interrupted`] where the watcher broke off, and those of the searcher and of `keep`.
pub fn tune(
    problem: &Problem,
    searcher: &mut dyn Searcher,
    budget: Budget,
    mut made: Vec<Evaluation>,
    keep: &mut dyn FnMut(&Evaluation) -> Result<(), Error>,
    watcher: &mut dyn Watcher,
) -> Result<Tuned, Error> {
    let mut flying = Duration::ZERO;
    while (made.len() as u64) < budget.evaluations {
        let (first, done) = (budget.round_of(made.len()), made.len());
        let count = budget.together.min(budget.evaluations - first as u64);
        let mut round = searcher.next(&made[..first], count as usize)?;
        let suggestions = round.split_off(done - first);
        let started = Instant::now();
        let evaluations = problem.evaluate_together(done as u64, suggestions);
        flying += started.elapsed();
        let mut goes_on = true;
        for evaluation in evaluations {
            keep(&evaluation)?;
            made.push(evaluation);
            goes_on &= watcher.evaluated(&made).is_continue();
        }
        if !goes_on {
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
        let budget = settings.budget();
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
        for name in search::surrogates::NAMES {
            let settings = settings(name, 3);
            let whole = tuned(&settings, &[]);
            assert_eq!(whole.len(), 7, "{name}");
            assert_eq!(tuned(&settings, &whole[..5]), whole, "{name}");
        }
    }

    #[test]
    fn rounds_of_several_are_named_before_they_are_known_and_taken_up_in_their_midst() {
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
            // The third round knows what the second came to. The fifth flight finished, so that its cost is
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
            settings.budget(),
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
        let budget = settings.budget();
        let ended = tune(
            &problem,
            &mut searcher,
            budget,
            Vec::new(),
            keep,
            &mut Unwatched,
        );
        assert!(matches!(ended, Err(Error::Interrupted { flights: 99 })));
    }
}

//! Ahead: held-out flights that are needed when the search is over, begun while it has one thread: those
//! of the default gains, which do not depend on it, and then those of the gains that look best so far.

use crate::flights::evaluation::{Evaluation, best};
use crate::flights::held_out::{Begun, Planned};
use crate::flights::problem::Problem;
use crate::run::disk::journal::Journal;
use sim::Gains;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::thread;

/// What the tests of the default gains are called.
pub(super) const DEFAULT: &str = "default";

/// What the tests of the best observed ones are called.
pub(super) const OBSERVED: &str = "observed";

/// The domains in which `journal` has no test of the gains called `name`.
fn due(problem: &Problem, journal: &Journal, name: &str) -> Vec<usize> {
    let kept = journal.contents();
    let domains = problem.tuning.domains.iter().enumerate();
    let due = domains.filter(|(_, domain)| kept.test(name, &domain.name).is_none());
    due.map(|(index, _)| index).collect()
}

/// What `work` makes on this thread, and `other` on one of its own, where there is more than one.
pub(super) fn beside<T, U: Send + Default>(
    work: impl FnOnce() -> T,
    other: impl FnOnce() -> U + Send,
) -> (T, U) {
    if rayon::current_num_threads() == 1 {
        return (work(), U::default());
    }
    thread::scope(|scope| {
        let other = scope.spawn(other);
        let made = work();
        (
            made,
            other.join().unwrap_or_else(|panic| resume_unwind(panic)),
        )
    })
}

/// Tells whoever flies ahead of the gains that look best so far, and by its end that the search is over.
pub(super) struct Best<'a> {
    problem: &'a Problem,
    gains: Sender<Gains>,
    least_m: f64,
}

impl<'a> Best<'a> {
    pub(super) fn new(problem: &'a Problem, gains: Sender<Gains>) -> Best<'a> {
        Best {
            problem,
            gains,
            least_m: f64::INFINITY,
        }
    }

    /// Takes in the evaluations `made`, in their order.
    pub(super) fn hear(&mut self, made: &[Evaluation]) {
        if let Some(best) = best(made).filter(|best| best.cost_m < self.least_m) {
            self.least_m = best.cost_m;
            // With one thread nobody hears it.
            let _ = self.gains.send(self.problem.space.gains_at(&best.x));
        }
    }
}

/// The tests of one set of gains, as far as they were begun.
#[derive(Clone)]
pub(super) struct Ahead {
    gains: Gains,
    /// One for each domain of the problem.
    domains: Vec<Begun>,
}

impl Ahead {
    /// How many flights there are.
    pub(super) fn count(&self) -> u64 {
        self.domains.iter().map(Begun::count).sum()
    }
}

/// Those of `ahead` that are tests of `gains`.
pub(super) fn of<'a>(ahead: &'a [Ahead], gains: &Gains) -> Option<&'a Ahead> {
    ahead.iter().find(|begun| begun.gains == *gains)
}

/// The first flights of `gains` in domain number `domain`.
pub(super) fn begun(ahead: &[Ahead], gains: &Gains, domain: usize) -> Begun {
    let begun = of(ahead, gains).map(|begun| begun.domains[domain].clone());
    begun.unwrap_or_default()
}

/// What may be flown ahead.
pub(super) struct Due<'a> {
    problem: &'a Problem,
    winds: u64,
    of_default: Vec<usize>,
    of_observed: Vec<usize>,
}

impl<'a> Due<'a> {
    /// All of which `journal` has no test, each in `winds` winds.
    pub(super) fn of(problem: &'a Problem, journal: &Journal, winds: u64) -> Due<'a> {
        Due {
            problem,
            winds,
            of_default: due(problem, journal, DEFAULT),
            of_observed: due(problem, journal, OBSERVED),
        }
    }

    /// Flies until all is flown and nothing better comes, or `better` says that the search is over.
    pub(super) fn begin(&self, better: &Receiver<Gains>) -> Vec<Ahead> {
        let mut default = self.none_of(self.problem.tuning.setup.airframe.gains);
        let mut observed = None;
        loop {
            let idle = !self.go_on(&mut default, &self.of_default)
                && !observed
                    .as_mut()
                    .is_some_and(|observed| self.go_on(observed, &self.of_observed));
            let heard = match idle {
                true => better.recv().map_err(|_| TryRecvError::Disconnected),
                false => better
                    .try_iter()
                    .last()
                    .map_or_else(|| better.try_recv(), Ok),
            };
            match heard {
                Ok(gains) => observed = Some(self.none_of(gains)),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Disconnected) => break,
            }
        }
        [Some(default), observed].into_iter().flatten().collect()
    }

    fn none_of(&self, gains: Gains) -> Ahead {
        let domains = self.problem.tuning.domains.iter();
        Ahead {
            gains,
            domains: domains.map(|_| Begun::default()).collect(),
        }
    }

    /// A few more flights of `ahead` in the first of `domains` in which any is left; false where none is.
    fn go_on(&self, ahead: &mut Ahead, domains: &[usize]) -> bool {
        domains.iter().any(|domain| {
            let planned = Planned {
                tuning: &self.problem.tuning,
                gains: &[ahead.gains],
                domain: *domain,
                winds: self.winds,
            };
            planned.go_on(0, &mut ahead.domains[*domain])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interrupt::Interrupt;
    use crate::run::settings::Settings;
    use crate::search::{Origin, Suggestion};
    use std::sync::mpsc::channel;

    const WINDS: u64 = 12;

    fn problem() -> Problem {
        let settings = Settings::of_paper("hover", "gp", 3).expect("legal");
        settings.problem().expect("legal")
    }

    fn due(problem: &Problem) -> Due<'_> {
        Due {
            problem,
            winds: WINDS,
            of_default: vec![1],
            of_observed: vec![0, 1],
        }
    }

    fn softer(gains: &Gains, share: f64) -> Gains {
        let mut softer = *gains;
        softer.position_xy.kp *= share;
        softer
    }

    #[test]
    fn the_default_gains_are_flown_first_and_then_those_that_were_named_last() {
        let problem = problem();
        let default = problem.tuning.setup.airframe.gains;
        let [once, last] = [0.9, 0.8].map(|share| softer(&default, share));
        let (best, better) = channel();
        best.send(once).expect("heard");
        best.send(last).expect("heard");
        drop(best);
        let ahead = due(&problem).begin(&better);
        // A few of the default's between two looks at what was named, and none where its test is kept.
        assert_eq!([0, 1].map(|k| begun(&ahead, &default, k).count()), [0, 12]);
        assert!(of(&ahead, &once).is_none());
        assert_eq!(of(&ahead, &last).map(Ahead::count), Some(0));
        assert_eq!(begun(&ahead, &once, 0).count(), 0);
    }

    #[test]
    fn tests_begun_beside_a_search_end_as_those_that_were_not() {
        let problem = problem();
        let default = problem.tuning.setup.airframe.gains;
        let (best, better) = channel();
        let due = due(&problem);
        let ahead = thread::scope(|scope| {
            let ahead = scope.spawn(move || due.begin(&better));
            for share in [0.9, 0.8, 0.7] {
                best.send(softer(&default, share)).expect("heard");
            }
            drop(best);
            ahead.join().expect("no panic")
        });
        let gains = [softer(&default, 0.7), default];
        for domain in [0, 1] {
            let planned = Planned {
                tuning: &problem.tuning,
                gains: &gains,
                domain,
                winds: WINDS,
            };
            let begun = gains.map(|gains| begun(&ahead, &gains, domain));
            let finish = |begun| planned.finish(begun, &Interrupt::default(), &|_| ());
            assert_eq!(finish(&begun), finish(&[]));
        }
    }

    #[test]
    fn only_what_is_better_than_all_before_it_is_named() {
        let problem = problem();
        let origin = Origin::Initial;
        let suggestion = Suggestion::new(problem.baseline(), origin);
        let made = |cost_m, lost| Evaluation {
            cost_m,
            lost,
            ..problem.evaluate(0, suggestion.clone())
        };
        let (sender, better) = channel();
        let mut best = Best::new(&problem, sender);
        best.hear(&[made(0.3, false), made(0.2, false), made(0.1, true)]);
        assert_eq!(better.try_iter().count(), 1);
        best.hear(&[made(0.2, false)]);
        best.hear(&[made(0.1, true)]);
        assert_eq!(better.try_iter().count(), 0);
        best.hear(&[made(0.19, false)]);
        assert_eq!(better.try_iter().count(), 1);
    }
}

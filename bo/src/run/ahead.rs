//! Ahead: held-out flights that do not depend on the search, begun while it has one thread.

use super::settings::Settings;
use crate::flights::held_out::{Begun, Planned};
use crate::flights::problem::Problem;
use crate::run::disk::journal::Journal;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// What the tests of the default gains are called.
pub(super) const DEFAULT: &str = "default";

/// The domains in which `journal` has no test of the default gains.
pub(super) fn due(problem: &Problem, journal: &Journal) -> Vec<usize> {
    let kept = journal.contents();
    let domains = problem.tuning.domains.iter().enumerate();
    let due = domains.filter(|(_, domain)| kept.test(DEFAULT, &domain.name).is_none());
    due.map(|(index, _)| index).collect()
}

/// What `work` makes on this thread, and `other` on one of its own until that is `over`, where there
/// is more than one.
pub(super) fn beside<T, U: Send + Default>(
    work: impl FnOnce() -> T,
    other: impl FnOnce(&dyn Fn() -> bool) -> U + Send,
) -> (T, U) {
    if rayon::current_num_threads() == 1 {
        return (work(), U::default());
    }
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let other = scope.spawn(|| other(&|| over.load(Ordering::Relaxed)));
        let made = work();
        over.store(true, Ordering::Relaxed);
        (
            made,
            other.join().unwrap_or_else(|panic| resume_unwind(panic)),
        )
    })
}

/// The first flights of the default gains' tests in `domains`, for each domain of the problem: a
/// search is one thread's work, and these do not depend on it.
pub(super) fn begin(
    settings: &Settings,
    problem: &Problem,
    domains: &[usize],
    over: &dyn Fn() -> bool,
) -> Vec<Begun> {
    let tuning = &problem.tuning;
    let gains = &[tuning.setup.airframe.gains];
    let winds = settings.held_out_winds;
    let begin = |domain| match domains.contains(&domain) {
        true => Planned {
            tuning,
            gains,
            domain,
            winds,
        }
        .begin(over),
        false => Begun::default(),
    };
    (0..tuning.domains.len()).map(begin).collect()
}

//! Threads: independent pieces of one piece of work, on all cores where the caller offers them.
//!
//! The only file that names the library rayon.

use rayon::prelude::*;
use std::cell::Cell;

/// Why no threads could be started.
pub type NotStarted = Box<dyn std::error::Error + Send + Sync>;

/// Starts as many threads for [`each`], 0 for one a core; once in a process, before they are used.
///
/// # Errors
/// They run already, or the system refuses them.
pub fn start(threads: usize) -> Result<(), NotStarted> {
    if threads == 0 {
        return Ok(());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    Ok(pool.build_global()?)
}

/// How many threads [`each`] works on.
pub fn count() -> usize {
    rayon::current_num_threads()
}

thread_local! {
    /// Whether this thread may have the help of others.
    static ALLOWED: Cell<bool> = const { Cell::new(false) };
}

/// What `work` makes, in which [`each`] has all cores.
///
/// Nothing in this crate takes threads that the caller did not offer. Who has one fit or one question
/// to wait for offers them; who has many of them to do divides those among threads instead.
pub fn on_all_cores<R>(work: impl FnOnce() -> R) -> R {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            ALLOWED.set(self.0);
        }
    }
    let _before = Before(ALLOWED.replace(true));
    work()
}

/// What `work` makes of each of `items`, in their order: side by side within [`on_all_cores`], else
/// one after another. What is divided is not divided further, and results are the same bits either
/// way.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if items.len() < 2 || !ALLOWED.get() || rayon::current_thread_index().is_some() {
        return items.iter().map(work).collect();
    }
    items.par_iter().map(&work).collect()
}

/// What `a` and `b` make: side by side within [`on_all_cores`] and in what that divides, else one after
/// the other.
pub fn both<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    if !ALLOWED.get() && rayon::current_thread_index().is_none() {
        return (a(), b());
    }
    rayon::join(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::{ThreadId, current};

    fn threads() -> Vec<ThreadId> {
        each(&[(); 50], |()| current().id())
    }

    #[test]
    fn results_stand_in_the_order_of_the_items_on_one_thread_and_on_many() {
        let items: Vec<u64> = (0..200).collect();
        let squares: Vec<u64> = items.iter().map(|i| i * i).collect();
        let square = |i: &u64| i * i;
        assert_eq!(each(&items, square), squares);
        assert_eq!(on_all_cores(|| each(&items, square)), squares);
        assert!(on_all_cores(|| each(&[], square)).is_empty());
    }

    #[test]
    fn work_leaves_its_thread_only_where_that_was_offered_and_is_divided_once() {
        let own = current().id();
        assert!(threads().iter().all(|thread| *thread == own));
        // A thread of the pool does its share.
        assert!(on_all_cores(threads).iter().all(|thread| *thread != own));
        let within = |_: &u8| {
            let own = current().id();
            on_all_cores(threads).iter().all(|thread| *thread == own)
        };
        let divided = on_all_cores(|| each(&[0; 8], within));
        assert!(divided.into_iter().all(|alone| alone));
        let _ = std::panic::catch_unwind(|| on_all_cores(|| panic!("lost")));
        assert!(threads().iter().all(|thread| *thread == own));
        let id = || current().id();
        assert_eq!(both(id, id), (own, own));
        assert_ne!(on_all_cores(|| both(id, id)).0, own);
    }
}

//! Threads: independent pieces of one piece of work, on all cores where nothing else has them.
//!
//! The only file that knows the library rayon.

use rayon::prelude::*;

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

/// What `work` makes of each of `items`, in their order.
///
/// They are worked on side by side, on the threads of rayon's global pool. A caller that is itself a
/// thread of a pool works on them one after another: the pool has other pieces of its own to do, and
/// rayon would take up one of those, perhaps a far longer one, while it waits. Results are the same
/// bits either way.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if items.len() < 2 || rayon::current_thread_index().is_some() {
        return items.iter().map(work).collect();
    }
    items.par_iter().map(&work).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_the_items_on_one_thread_and_on_many() {
        let items: Vec<u64> = (0..200).collect();
        let squares: Vec<u64> = items.iter().map(|i| i * i).collect();
        let square = |i: &u64| i * i;
        assert_eq!(each(&items, square), squares);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        let inside = pool
            .expect("three threads")
            .install(|| each(&items, square));
        assert_eq!(inside, squares);
        assert!(each(&[], square).is_empty());
    }

    #[test]
    fn a_thread_of_a_pool_does_all_of_its_work_itself() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        pool.expect("three threads").install(|| {
            let own = std::thread::current().id();
            let threads = each(&[(); 50], |()| std::thread::current().id());
            assert!(threads.iter().all(|thread| *thread == own));
        });
    }
}

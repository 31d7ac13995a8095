//! Windhover: tune multirotor gains for the wind they will meet.
//!
//! The experiment of Zhao et al., "Domain invariant learning for Gaussian processes and Bayesian
//! exploration" (AAAI 2024), Algorithm 2: fit a surrogate to the flights so far, maximise an
//! upper-confidence-bound acquisition, fly once, repeat. One flight is one evaluation; flights
//! come from a mixture of two wind domains whose labels the surrogate never sees; what was found
//! is flown again in winds that no tuning flight met.
//!
//! The rooms, each of which may name only those below it:
//!
//! * the program `bo` (`src/bin/bo`): what was typed, and what is done about it
//! * [`serve`]: the search over a pipe, or for many at once over sockets
//! * [`comparison`]: many runs, judged, and searches where the best value is known
//! * [`check`]: a tune judged before anyone flies it
//! * [`report`]: a run shown
//! * [`run`]: one study carried out, and what stays of it on disk
//! * [`study`]: what was asked for
//! * [`flights`]: what one evaluation is
//! * [`streams`] and the crates [`search`], the optimisation of any costly function, and [`shell`]:
//!   what all of them stand on

pub mod check;
pub mod comparison;
mod error;
pub mod flights;
pub mod report;
pub mod run;
pub mod serve;
pub mod streams;
pub mod study;

pub use error::{Error, choice};
pub use shell::{files, interrupt, statistics, table, terminal};

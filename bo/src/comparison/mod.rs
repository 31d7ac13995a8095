//! Comparison: several ways to tune, on the same winds, over seeds: the paper's Table 3.
//!
//! A [`Plan`] is a list of cells, each one method on one trajectory, one mixture of training winds
//! and one seed. A finished cell is a file of the comparison's folder ([`store`]) and is never flown
//! again, so a stopped comparison resumes where it stopped, and many processes on many
//! machines fly one comparison together ([`shell::cells`]). What the cells say
//! together is a [`Summary`], printed by the paper's protocol or by ours. [`benchmark`] compares the
//! searches alone, without a vehicle, where the best value is known.

pub mod benchmark;
mod pictures;
pub mod plan;
pub mod regret;
pub mod store;
pub mod tables;
pub mod work;

pub use pictures::draw;
pub use plan::cell::{Candidate, Cell, Finished, Recommender};
pub use plan::method::{BASELINES, Method, Program, TRAININGS, Training};
pub use plan::{Budget, Plan, Protocol, SHARED};
pub use tables::summary::{Block, Difference, Entry, Lost, Row, Summary, TrainingLosses};
pub use tables::{csv, honest_table, latex, paper_table, sentence};
pub use work::flying::Flying;
pub use work::times::Times;

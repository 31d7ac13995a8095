//! Comparison: several ways to tune, on the same winds, over seeds: the paper's Table 3.
//!
//! A [`Plan`] is a list of cells, each one method on one trajectory, one mixture of training winds
//! and one seed. A finished cell is a file of the comparison's folder (a [`Shelf`]) and is never
//! flown twice, so a comparison that was stopped goes on where it stopped. What the cells say
//! together is a [`Summary`], printed by the paper's protocol or by ours.

mod cell;
pub mod floor;
mod flying;
mod honest;
mod method;
mod paper;
mod pictures;
mod plan;
pub mod published;
mod seal;
mod searchers;
mod shelf;
mod summary;
mod training;
mod tuner;

pub use cell::{Candidate, Cell, Finished, Recommender};
pub use flying::{Cells, fly};
pub use honest::honest_table;
pub use method::{BASELINES, Method};
pub use paper::paper_table;
pub use pictures::draw;
pub use plan::{Budget, Plan, Protocol};
pub use shelf::Shelf;
pub use summary::{Block, Difference, Entry, Row, Summary};
pub use training::{TRAININGS, Training};

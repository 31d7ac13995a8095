//! Tuning: the evaluations, what the surrogate made of them, and the gains.

mod along;
mod calibration;
mod evaluations;
mod every;
mod gains;
mod sensitivity;

pub use along::along;
pub use calibration::calibration;
pub use evaluations::{convergence, course, lost};
pub use every::{every, so_far};
pub use gains::gains;
pub use sensitivity::sensitivity;

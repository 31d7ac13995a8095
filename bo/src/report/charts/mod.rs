//! Charts: what each drawing of the page shows.

mod calibration;
mod convergence;
mod differences;
mod paired;
mod sensitivity;
mod spectrum;

pub use calibration::{coverage, predicted};
pub use convergence::convergence;
pub use differences::differences;
pub use paired::paired;
pub use sensitivity::sensitivity;
pub use spectrum::spectrum;

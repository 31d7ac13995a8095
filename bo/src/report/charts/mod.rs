//! Charts: each drawing of the page as a picture of `plots`, and the colours that sets of gains have in
//! all of them.

mod calibration;
mod convergence;
mod differences;
mod gain;
mod paired;
mod sensitivity;
mod slices;
mod spectrum;

pub use calibration::{coverage, predicted};
pub use convergence::{Course, convergence, joint};
pub use differences::differences;
pub use gain::between_bounds;
pub use paired::paired;
pub use sensitivity::sensitivity;
pub use slices::slices;
pub use spectrum::spectrum;

use crate::run::settings::Settings;
use plots::Estimate;

/// What an evaluation costs, with its unit.
pub fn cost_name(settings: &Settings) -> &'static str {
    if settings.cost.is_weighted() {
        "cost J [m]"
    } else {
        "ACE [m]"
    }
}

/// Which colours of the series the recommended, the default and the best observed gains have. The
/// style sheet of the page names the same ones.
const RECOMMENDED: usize = 0;
const DEFAULT: usize = 1;
const OBSERVED: usize = 2;

/// Where nothing changes.
const NO_CHANGE: Estimate = Estimate {
    mean: 0.0,
    low: 0.0,
    high: 0.0,
};

/// A value with the ends of its interval; without an interval it stands for itself.
fn estimate(mean: f64, ends: Option<[f64; 2]>) -> Estimate {
    let [low, high] = ends.unwrap_or([mean; 2]);
    Estimate { mean, low, high }
}

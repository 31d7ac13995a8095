//! What the surrogate expected beside what came.

use crate::report::analysis::belief::{Belief, Beliefs};
use plots::{
    CalibrationPanel, CalibrationPicture, Error, Pair, PairsPicture, svg_calibration, svg_pairs,
};
use shell::statistics::central_width;

/// Nominal level of the intervals that are drawn.
const DRAWN: f64 = 0.9;

/// Predicted against observed cost; upright bars are 90 % intervals. A lost evaluation has no cost;
/// it stands to the right of all costs.
pub fn predicted(beliefs: &Beliefs) -> Result<String, Error> {
    let reach = central_width(DRAWN);
    let interval = |mean: f64, std: f64| [-1.0, 1.0].map(|sign| (mean + sign * reach * std).exp());
    let pair = |belief: &Belief| Pair {
        x: belief.observed_m,
        y: belief.mean.exp(),
        bar: belief.std.map(|std| interval(belief.mean, std)),
        lost: belief.observed_m.is_none(),
    };
    let pairs: Vec<Pair> = beliefs.of_trials.iter().map(pair).collect();
    svg_pairs(&PairsPicture {
        title: "Predicted against observed cost",
        x_name: "observed cost [m]",
        y_name: "predicted cost [m]",
        pair_name: "prediction and its 90 % interval",
        lost_name: "lost: no cost",
        equal_name: "as observed; above it the evaluation went better",
        pairs: &pairs,
    })
}

/// Nominal against observed coverage.
pub fn coverage(beliefs: &Beliefs, surrogate: &str) -> Result<String, Error> {
    let coverage = beliefs.coverage();
    let levels: Vec<f64> = coverage.iter().map(|level| level.nominal).collect();
    let shares = coverage.iter().map(|level| level.observed()).collect();
    let bars = coverage.iter().map(|level| level.interval()).collect();
    svg_calibration(&CalibrationPicture {
        title: "Nominal against observed coverage",
        levels: &levels,
        methods: &[surrogate],
        bar_name: "95 % interval of the share",
        panels: &[CalibrationPanel {
            label: "",
            shares: &[Some(shares)],
            bars: &[Some(bars)],
        }],
    })
}

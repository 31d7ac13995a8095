//! The layout of a convergence picture: what is shown, the range of its value axis, and the strip of
//! lost evaluations.

use super::{ConvergencePicture, Run};
use crate::axes::Scale;
use crate::axes::range::{HEADROOM, ratio_range};
use crate::page::style::{Colour, LABEL_SIZE, LOSS, LOSS_ALPHA, series_colour};

/// Height of a row of marks of lost evaluations \[px\].
const LOSS_ROW: f64 = 17.0;

/// Every value that the value axis must show: completed evaluations and the baseline.
pub fn shown(picture: &ConvergencePicture) -> Vec<f64> {
    let runs = picture.series.iter().flat_map(|series| series.runs);
    let evaluations = runs.flat_map(|run| run.value_m.iter().zip(&run.lost));
    let completed = evaluations
        .filter(|(_, lost)| !**lost)
        .map(|(&value, _)| value);
    completed
        .chain(picture.baseline.map(|(_, value)| value))
        .collect()
}

/// The range of the value axis, and whether it is logarithmic.
pub fn value_range(shown: &[f64], scale: Scale) -> (f64, f64, bool) {
    let least = shown.iter().copied().fold(f64::INFINITY, f64::min);
    let most = shown.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if shown.is_empty() {
        return (0.0, 1.05, false);
    }
    if scale.is_logarithmic(least, most) {
        let (low, high) = ratio_range(shown.iter().copied(), HEADROOM);
        return (low, high, true);
    }
    // Equal values get an axis about them; one that starts at zero needs no space below.
    let magnitude = least.abs().max(most.abs());
    let spare = (HEADROOM * (most - least)).max(0.05 * magnitude);
    let spare = if spare == 0.0 { 0.1 } else { spare };
    let low = if least >= 0.0 {
        (least - spare).max(0.0)
    } else {
        least - spare
    };
    (low, most + spare, false)
}

pub fn runs<'a>(picture: &ConvergencePicture<'a>) -> impl Iterator<Item = (usize, &'a Run)> {
    let series = picture.series.iter().enumerate();
    series.flat_map(|(index, series)| series.runs.iter().map(move |run| (index, run)))
}

/// Whether any evaluation ended that way.
pub fn any(picture: &ConvergencePicture, lost: bool) -> bool {
    runs(picture).any(|(_, run)| run.lost.contains(&lost))
}

/// Height of the strip of lost evaluations \[px\]; 0 where there are none.
pub fn loss_strip(picture: &ConvergencePicture) -> f64 {
    if any(picture, true) {
        (picture.series.len() as f64 * LOSS_ROW + 10.0).max(2.0 * LABEL_SIZE)
    } else {
        0.0
    }
}

/// Colour of the lost evaluations of a series: its own, where there are several to be told apart.
pub fn loss_colour(picture: &ConvergencePicture, series: usize) -> Colour {
    let colour = match picture.series {
        [_] => LOSS,
        _ => series_colour(series),
    };
    colour.faded(LOSS_ALPHA)
}

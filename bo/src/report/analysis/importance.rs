//! Importance: the share of the predicted median's variance over the evaluations' box that depends on each gain.

use crate::flights::evaluation::Evaluation;
use crate::run::bayesian::Bayesian;
use search::maximise::Region;

/// The index of each gain; `None` if the surrogate cannot be fitted, sees no difference
/// anywhere, or fewer than two evaluations span a box.
pub fn importance(searcher: &mut Bayesian, history: &[Evaluation]) -> Option<Vec<f64>> {
    let shares = searcher.importance(&spanned(history)?)?;
    Some(shares).filter(|shares| shares.iter().any(|share| *share > 0.0))
}

/// The box that the evaluations which were not lost span.
fn spanned(history: &[Evaluation]) -> Option<Region> {
    let finished: Vec<&Evaluation> = history.iter().filter(|one| !one.lost).collect();
    if finished.len() < 2 {
        return None;
    }
    let end = |start: f64, pick: fn(f64, f64) -> f64| -> Vec<f64> {
        let along = |k: usize| finished.iter().map(|one| one.x[k]).fold(start, pick);
        (0..finished[0].x.len()).map(along).collect()
    };
    let (low, high) = (end(1.0, f64::min), end(0.0, f64::max));
    Some(Region { low, high })
}

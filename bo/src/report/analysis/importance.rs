//! Importance: the share of the posterior mean's variance that depends on each gain.
//!
//! The total-effect index of Sobol' of the posterior mean of the log cost: the share of its variance
//! over a box of gains that is left where all gains but this one are known. The box is the one that
//! the evaluations which were not lost span. Estimated by M. Jansen's formula (Comput. Phys.
//! Commun. 117, 1999; A. Saltelli et al., 181, 2010, table 2 f) on Sobol' points; with interactions
//! the indices sum to more than 1.

use crate::Error;
use crate::flights::evaluation::Evaluation;
use crate::run::bayesian::Bayesian;
use search::maximise::points;

/// Pairs of points; a power of two, as Sobol' points like it.
const PAIRS: usize = 256;

/// The index of each gain; `None` if the surrogate cannot be fitted, sees no difference
/// anywhere, or fewer than two evaluations span a box.
///
/// # Errors
/// None that points of the cube meet.
pub fn importance(
    searcher: &mut Bayesian,
    history: &[Evaluation],
    seed: u64,
) -> Result<Option<Vec<f64>>, Error> {
    let Some([low, high]) = spanned(history) else {
        return Ok(None);
    };
    let dimensions = low.len();
    let points = points::sobol(2 * dimensions, 0, PAIRS, seed);
    let within = |k: usize, unit: f64| low[k] + unit * (high[k] - low[k]);
    let of = |from: usize| -> Vec<Vec<f64>> {
        let point = |p: &Vec<f64>| (0..dimensions).map(|k| within(k, p[from + k])).collect();
        points.iter().map(point).collect()
    };
    let (one, other) = (of(0), of(dimensions));
    let mut asked = one.clone();
    for k in 0..dimensions {
        asked.extend(one.iter().zip(&other).map(|(a, b)| {
            let mut mixed = a.clone();
            mixed[k] = b[k];
            mixed
        }));
    }
    let believed = searcher.posterior(&asked)?;
    Ok(believed.and_then(|believed| indices(believed.mean.as_slice(), dimensions)))
}

/// Of values at the first points of all pairs, and then for each gain in turn at those with that gain
/// of the second.
fn indices(values: &[f64], dimensions: usize) -> Option<Vec<f64>> {
    let (base, mixed) = values.split_at(PAIRS);
    let mean = base.iter().sum::<f64>() / PAIRS as f64;
    let variance = base.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / PAIRS as f64;
    if !(variance.is_finite() && variance > 0.0) {
        return None;
    }
    let index = |k: usize| {
        let with = &mixed[k * PAIRS..(k + 1) * PAIRS];
        let squares = base.iter().zip(with).map(|(a, b)| (a - b) * (a - b));
        squares.sum::<f64>() / (2.0 * PAIRS as f64 * variance)
    };
    Some((0..dimensions).map(index).collect())
}

/// Lower and upper corner of the box that the evaluations which were not lost span.
fn spanned(history: &[Evaluation]) -> Option<[Vec<f64>; 2]> {
    let finished: Vec<&Evaluation> = history.iter().filter(|one| !one.lost).collect();
    if finished.len() < 2 {
        return None;
    }
    let end = |start: f64, pick: fn(f64, f64) -> f64| -> Vec<f64> {
        let along = |k: usize| finished.iter().map(|one| one.x[k]).fold(start, pick);
        (0..finished[0].x.len()).map(along).collect()
    };
    Some([end(1.0, f64::min), end(0.0, f64::max)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_indices_of_a_known_function_are_its_own() {
        // f = 3 a + b + 2 a b' with unit uniforms about 1/2: the analytic total effects follow from
        // the variances 1/12 of each term and 1/144 of the product.
        let points = points::sobol(6, 0, PAIRS, 7);
        let f = |x: &[f64]| {
            let [a, b, _c] = [x[0] - 0.5, x[1] - 0.5, x[2] - 0.5];
            3.0 * a + b + 2.0 * a * b
        };
        let mut values: Vec<f64> = points.iter().map(|p| f(&p[..3])).collect();
        for k in 0..3 {
            values.extend(points.iter().map(|p| {
                let mut mixed = p[..3].to_vec();
                mixed[k] = p[3 + k];
                f(&mixed)
            }));
        }
        let variance = 9.0 / 12.0 + 1.0 / 12.0 + 4.0 / 144.0;
        let expected = [
            (9.0 / 12.0 + 4.0 / 144.0) / variance,
            (1.0 / 12.0 + 4.0 / 144.0) / variance,
            0.0,
        ];
        let found = indices(&values, 3).expect("it varies");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 0.03, "{found} {expected}");
        }
        assert_eq!(indices(&vec![1.0; 4 * PAIRS], 3), None);
    }
}

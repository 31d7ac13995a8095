//! Place: whether evaluations are lost by where they are or by chance.
//!
//! A point that finished will finish again if losses are a matter of its place, as with a constraint,
//! and perhaps not if they are a matter of chance, as with the wind. No point need be evaluated twice
//! to decide: how steep is the probability of a loss, as a function over the cube, that makes the
//! losses likeliest? That probability is the logistic function of a Gaussian process with mean
//! zero, a Matern-5/2 covariance with one length and a constant, both of variance s^2, the steepness.
//! The evidence of a steepness is Laplace's (Rasmussen and Williams 2006, algorithm 3.1 and eq. 3.32),
//! and the mean of the evidences of small ones, under which losses remain a chance nearly everywhere,
//! is compared with that of large ones, under which nearly every place decides.
//!
//! It ignores that losses may be both: a region in which every second evaluation is lost, beside one
//! in which none is, is taken for a matter of place in three of ten sets of sixty points.

use dilgp::process::{Columns, Covariance, Lengths, Matern52, Radial, View};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// Steepnesses under which losses are a chance, and under which they are a matter of place.
const CHANCE: [f64; 3] = [0.8, 1.6, 3.2];
const PLACE: [f64; 3] = [8.0, 24.0, 80.0];

/// Lengths in the unit cube, each as likely as the next.
const LENGTHS: [f64; 5] = [0.15, 0.3, 0.6, 1.2, 2.4];

/// Evaluations that are looked at, the last: more cost O(n^3).
const MOST: usize = 150;

/// Steps of Newton's method to the mode; five are usual.
const STEPS: usize = 50;

/// Change of the log posterior [nats] below which the mode is found.
const SMALLEST_CHANGE: f64 = 1e-6;

/// Share of the variance added to the diagonal.
const JITTER: f64 = 1e-6;

/// Whether the evaluations at the rows of `x`, of which those in `lost` were lost, are likelier lost by
/// their place than by chance, with equal prior probabilities. Only the last 150 count; `false` if none
/// of them was lost.
///
/// # Panics
/// If `lost` has not as many entries as `x` rows.
pub fn is_of_place(x: &DMatrix<f64>, lost: &[bool]) -> bool {
    assert_eq!(x.nrows(), lost.len(), "an entry for each point");
    let first = lost.len().saturating_sub(MOST);
    let looked_at = &lost[first..];
    looked_at.contains(&true) && log_odds(&x.rows_range(first..).into_owned(), looked_at) > 0.0
}

/// Logarithm of the odds of place against chance.
fn log_odds(x: &DMatrix<f64>, lost: &[bool]) -> f64 {
    let target = DVector::from_iterator(lost.len(), lost.iter().map(|l| f64::from(u8::from(*l))));
    let (mut place, mut chance) = (Vec::new(), Vec::new());
    for length in LENGTHS {
        let correlation = correlation(x, length);
        let of = |steepness: &f64| log_evidence(&correlation, *steepness, &target);
        place.extend(PLACE.iter().map(of));
        chance.extend(CHANCE.iter().map(of));
    }
    log_sum(&place) - log_sum(&chance)
}

fn log_sum(logs: &[f64]) -> f64 {
    let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    greatest
        + logs
            .iter()
            .map(|log| (log - greatest).exp())
            .sum::<f64>()
            .ln()
}

/// Matern-5/2 and a constant, each of variance 1.
fn correlation(x: &DMatrix<f64>, length: f64) -> DMatrix<f64> {
    let matern = Radial::new(Matern52, Lengths::Shared);
    let points = Columns::from_rows(x.clone());
    let mut correlation = DMatrix::zeros(x.nrows(), x.nrows());
    for (row, mut column) in x.row_iter().zip(correlation.column_iter_mut()) {
        let point: Vec<f64> = row.iter().copied().collect();
        let all = View::all(&point, &points);
        matern.values(&[length], all, column.as_mut_slice());
    }
    correlation.add_scalar_mut(1.0);
    let jitter = DMatrix::identity(x.nrows(), x.nrows()) * JITTER;
    correlation + jitter
}

/// Laplace's approximation of the logarithm of how likely the `target` (1 lost, 0 finished) is; minus
/// infinity where numbers defeat it.
fn log_evidence(correlation: &DMatrix<f64>, steepness: f64, target: &DVector<f64>) -> f64 {
    let covariance = correlation * (steepness * steepness);
    let mut f = DVector::zeros(target.len());
    let mut before = f64::NEG_INFINITY;
    for _ in 0..STEPS {
        let Some((next, log, log_root)) = newton(&covariance, &f, target) else {
            break;
        };
        if (log - before).abs() < SMALLEST_CHANGE {
            return log - log_root;
        }
        (f, before) = (next, log);
    }
    f64::NEG_INFINITY
}

/// One step from `f` towards the mode: where it leads, the log posterior there without its constant, and
/// half the log determinant of `I + W^1/2 K W^1/2` at `f`.
fn newton(
    covariance: &DMatrix<f64>,
    f: &DVector<f64>,
    target: &DVector<f64>,
) -> Option<(DVector<f64>, f64, f64)> {
    let probability = f.map(|f| 1.0 / (1.0 + (-f).exp()));
    let weight = probability.map(|p| (p * (1.0 - p)).max(1e-12));
    let root = weight.map(f64::sqrt);
    let scaled = DMatrix::from_fn(f.len(), f.len(), |i, j| {
        let one = if i == j { 1.0 } else { 0.0 };
        one + root[i] * covariance[(i, j)] * root[j]
    });
    let cholesky: Cholesky<f64, Dyn> = Cholesky::new(scaled)?;
    let gradient = weight.component_mul(f) + target - probability;
    let pulled = cholesky.solve(&root.component_mul(&(covariance * &gradient)));
    let alpha = gradient - root.component_mul(&pulled);
    let next = covariance * &alpha;
    let likelihoods = next.zip_map(target, |f, lost| {
        let towards = if lost > 0.5 { f } else { -f };
        // -ln(1 + exp(-towards)) without overflow.
        towards.min(0.0) - (-towards.abs()).exp().ln_1p()
    });
    let log = likelihoods.sum() - 0.5 * alpha.dot(&next);
    let log_root: f64 = cholesky.l_dirty().diagonal().map(f64::ln).sum();
    log.is_finite().then_some((next, log, log_root))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maximise::points;
    use crate::model::context::matrix;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// How likely an evaluation is lost at a point.
    type Probability = fn(&[f64]) -> f64;

    fn points(dimensions: usize, seed: u64) -> DMatrix<f64> {
        matrix(&points::sobol(dimensions, 0, 60, seed))
    }

    /// How many of twenty sets of sixty points are decided to be lost by place where a point is lost
    /// with `probability`.
    fn decided(dimensions: usize, probability: Probability) -> usize {
        let of_place = |seed: &u64| {
            let x = points(dimensions, *seed);
            let mut random = ChaCha8Rng::seed_from_u64(*seed);
            let lost: Vec<bool> = x
                .row_iter()
                .map(|row| {
                    let point: Vec<f64> = row.iter().copied().collect();
                    random.random::<f64>() < probability(&point)
                })
                .collect();
            is_of_place(&x, &lost)
        };
        (0..20).filter(of_place).count()
    }

    fn beyond(is: bool) -> f64 {
        f64::from(u8::from(is))
    }

    #[test]
    fn a_constraint_is_told_from_chance() {
        let of_place: [Probability; 3] = [
            |x| beyond(x[0] > 0.6),
            |x| beyond(x[0] + x[1] < 0.8),
            |x| beyond(x.iter().map(|x| (x - 0.4).powi(2)).sum::<f64>() > 0.25),
        ];
        let by_chance: [Probability; 3] = [|_| 0.1, |_| 0.4, |x| 0.05 + 0.6 * x[0]];
        for dimensions in [2, 4] {
            for probability in of_place {
                let count = decided(dimensions, probability);
                assert!(count >= 17, "{dimensions}: {count}");
            }
            for probability in by_chance {
                let count = decided(dimensions, probability);
                assert!(count <= 1, "{dimensions}: {count}");
            }
        }
    }

    #[test]
    fn where_nothing_is_lost_nothing_is_of_place() {
        assert!(!is_of_place(&points(2, 1), &[false; 60]));
        let many = matrix(&points::sobol(2, 0, 200, 1));
        let long_ago: Vec<bool> = (0..200).map(|k| k < 50).collect();
        assert!(!is_of_place(&many, &long_ago));
    }

    #[test]
    fn the_evidence_of_one_evaluation_is_a_half() {
        // By symmetry, whatever the steepness; Laplace's mode is not symmetric and comes close.
        let one = DMatrix::from_element(1, 1, 1.0);
        let target = DVector::from_element(1, 1.0);
        for (steepness, slack) in [(1e-3, 1e-6), (0.5, 0.01), (1.6, 0.05)] {
            let log = log_evidence(&one, steepness, &target);
            assert!((log - 0.5_f64.ln()).abs() < slack, "{steepness}: {log}");
        }
    }
}

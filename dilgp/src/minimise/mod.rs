//! Minimising a smooth function of a few variables: what is asked for and what comes of it, and the
//! choice among several starts.

mod lbfgs;

pub use lbfgs::{Guarded, Lbfgs, minimise};

use crate::Ending;
use crate::threads::each;

/// A function's value and gradient at one point.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The value.
    pub value: f64,
    /// The gradient.
    pub gradient: Vec<f64>,
}

impl Evaluation {
    /// Whether value and gradient are finite.
    pub fn is_finite(&self) -> bool {
        self.value.is_finite() && self.gradient.iter().all(|slope| slope.is_finite())
    }
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Evaluations allowed.
    pub evaluations: u64,
    /// Stop where an iteration lowers the value by less than this.
    pub smallest_decrease: f64,
    /// Stop where the gradient's Euclidean norm is below this.
    pub smallest_gradient: f64,
}

/// The lowest point seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimum {
    /// Where.
    pub at: Vec<f64>,
    /// The value there.
    pub value: f64,
    /// Evaluations used.
    pub evaluations: u64,
    /// How the search ended.
    pub ending: Ending,
}

/// The lowest end of descents from each of `starts`, with the evaluations of all of them; of equal
/// ends the first. `Err` holds the evaluations spent where no start has a finite value.
pub(crate) fn lowest(
    starts: &[Vec<f64>],
    effort: Effort,
    objective: impl Fn(&[f64]) -> Option<Evaluation> + Sync,
) -> Result<Minimum, u64> {
    let ends = each(starts, |start| minimise(start, effort, &objective));
    let spent = |end: &Option<Minimum>| end.as_ref().map_or(1, |end| end.evaluations);
    let evaluations = ends.iter().map(spent).sum();
    let best = ends.into_iter().flatten().reduce(
        |best, end| {
            if end.value < best.value { end } else { best }
        },
    );
    best.map(|best| Minimum {
        evaluations,
        ..best
    })
    .ok_or(evaluations)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFORT: Effort = Effort {
        evaluations: 50,
        smallest_decrease: 1e-12,
        smallest_gradient: 1e-8,
    };

    /// Valleys at -1 and 1, the first `deeper` below the second; no value beyond 5.
    fn valleys(deeper: f64) -> impl Fn(&[f64]) -> Option<Evaluation> + Sync {
        move |at: &[f64]| {
            let x = at[0];
            (x.abs() <= 5.0).then(|| Evaluation {
                value: (x * x - 1.0).powi(2) + if x < 0.0 { -deeper } else { 0.0 },
                gradient: vec![4.0 * x * (x * x - 1.0)],
            })
        }
    }

    #[test]
    fn the_lowest_end_is_kept_and_of_equal_ends_the_first() {
        let starts = [vec![2.0], vec![-2.0], vec![9.0]];
        let each = starts[..2]
            .iter()
            .map(|start| minimise(start, EFFORT, valleys(0.1)));
        let spent: u64 = each.map(|end| end.map_or(0, |end| end.evaluations)).sum();
        let found = lowest(&starts, EFFORT, valleys(0.1)).unwrap();
        approx::assert_abs_diff_eq!(found.at[0], -1.0, epsilon = 1e-6);
        assert_eq!(found.evaluations, spent + 1);
        for first in [1.0, -1.0] {
            let found = lowest(&[vec![first], vec![-first]], EFFORT, valleys(0.0)).unwrap();
            assert_eq!(found.at, [first]);
        }
        assert_eq!(
            lowest(&[vec![9.0], vec![7.0]], EFFORT, valleys(0.0)),
            Err(2)
        );
    }
}

//! Invariance: the penalty of DIL-GP under gradient descent, and how its assignment moves.

use crate::Error;
use crate::dil::environments::Environments;
use crate::dil::penalty::{Penalty, weights_of};

/// How the assignment q weighs the residuals of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Masks {
    /// All by the mean of sigmoid(q), as the authors' code computes it.
    Collapsed,
    /// Each by its own sigmoid(q_i), as the paper prints it.
    ElementWise,
}

/// The penalty of DIL-GP under gradient descent.
#[derive(Debug, Clone, PartialEq)]
pub struct Invariance {
    /// Weight of the penalty, 0 or more.
    pub lambda: f64,
    /// How q masks.
    pub masks: Masks,
    /// Length of a step along each q_i, above 0.
    pub assignment_rate: f64,
    /// Steps of q in each epoch, the paper's T1, at least 1.
    pub inner_steps: usize,
    /// Where q starts: +1 in the first environment, -1 in the second. (The authors' code has
    /// the signs the other way about; the penalty does not change when they are exchanged.)
    pub environments: Environments,
}

impl Invariance {
    /// The assignment as the penalty sees it.
    pub(crate) fn effective(&self, q: &[f64]) -> Vec<f64> {
        match self.masks {
            Masks::ElementWise => q.to_vec(),
            Masks::Collapsed => {
                let s = weights_of(q).iter().sum::<f64>() / q.len() as f64;
                vec![(s / (1.0 - s)).ln(); q.len()]
            }
        }
    }

    /// lambda times the penalty, and its gradient by eta.
    pub(crate) fn weigh(&self, penalty: &Penalty, q: &[f64]) -> (f64, Vec<f64>) {
        let (value, mut gradient) = penalty.by_hyperparameters(&self.effective(q));
        gradient.iter_mut().for_each(|slope| *slope *= self.lambda);
        (self.lambda * value, gradient)
    }

    /// Moves every q_i by the rate, uphill in the penalty.
    pub(crate) fn ascend(&self, penalty: &Penalty, q: &mut [f64], steps: usize) {
        for _ in 0..steps {
            let (_, mut gradient) = penalty.by_assignment(&self.effective(q));
            if self.masks == Masks::Collapsed {
                // Every q_i acts through the same mean.
                let together = gradient.iter().sum();
                gradient.fill(together);
            }
            for (q, slope) in q.iter_mut().zip(gradient) {
                if slope != 0.0 {
                    *q += self.assignment_rate * slope.signum();
                }
            }
        }
    }

    /// Refuses settings out of range.
    pub(crate) fn check(&self, name: &'static str) -> Result<(), Error> {
        Error::unless_not_negative(name, ("lambda", self.lambda))?;
        Error::unless_positive(name, ("assignment_rate", self.assignment_rate))?;
        Error::unless_counted(name, ("inner_steps", self.inner_steps))
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;
    use crate::dil::evidence::Evidence;
    use crate::dil::family::{Family, Mask};
    use crate::dil::pairs::Pairs;

    const Q: [f64; 7] = [0.4, -1.2, 2.0, 0.1, -0.3, 1.5, -2.2];
    const RATE: f64 = 1e-4;

    fn invariance(masks: Masks) -> Invariance {
        Invariance {
            lambda: 0.7,
            masks,
            assignment_rate: RATE,
            inner_steps: 1,
            environments: Environments::Clusters(2),
        }
    }

    /// Seven points; the target of the fifth is 0, so that no mask can change what it says.
    fn evidence() -> (Evidence, DVector<f64>) {
        let x = DMatrix::from_fn(7, 1, |i, _| 0.4 * i as f64);
        let y = DVector::from_vec(vec![1.0, -0.4, 0.7, 0.2, 0.0, -1.3, 0.5]);
        let pairs = Pairs::compare(Family::Rbf, &x);
        let eta = [0.3, -0.4, -1.5];
        let evidence = Evidence::weigh(Family::Rbf, &pairs, &y, &eta, Some(Mask::ALL)).unwrap();
        (evidence, y)
    }

    #[test]
    fn a_collapsed_assignment_weighs_every_point_by_the_mean_weight() {
        let mean = weights_of(&Q).iter().sum::<f64>() / Q.len() as f64;
        for weight in weights_of(&invariance(Masks::Collapsed).effective(&Q)) {
            approx::assert_relative_eq!(weight, mean, max_relative = 1e-14);
        }
        assert_eq!(invariance(Masks::ElementWise).effective(&Q), Q);
    }

    #[test]
    fn the_weighed_penalty_is_lambda_times_value_and_slopes() {
        let (evidence, y) = evidence();
        let penalty = Penalty::new(&evidence, &y, Mask::ALL);
        for masks in [Masks::Collapsed, Masks::ElementWise] {
            let invariance = invariance(masks);
            let (value, gradient) = invariance.weigh(&penalty, &Q);
            let (plain, slopes) = penalty.by_hyperparameters(&invariance.effective(&Q));
            approx::assert_relative_eq!(value, 0.7 * plain, max_relative = 1e-14);
            for (found, slope) in gradient.iter().zip(slopes) {
                approx::assert_relative_eq!(*found, 0.7 * slope, max_relative = 1e-14);
            }
        }
    }

    #[test]
    fn every_entry_climbs_by_the_rate_where_the_penalty_has_a_slope() {
        let (evidence, y) = evidence();
        let penalty = Penalty::new(&evidence, &y, Mask::ALL);
        for masks in [Masks::Collapsed, Masks::ElementWise] {
            let invariance = invariance(masks);
            let value = |q: &[f64]| penalty.value(&invariance.effective(q));
            let mut q = Q.to_vec();
            invariance.ascend(&penalty, &mut q, 3);
            for i in 0..Q.len() {
                let moved = |by: f64| {
                    let mut q = Q;
                    q[i] += by;
                    value(&q)
                };
                let slope = (moved(1e-3) - moved(-1e-3)) / 2e-3;
                let expected = if masks == Masks::ElementWise && i == 4 {
                    0.0
                } else {
                    3.0 * RATE * slope.signum()
                };
                assert!(
                    (q[i] - Q[i] - expected).abs() < 1e-12,
                    "{masks:?}, point {i}: {} but {expected}, slope {slope}",
                    q[i] - Q[i]
                );
            }
        }
    }
}

//! Invariance: the penalty of DIL-GP under gradient descent, and how its assignment moves.

use crate::Error;
use crate::environments::Environments;
use crate::penalty::{Penalty, weights_of};

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

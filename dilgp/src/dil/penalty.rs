//! Invariance penalty: how far the hyper-parameters are from optimal in each environment.
//!
//! DIL-GP (AAAI 2024) splits the training points softly into two environments: point i belongs
//! to environment 0 with weight `s_i = sigmoid(q_i)` and to environment 1 with `1 - s_i`. With
//! the masked residuals `v_e = s_e o r`, `alpha_e = K^-1 v_e` and the environment's log
//! likelihood `L_e = -1/2 v_e'alpha_e - 1/2 log|K| - n/2 log 2 pi`, the gradient along a dummy
//! weight on the hyper-parameters (invariant risk minimisation, Arjovsky et al. 2019) is
//!
//! `g_e = d L_e(w theta)/dw at w=1 = 1/2 alpha_e'K'alpha_e - 1/2 tr(K^-1 K')`,
//!
//! and the penalty is `1/2 (g_0^2 + g_1^2)`. These are the element-wise masks of the paper's
//! equation; the authors' released code collapses them to one number. Note that the trace runs
//! over all points whatever the mask, so g_e = 0 is not reached at the true hyper-parameters:
//! the penalty pulls away from them even where one process explains both environments.

use nalgebra::{DMatrix, DVector};

use crate::Error;
use crate::dil::environments::Environments;
use crate::dil::evidence::Evidence;
use crate::dil::family::AlongWeight;
use crate::dil::pairs::{diagonal, inners, lower, pack_weights, unpack};
use crate::matrix::lanes::{products, wide};

/// The penalty at one set of hyper-parameters, for any assignment q.
#[derive(Debug, Clone)]
pub struct Penalty<'a> {
    evidence: &'a Evidence,
    along_weight: &'a AlongWeight,
    residuals: &'a DVector<f64>,
    /// P = K^-1 K' K^-1.
    sandwich: DMatrix<f64>,
    /// tau = tr(K^-1 K').
    trace: f64,
}

/// One environment's share, at one assignment.
#[derive(Debug, Clone)]
struct Environment {
    /// g_e.
    slope: f64,
    alpha: DVector<f64>,
    /// K^-1 K' alpha_e.
    beta: DVector<f64>,
}

/// The weight of each point in environment 0: the logistic function of its entry in `q`.
pub fn weights_of(q: &[f64]) -> Vec<f64> {
    q.iter().map(|q| 1.0 / (1.0 + (-q).exp())).collect()
}

impl<'a> Penalty<'a> {
    /// Prepares the matrices that do not depend on q: two products of n x n matrices.
    ///
    /// # Panics
    /// If the evidence was not weighed for as many targets.
    pub fn new(evidence: &'a Evidence, residuals: &'a DVector<f64>) -> Self {
        let n = residuals.len();
        let along_weight = &evidence.parts.along_weight;
        let derivative = unpack(&along_weight.value, n, evidence.noise);
        let solved_derivative = &evidence.inverse * derivative;
        let sandwich = &solved_derivative * &evidence.inverse;
        Self {
            trace: solved_derivative.trace(),
            evidence,
            along_weight,
            residuals,
            sandwich,
        }
    }

    /// g_0 and g_1 at the assignment `q` (one entry a point).
    pub fn slopes(&self, q: &[f64]) -> [f64; 2] {
        self.masked(&weights_of(q))
            .map(|v| 0.5 * v.dot(&(&self.sandwich * &v)) - 0.5 * self.trace)
    }

    /// 1/2 (g_0^2 + g_1^2).
    pub fn value(&self, q: &[f64]) -> f64 {
        half_squares(self.slopes(q))
    }

    /// The penalty and its gradient by q: `r_i s_i (1 - s_i) (g_0 (P v_0)_i - g_1 (P v_1)_i)`.
    pub fn by_assignment(&self, q: &[f64]) -> (f64, Vec<f64>) {
        let weights = weights_of(q);
        let masked = self.masked(&weights);
        let beta = products(
            self.sandwich.as_slice(),
            masked.each_ref().map(|v| v.as_slice()),
        );
        let slope = [0, 1]
            .map(|e| 0.5 * (masked[e].dot(&DVector::from_column_slice(&beta[e])) - self.trace));
        let gradient = weights
            .iter()
            .enumerate()
            .map(|(i, s)| {
                let pull = slope[0] * beta[0][i] - slope[1] * beta[1][i];
                self.residuals[i] * s * (1.0 - s) * pull
            })
            .collect();
        (half_squares(slope), gradient)
    }

    /// The penalty and its gradient by eta (the family's parameters, then the noise).
    ///
    /// `dg_e/d eta_j = sum(A_e o dK/d eta_j) + sum(B_e o dK'/d eta_j)` with
    /// `A_e = 1/2 P - sym(alpha_e beta_e')` and `B_e = 1/2 (alpha_e alpha_e' - K^-1)`.
    pub fn by_hyperparameters(&self, q: &[f64]) -> (f64, Vec<f64>) {
        let [first, second] = self.masked(&weights_of(q)).map(|v| self.environment(&v));
        let (g0, g1) = (first.slope, second.slope);
        let n = self.residuals.len();
        let on_covariance = wide(
            #[inline(always)]
            || {
                pack_weights(n, |j, column| {
                    let mixed = first.crossed(j).zip(second.crossed(j));
                    let entries = column.iter_mut().zip(lower(&self.sandwich, j));
                    for ((entry, p), (first, second)) in entries.zip(mixed) {
                        *entry = 0.5 * (g0 + g1) * p - (g0 * first + g1 * second);
                    }
                })
            },
        );
        let on_derivative = wide(
            #[inline(always)]
            || {
                pack_weights(n, |j, column| {
                    let (a, b) = (&first.alpha.as_slice()[j..], &second.alpha.as_slice()[j..]);
                    let (with_a, with_b) = (a[0], b[0]);
                    let entries = column.iter_mut().zip(lower(&self.evidence.inverse, j));
                    for ((entry, inverse), (a, b)) in entries.zip(a.iter().zip(b)) {
                        let outer = g0 * a * with_a + g1 * b * with_b;
                        *entry = 0.5 * (outer - (g0 + g1) * inverse);
                    }
                })
            },
        );
        let parts = self.evidence.parts.by_parameter.iter();
        let pairs: Vec<[&[f64]; 2]> = parts
            .zip(&self.along_weight.by_parameter)
            .flat_map(|(part, along)| [[&on_covariance, &part[..]], [&on_derivative, along]])
            .collect();
        let sums = inners(&pairs);
        let mut gradient: Vec<f64> = sums.chunks(2).map(|both| both[0] + both[1]).collect();
        let covariance_trace: f64 = diagonal(&on_covariance, n).sum();
        let derivative_trace: f64 = diagonal(&on_derivative, n).sum();
        gradient.push(self.evidence.noise * (covariance_trace + derivative_trace));
        (half_squares([g0, g1]), gradient)
    }

    /// v_0 and v_1, given the weights of the points in environment 0.
    fn masked(&self, weights: &[f64]) -> [DVector<f64>; 2] {
        let pairs = weights.iter().zip(self.residuals.iter());
        let first = DVector::from_iterator(weights.len(), pairs.map(|(s, r)| s * r));
        let second = self.residuals - &first;
        [first, second]
    }

    fn environment(&self, masked: &DVector<f64>) -> Environment {
        let alpha = &self.evidence.inverse * masked;
        let beta = &self.sandwich * masked;
        Environment {
            slope: 0.5 * (masked.dot(&beta) - self.trace),
            alpha,
            beta,
        }
    }
}

impl Environment {
    /// Column j of sym(alpha beta'), from the diagonal down.
    #[inline(always)]
    fn crossed(&self, j: usize) -> impl Iterator<Item = f64> {
        let (alpha, beta) = (&self.alpha.as_slice()[j..], &self.beta.as_slice()[j..]);
        let (alpha_j, beta_j) = (alpha[0], beta[0]);
        let entries = alpha.iter().zip(beta);
        entries.map(move |(alpha, beta)| 0.5 * (alpha * beta_j + alpha_j * beta))
    }
}

fn half_squares(slopes: [f64; 2]) -> f64 {
    0.5 * (slopes[0] * slopes[0] + slopes[1] * slopes[1])
}

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
    use super::*;
    use crate::dil::family::Family;
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

    /// Seven points; the target of the fifth is 0, so that no mask matters to it.
    fn evidence() -> (Evidence, DVector<f64>) {
        let x = DMatrix::from_fn(7, 1, |i, _| 0.4 * i as f64);
        let y = DVector::from_vec(vec![1.0, -0.4, 0.7, 0.2, 0.0, -1.3, 0.5]);
        let pairs = Pairs::compare(Family::Rbf, &x);
        let eta = [0.3, -0.4, -1.5];
        let evidence = Evidence::weigh(Family::Rbf, &pairs, &y, &eta).unwrap();
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
        let penalty = Penalty::new(&evidence, &y);
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
        let penalty = Penalty::new(&evidence, &y);
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

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

use crate::dil::evidence::Evidence;
use crate::dil::family::{AlongWeight, Mask};
use crate::dil::pairs::{diagonal, inners, lower, pack_weights, unpack};
use crate::matrix::lanes::{products, wide};

/// The penalty at one set of hyper-parameters, for any assignment q.
#[derive(Debug, Clone)]
pub struct Penalty<'a> {
    evidence: &'a Evidence,
    along_weight: &'a AlongWeight,
    residuals: &'a DVector<f64>,
    noise_weight: f64,
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
    /// If the evidence was not weighed with this mask, or for as many targets.
    pub fn new(evidence: &'a Evidence, residuals: &'a DVector<f64>, mask: Mask) -> Self {
        assert_eq!(
            evidence.mask,
            Some(mask),
            "evidence weighed for another mask"
        );
        let along_weight = evidence.parts.along_weight.as_ref();
        let along_weight = along_weight.expect("parts of a mask have it");
        let (_, _, noise_weight) = mask.weights();
        let n = residuals.len();
        let derivative = unpack(&along_weight.value, n, noise_weight * evidence.noise);
        let solved_derivative = &evidence.inverse * derivative;
        let sandwich = &solved_derivative * &evidence.inverse;
        Self {
            trace: solved_derivative.trace(),
            evidence,
            along_weight,
            residuals,
            noise_weight,
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
        gradient
            .push(self.evidence.noise * (covariance_trace + self.noise_weight * derivative_trace));
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

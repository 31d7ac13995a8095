//! Penalty: the slope of one environment's likelihood along a dummy weight on the shared
//! covariance, which is zero where that is the best for the environment.
//!
//! With `K = k_0 + tau 11' + k_e + s2 I` over the environment's own points, K' the derivative of
//! k_0 along the dummy weight, `P = K^-1 K' K^-1` and `beta = K^-1 K' alpha`:
//! `g = 1/2 alpha'K'alpha - 1/2 tr(K^-1 K')` and
//! `dg/d eta_j = sum((1/2 P - sym(alpha beta')) o dK/d eta_j) + sum(W o dK'/d eta_j)`,
//! `W = 1/2 (alpha alpha' - K^-1)`.

use nalgebra::DMatrix;

use super::layout::{BySetting, Layout};
use crate::dil::evidence::by_covariance;
use crate::dil::family::Mask;
use crate::dil::pairs::{Pairs, diagonal, inners, lower, pack_weights, unpack};
use crate::process::Likelihood;

/// The dummy weight scales the shared amplitude and length, not the noise.
const SHARED: Mask = Mask {
    amplitude: true,
    length: true,
    noise: false,
};

/// g of one environment, and its gradient.
pub struct Invariance {
    /// g.
    pub slope: f64,
    /// d g by the logarithms of the hyper-parameters.
    pub by_setting: BySetting,
}

impl Invariance {
    /// That of environment `e`, whose points were compared in `pairs`, at a likelihood.
    pub fn at(
        layout: &Layout,
        e: usize,
        theta: &[f64],
        noise: f64,
        pairs: &Pairs,
        likelihood: &Likelihood,
    ) -> Self {
        let (shared, own) = layout.covariance.split(theta, e);
        let logarithms = |theta: &[f64]| theta.iter().map(|theta| theta.ln()).collect::<Vec<_>>();
        let parts = |theta: &[f64], mask| {
            layout
                .family
                .parts(&logarithms(theta), pairs.compared(), mask)
        };
        let of_shared = parts(shared, Some(SHARED));
        let along = of_shared.along_weight.expect("parts of a mask have it");
        let alpha = &likelihood.alpha;
        let n = alpha.len();
        let inverse = likelihood.cholesky.inverse();
        let derivative = unpack(&along.value, n, 0.0);
        let solved = &inverse * &derivative;
        let beta = &solved * alpha;
        let sandwich: DMatrix<f64> = &solved * &inverse;
        let weights = pack_weights(n, |j, column| {
            let (alpha, beta) = (&alpha.as_slice()[j..], &beta.as_slice()[j..]);
            let entries = column.iter_mut().zip(lower(&sandwich, j));
            for ((entry, p), (a, b)) in entries.zip(alpha.iter().zip(beta)) {
                *entry = 0.5 * (p - a * beta[0] - alpha[0] * b);
            }
        });
        let less_on_derivative = by_covariance(&inverse, alpha);
        let mut by_theta = vec![0.0; theta.len()];
        let both = of_shared.by_parameter.iter().zip(&along.by_parameter);
        let pairs: Vec<[&[f64]; 2]> = both
            .flat_map(|(part, along)| [[&weights, &part[..]], [&less_on_derivative, along]])
            .collect();
        for (entry, both) in by_theta.iter_mut().zip(inners(&pairs).chunks(2)) {
            *entry = both[0] - both[1];
        }
        if let Some(own) = own {
            let by_own = &mut by_theta[shared.len() + e * own.len()..];
            by_own[0] = own[0] * weights.iter().sum::<f64>();
            let parts = parts(&own[1..], None);
            let pairs = parts.by_parameter.iter();
            let pairs: Vec<[&[f64]; 2]> = pairs.map(|part| [&weights, &part[..]]).collect();
            for (entry, sum) in by_own[1..].iter_mut().zip(inners(&pairs)) {
                *entry = sum;
            }
        }
        Self {
            slope: 0.5 * (alpha.dot(&(&derivative * alpha)) - solved.trace()),
            by_setting: BySetting {
                theta: by_theta,
                noise: noise * diagonal(&weights, n).sum::<f64>(),
            },
        }
    }
}

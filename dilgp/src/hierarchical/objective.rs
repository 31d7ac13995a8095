//! Objective: how improbable the targets are in each environment by itself, and how far the
//! shared kernel is from the best for each.
//!
//! For one environment with covariance `K = k_0 + tau 11' + k_e + s2 I` over its own points:
//! `dL/d eta_j = sum(W o dK/d eta_j)`, `W = 1/2 (alpha alpha' - K^-1)`. With K' the derivative of
//! k_0 along the dummy weight and `P = K^-1 K' K^-1`, `beta = K^-1 K' alpha`:
//! `g = 1/2 alpha'K'alpha - 1/2 tr(K^-1 K')` and
//! `dg/d eta_j = sum((1/2 P - sym(alpha beta')) o dK/d eta_j) + sum(W o dK'/d eta_j)`.

use nalgebra::{DMatrix, DVector};

use super::layout::Layout;
use crate::Error;
use crate::dil::kernel::{Mask, Parts, RadialParts};
use crate::dil::points::{Pairs, Points, inner, pack_weights, unpack};
use crate::matrix::cholesky::Cholesky;
use crate::minimise::Evaluation;

/// The dummy weight scales the shared amplitude and length, not the noise.
const SHARED: Mask = Mask {
    amplitude: true,
    length: true,
    noise: false,
};

/// What is minimised, for one dataset.
pub struct Objective<'a> {
    layout: &'a Layout,
    members: Vec<Members>,
    lambda: f64,
    points: f64,
}

/// The training points of one environment.
struct Members {
    pairs: Pairs,
    residuals: DVector<f64>,
}

impl<'a> Objective<'a> {
    /// For standardised `residuals` at `points` with these labels.
    pub fn new(
        layout: &'a Layout,
        points: &Points,
        residuals: &DVector<f64>,
        labels: &[usize],
        lambda: f64,
    ) -> Self {
        let members = (0..layout.environments()).map(|e| {
            let of_e: Vec<usize> = (0..labels.len()).filter(|&i| labels[i] == e).collect();
            let inputs = DMatrix::from_fn(of_e.len(), points.dimensions(), |i, j| {
                points.point(of_e[i])[j]
            });
            Members {
                pairs: Pairs::compare(layout.kernel().as_ref(), &Points::from_rows(&inputs)),
                residuals: DVector::from_fn(of_e.len(), |i, _| residuals[of_e[i]]),
            }
        });
        Self {
            members: members.collect(),
            layout,
            lambda,
            points: points.len() as f64,
        }
    }

    /// The objective and its gradient at `eta`.
    ///
    /// # Errors
    /// A covariance that cannot be factorised.
    pub fn at(&self, eta: &[f64]) -> Result<Evaluation, Error> {
        let mut value = 0.0;
        let mut gradient = vec![0.0; eta.len()];
        let share = 1.0 / self.members.len() as f64;
        for (e, members) in self.members.iter().enumerate() {
            let solved = Solved::at(self.layout, e, members, eta, self.lambda > 0.0)?;
            let n = members.residuals.len() as f64;
            value -= share * solved.log_likelihood / n;
            solved.add(
                self.layout,
                e,
                -share / n,
                &solved.likelihood_weights(),
                &mut gradient,
            );
            if let Some(slope) = &solved.slope {
                let g = slope.value / n;
                value += self.lambda * share * g * g;
                let weight = 2.0 * self.lambda * share * g / n;
                solved.add(
                    self.layout,
                    e,
                    weight,
                    &solved.slope_weights(slope),
                    &mut gradient,
                );
                solved.add_radial(slope, weight, &mut gradient);
            }
        }
        for ((prior, eta), slope) in self.layout.priors().iter().zip(eta).zip(&mut gradient) {
            let (cost, by_eta) = prior.penalty(*eta);
            value += cost / self.points;
            *slope += by_eta / self.points;
        }
        Ok(Evaluation { value, gradient })
    }
}

/// One environment at one eta.
struct Solved {
    shared: Parts,
    own: Option<Parts>,
    offset: f64,
    noise: f64,
    inverse: DMatrix<f64>,
    alpha: DVector<f64>,
    log_likelihood: f64,
    /// Only where there is a penalty.
    slope: Option<Slope>,
}

/// g_e and what its gradient needs.
struct Slope {
    value: f64,
    radial: RadialParts,
    sandwich: DMatrix<f64>,
    beta: DVector<f64>,
}

/// Weights by which the entries of dK/d eta_j are summed: packed, and their sum and trace.
struct Weights {
    packed: Vec<f64>,
    trace: f64,
}

impl Solved {
    fn at(
        layout: &Layout,
        environment: usize,
        members: &Members,
        eta: &[f64],
        penalised: bool,
    ) -> Result<Self, Error> {
        let n = members.residuals.len();
        let compared = members.pairs.compared();
        let mask = penalised.then_some(SHARED);
        let mut shared = layout.kernel().parts(&eta[layout.shared()], compared, mask);
        let noise = eta[layout.noise(environment)].exp();
        let mut packed = shared.value.clone();
        let (mut own, mut offset) = (None, 0.0);
        if layout.has_own() {
            let parts = layout
                .kernel()
                .parts(&eta[layout.own(environment)], compared, None);
            offset = eta[layout.offset(environment)].exp();
            for (k, own) in packed.iter_mut().zip(&parts.value) {
                *k += own + offset;
            }
            own = Some(parts);
        }
        let cholesky = Cholesky::factorise(&unpack(&packed, n, noise))?;
        let inverse = cholesky.inverse();
        let alpha = &inverse * &members.residuals;
        let constant = n as f64 * (2.0 * std::f64::consts::PI).ln();
        let fit = members.residuals.dot(&alpha);
        let slope = shared
            .radial
            .take()
            .map(|radial| Slope::new(radial, &inverse, &alpha));
        Ok(Self {
            log_likelihood: -0.5 * (fit + cholesky.log_determinant() + constant),
            shared,
            own,
            offset,
            noise,
            inverse,
            alpha,
            slope,
        })
    }

    /// d L / d K.
    fn likelihood_weights(&self) -> Weights {
        let entry =
            |i: usize, j: usize| 0.5 * (self.alpha[i] * self.alpha[j] - self.inverse[(i, j)]);
        Weights::new(self.alpha.len(), entry)
    }

    /// d g / d K.
    fn slope_weights(&self, slope: &Slope) -> Weights {
        let (alpha, beta) = (&self.alpha, &slope.beta);
        Weights::new(alpha.len(), |i, j| {
            0.5 * (slope.sandwich[(i, j)] - alpha[i] * beta[j] - alpha[j] * beta[i])
        })
    }

    /// Adds `factor` times the sums over dK/d eta_j to the gradient.
    fn add(&self, layout: &Layout, e: usize, factor: f64, weights: &Weights, out: &mut [f64]) {
        let sum = |part: &Vec<f64>| factor * inner(&weights.packed, part);
        for (place, part) in layout.shared().zip(&self.shared.by_parameter) {
            out[place] += sum(part);
        }
        if let Some(own) = &self.own {
            for (place, part) in layout.own(e).zip(&own.by_parameter) {
                out[place] += sum(part);
            }
            out[layout.offset(e)] += factor * self.offset * weights.packed.iter().sum::<f64>();
        }
        out[layout.noise(e)] += factor * self.noise * weights.trace;
    }

    /// Adds `factor` times the sums over dK'/d eta_j: only the shared parameters move K'.
    fn add_radial(&self, slope: &Slope, factor: f64, out: &mut [f64]) {
        let weights = self.likelihood_weights();
        for (place, part) in slope.radial.by_parameter.iter().enumerate() {
            out[place] += factor * inner(&weights.packed, part);
        }
    }
}

impl Slope {
    fn new(radial: RadialParts, inverse: &DMatrix<f64>, alpha: &DVector<f64>) -> Self {
        let derivative = unpack(&radial.value, alpha.len(), 0.0);
        let solved = inverse * &derivative;
        let beta = &solved * alpha;
        Self {
            value: 0.5 * (alpha.dot(&(&derivative * alpha)) - solved.trace()),
            sandwich: &solved * inverse,
            radial,
            beta,
        }
    }
}

impl Weights {
    fn new(n: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        Self {
            trace: (0..n).map(|i| entry(i, i)).sum(),
            packed: pack_weights(n, entry),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::dil::evidence::Evidence;
    use crate::dil::kernel::{DotProduct, Kernel, Matern52, RationalQuadratic, Rbf};

    fn sample(n: usize) -> (Points, DVector<f64>) {
        let x = DMatrix::from_fn(n, 2, |i, j| ((13 * i + 5 * j) as f64 * 0.61).sin());
        let y = DVector::from_fn(n, |i, _| (2.0 * x[(i, 0)]).sin() - x[(i, 1)]);
        (Points::from_rows(&x), y)
    }

    fn kernels() -> [Arc<dyn Kernel>; 4] {
        [
            Arc::new(Matern52),
            Arc::new(Rbf),
            Arc::new(RationalQuadratic),
            Arc::new(DotProduct),
        ]
    }

    #[test]
    fn the_gradient_agrees_with_central_differences_for_every_kernel_and_number_of_environments() {
        let (points, y) = sample(14);
        for kernel in kernels() {
            for environments in [1, 2, 3] {
                let labels: Vec<usize> = (0..14).map(|i| i % environments).collect();
                let layout = Layout::new(kernel.clone(), &labels, 2);
                let eta: Vec<f64> = (0..layout.priors().len())
                    .map(|j| 0.4 * (1.3 * j as f64).sin() - 0.3)
                    .collect();
                for lambda in [0.0, 2.5] {
                    let objective = Objective::new(&layout, &points, &y, &labels, lambda);
                    let found = objective.at(&eta).unwrap();
                    let h = 1e-5;
                    for j in 0..eta.len() {
                        let at = |by: f64| {
                            let mut moved = eta.clone();
                            moved[j] += by;
                            objective.at(&moved).unwrap().value
                        };
                        approx::assert_relative_eq!(
                            found.gradient[j],
                            (at(h) - at(-h)) / (2.0 * h),
                            epsilon = 1e-8,
                            max_relative = 1e-6
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn one_environment_has_the_evidence_of_the_plain_process() {
        let (points, y) = sample(14);
        let layout = Layout::new(Arc::new(Rbf), &[0; 14], 2);
        let eta = [0.2, -0.4, -1.5];
        let objective = Objective::new(&layout, &points, &y, &[0; 14], 0.0);
        let pairs = Pairs::compare(&Rbf, &points);
        let evidence = Evidence::weigh(&Rbf, &pairs, &y, &eta, None).unwrap();
        let priors = layout.priors().iter().zip(&eta);
        let beliefs: f64 = priors.map(|(prior, eta)| prior.penalty(*eta).0).sum();
        approx::assert_relative_eq!(
            objective.at(&eta).unwrap().value,
            (evidence.negative_log() + beliefs) / 14.0,
            max_relative = 1e-12
        );
    }
}

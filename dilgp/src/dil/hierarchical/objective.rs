//! Objective: how improbable the targets are in each environment alone, and how far the
//! shared covariance is from the best for each.
//!
//! The likelihood of an environment is that of the covariance of all over its own points. The penalty is
//! the slope of that likelihood along a dummy weight on the shared covariance, which is zero where that
//! is the best for the environment.

use nalgebra::{DMatrix, DVector};

use super::covariance::{Layout, Slope};
use crate::Error;
use crate::dil::evidence::by_covariance;
use crate::dil::pairs::{Pairs, diagonal, inners, lower, pack_weights, unpack};
use crate::minimise::Evaluation;
use crate::process::{Columns, Likelihood, NoiseVariance, Sample, prior};

/// What is minimised, for one dataset.
pub struct Objective<'a> {
    layout: &'a Layout,
    members: Vec<Members>,
    lambda: f64,
    points: f64,
}

/// The training points of one environment.
struct Members {
    /// With the environment behind their coordinates.
    points: Columns,
    residuals: DVector<f64>,
    /// Without it; only with a penalty.
    pairs: Option<Pairs>,
}

impl<'a> Objective<'a> {
    /// For a sample of points with their environment, `labels`, as last coordinate.
    pub fn new(layout: &'a Layout, sample: &Sample, labels: &[usize], lambda: f64) -> Self {
        let members = (0..layout.covariance.environments).map(|e| {
            let of_e: Vec<usize> = (0..labels.len()).filter(|&i| labels[i] == e).collect();
            let x = DMatrix::from_fn(of_e.len(), sample.points.dimensions(), |i, j| {
                sample.points.column(j)[of_e[i]]
            });
            let inputs = x.columns(0, x.ncols() - 1).into_owned();
            Members {
                pairs: (lambda > 0.0).then(|| Pairs::compare(layout.family, &inputs)),
                points: Columns::from_rows(x),
                residuals: DVector::from_fn(of_e.len(), |i, _| sample.residuals[of_e[i]]),
            }
        });
        Self {
            members: members.collect(),
            layout,
            lambda,
            points: sample.points.len() as f64,
        }
    }

    /// The objective and its gradient at `eta`.
    ///
    /// # Errors
    /// A covariance that cannot be factorised.
    pub fn at(&self, eta: &[f64]) -> Result<Evaluation, Error> {
        let mut whole = Evaluation {
            value: 0.0,
            gradient: vec![0.0; eta.len()],
        };
        let (theta, noises) = self.layout.theta(eta);
        for (e, members) in self.members.iter().enumerate() {
            self.add_environment(e, members, &theta, noises[e], &mut whole)?;
        }
        prior::add_costs(&self.layout.priors(), eta, self.points, &mut whole);
        Ok(whole)
    }

    fn add_environment(
        &self,
        e: usize,
        members: &Members,
        theta: &[f64],
        noise: f64,
        whole: &mut Evaluation,
    ) -> Result<(), Error> {
        let (points, residuals) = (&members.points, &members.residuals);
        let kernel = &self.layout.covariance;
        let variance = NoiseVariance::Same(noise);
        let likelihood = Likelihood::weigh(kernel, theta, &variance, points, residuals)?;
        let n = residuals.len() as f64;
        let share = 1.0 / self.members.len() as f64;
        let mut slope = (vec![0.0; theta.len()], 0.0);
        slope.1 = likelihood.gradient(kernel, theta, &variance, points, &mut slope.0);
        whole.value += share * likelihood.negative_log / n;
        self.layout.add(e, share / n, &slope, &mut whole.gradient);
        if let Some(pairs) = &members.pairs {
            let (g, by_eta) = invariance(self.layout, e, theta, noise, pairs, &likelihood);
            let g = g / n;
            whole.value += self.lambda * share * g * g;
            let weight = 2.0 * self.lambda * share * g / n;
            self.layout.add(e, weight, &by_eta, &mut whole.gradient);
        }
        Ok(())
    }
}

/// g of environment `e`, whose points were compared in `pairs`, at a likelihood; and its gradient.
///
/// With `K = k_0 + tau 11' + k_e + s2 I` over the environment's own points, K' the derivative of
/// k_0 along the dummy weight, `P = K^-1 K' K^-1` and `beta = K^-1 K' alpha`:
/// `g = 1/2 alpha'K'alpha - 1/2 tr(K^-1 K')` and
/// `dg/d eta_j = sum((1/2 P - sym(alpha beta')) o dK/d eta_j) + sum(W o dK'/d eta_j)`,
/// `W = 1/2 (alpha alpha' - K^-1)`.
fn invariance(
    layout: &Layout,
    e: usize,
    theta: &[f64],
    noise: f64,
    pairs: &Pairs,
    likelihood: &Likelihood,
) -> (f64, Slope) {
    let (shared, own) = layout.covariance.split(theta, e);
    let parts = |theta: &[f64]| {
        let eta: Vec<f64> = theta.iter().map(|theta| theta.ln()).collect();
        layout.family.parts(&eta, pairs.compared())
    };
    let of_shared = parts(shared);
    // The dummy weight scales the shared amplitude and length, not the noise.
    let along = &of_shared.along_weight;
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
        let parts = parts(&own[1..]);
        let pairs = parts.by_parameter.iter();
        let pairs: Vec<[&[f64]; 2]> = pairs.map(|part| [&weights, &part[..]]).collect();
        for (entry, sum) in by_own[1..].iter_mut().zip(inners(&pairs)) {
            *entry = sum;
        }
    }
    let slope = 0.5 * (alpha.dot(&(&derivative * alpha)) - solved.trace());
    let by_noise = noise * diagonal(&weights, n).sum::<f64>();
    (slope, (by_theta, by_noise))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dil::evidence::Evidence;
    use crate::dil::family::Family;
    use crate::dil::tests::slopes;
    use crate::surrogate::Standardisation;

    const FAMILIES: [Family; 4] = [
        Family::Matern52,
        Family::Rbf,
        Family::RationalQuadratic,
        Family::DotProduct,
    ];

    /// Points with two coordinates and their environment.
    fn sample(labels: &[usize]) -> Sample {
        let n = labels.len();
        let x = DMatrix::from_fn(n, 2, |i, j| ((13 * i + 5 * j) as f64 * 0.61).sin());
        let y = DVector::from_fn(n, |i, _| (2.0 * x[(i, 0)]).sin() - x[(i, 1)]);
        let x = DMatrix::from_fn(
            n,
            3,
            |i, j| if j == 2 { labels[i] as f64 } else { x[(i, j)] },
        );
        Sample {
            points: Columns::from_rows(x),
            residuals: y,
            units: Standardisation::NONE,
            known: Vec::new(),
        }
    }

    #[test]
    fn the_gradient_agrees_with_central_differences_for_every_kernel_and_number_of_environments() {
        for family in FAMILIES {
            for environments in [1, 2, 3] {
                let labels: Vec<usize> = (0..14).map(|i| i % environments).collect();
                let sample = sample(&labels);
                let layout = Layout::new(family, &labels, 2);
                let eta: Vec<f64> = (0..layout.parameters.len())
                    .map(|j| 0.4 * (1.3 * j as f64).sin() - 0.3)
                    .collect();
                for lambda in [0.0, 2.5] {
                    let objective = Objective::new(&layout, &sample, &labels, lambda);
                    let found = objective.at(&eta).unwrap();
                    let value = |eta: &[f64]| objective.at(eta).unwrap().value;
                    for (found, expected) in found.gradient.iter().zip(slopes(&eta, value)) {
                        let tolerance = 1e-8 + 1e-6 * expected.abs();
                        approx::assert_abs_diff_eq!(*found, expected, epsilon = tolerance);
                    }
                }
            }
        }
    }

    #[test]
    fn one_environment_has_the_evidence_of_the_plain_process() {
        let sample = sample(&[0; 14]);
        let layout = Layout::new(Family::Rbf, &[0; 14], 2);
        let eta = [0.2, -0.4, -1.5];
        let objective = Objective::new(&layout, &sample, &[0; 14], 0.0);
        let x = DMatrix::from_fn(14, 2, |i, j| sample.points.column(j)[i]);
        let pairs = Pairs::compare(Family::Rbf, &x);
        let evidence = Evidence::weigh(Family::Rbf, &pairs, &sample.residuals, &eta).unwrap();
        let priors = layout.priors();
        let priors = priors.iter().zip(&eta);
        let costs: f64 = priors.map(|(prior, eta)| prior.penalty(*eta).0).sum();
        approx::assert_relative_eq!(
            objective.at(&eta).unwrap().value,
            (evidence.negative_log() + costs) / 14.0,
            max_relative = 1e-12
        );
    }
}

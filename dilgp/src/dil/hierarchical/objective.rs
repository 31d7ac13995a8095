//! Objective: how improbable the targets are in each environment by itself, and how far the
//! shared covariance is from the best for each.
//!
//! The likelihood of an environment is that of the covariance of all over its own points; the
//! penalty on top of it is worked out in [`super::penalty`].

use nalgebra::{DMatrix, DVector};

use super::layout::{BySetting, Layout};
use super::penalty::Invariance;
use crate::Error;
use crate::dil::pairs::Pairs;
use crate::minimise::Evaluation;
use crate::process::{Columns, Likelihood, NoiseVariance, Sample};

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
    /// Without it; where there is a penalty.
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
        let believed = self.layout.parameters.iter().zip(eta);
        for ((parameter, eta), slope) in believed.zip(&mut whole.gradient) {
            let (cost, by_eta) = parameter.prior.penalty(*eta);
            whole.value += cost / self.points;
            *slope += by_eta / self.points;
        }
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
        let Members {
            points, residuals, ..
        } = members;
        let kernel = &self.layout.covariance;
        let variance = NoiseVariance::Same(noise);
        let likelihood = Likelihood::weigh(kernel, theta, &variance, points, residuals)?;
        let n = residuals.len() as f64;
        let share = 1.0 / self.members.len() as f64;
        let mut slope = BySetting {
            theta: vec![0.0; theta.len()],
            noise: 0.0,
        };
        slope.noise = likelihood.gradient(kernel, theta, noise, points, &mut slope.theta);
        whole.value += share * likelihood.negative_log / n;
        self.layout.add(e, share / n, &slope, &mut whole.gradient);
        if let Some(pairs) = &members.pairs {
            let invariance = Invariance::at(self.layout, e, theta, noise, pairs, &likelihood);
            let g = invariance.slope / n;
            whole.value += self.lambda * share * g * g;
            let weight = 2.0 * self.lambda * share * g / n;
            self.layout
                .add(e, weight, &invariance.by_setting, &mut whole.gradient);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dil::evidence::Evidence;
    use crate::dil::family::Family;
    use crate::surrogate::standardise::Standardisation;

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
            units: Standardisation {
                mean: 0.0,
                scale: 1.0,
            },
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
        let sample = sample(&[0; 14]);
        let layout = Layout::new(Family::Rbf, &[0; 14], 2);
        let eta = [0.2, -0.4, -1.5];
        let objective = Objective::new(&layout, &sample, &[0; 14], 0.0);
        let x = DMatrix::from_fn(14, 2, |i, j| sample.points.column(j)[i]);
        let pairs = Pairs::compare(Family::Rbf, &x);
        let evidence = Evidence::weigh(Family::Rbf, &pairs, &sample.residuals, &eta, None).unwrap();
        let priors = layout.priors();
        let believed = priors.iter().zip(&eta);
        let beliefs: f64 = believed.map(|(prior, eta)| prior.penalty(*eta).0).sum();
        approx::assert_relative_eq!(
            objective.at(&eta).unwrap().value,
            (evidence.negative_log() + beliefs) / 14.0,
            max_relative = 1e-12
        );
    }
}

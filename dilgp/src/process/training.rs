//! Training: hyper-parameters of maximal marginal likelihood under weak priors on their
//! logarithms, by L-BFGS from one or several starts; the lowest end is kept.

use nalgebra::DVector;

use super::columns::Columns;
use super::covariance::{Covariance, Parameter};
use super::likelihood::Likelihood;
use super::{Noise, SURROGATE};
use crate::Error;
use crate::Summary;
use crate::dil::training::starts_around;
use crate::minimise::{Effort, Evaluation, Minimum, lowest};
use crate::prior::{self, Prior};
use crate::summary::Hyperparameter;

/// What is fitted: a covariance and perhaps a noise to residuals at points.
pub struct Task<'a> {
    pub kernel: &'a dyn Covariance,
    pub noise: Noise,
    pub points: &'a Columns,
    pub residuals: &'a DVector<f64>,
    parameters: Vec<Parameter>,
}

/// Hyper-parameters on their natural scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Theta {
    /// Those of the covariance.
    pub kernel: Vec<f64>,
    /// The noise variance on standardised targets.
    pub noise: f64,
}

impl<'a> Task<'a> {
    /// To fit `kernel` and `noise` to standardised `residuals` at `points`.
    pub fn new(
        kernel: &'a dyn Covariance,
        noise: Noise,
        points: &'a Columns,
        residuals: &'a DVector<f64>,
    ) -> Self {
        let mut parameters = kernel.parameters(points.dimensions());
        match noise {
            Noise::Inferred => parameters.push(Parameter::new("noise", prior::NOISE)),
            Noise::Believed(prior) => parameters.push(Parameter::new("noise", prior)),
            Noise::Fixed(_) => {}
        }
        Self {
            kernel,
            noise,
            points,
            residuals,
            parameters,
        }
    }

    /// The logarithms `eta` on their natural scale.
    ///
    /// # Errors
    /// Not one finite entry for each hyper-parameter.
    pub fn theta(&self, eta: &[f64]) -> Result<Theta, Error> {
        let count = ("entries of eta", eta.len() as f64);
        let legal = eta.len() == self.parameters.len();
        let required = "as many as there are hyper-parameters";
        Error::unless_legal(legal, SURROGATE, count, required)?;
        for entry in eta {
            let setting = ("an entry of eta", *entry);
            Error::unless_legal(entry.is_finite(), SURROGATE, setting, "a finite number")?;
        }
        let mut kernel: Vec<f64> = eta.iter().map(|eta| eta.exp()).collect();
        let noise = match self.noise {
            Noise::Fixed(variance) => variance,
            Noise::Inferred | Noise::Believed(_) => kernel.pop().unwrap_or_default(),
        };
        Ok(Theta { kernel, noise })
    }

    /// The likelihood at `theta`.
    ///
    /// # Errors
    /// A covariance matrix that cannot be factorised.
    pub fn likelihood(&self, theta: &Theta) -> Result<Likelihood, Error> {
        Likelihood::weigh(
            self.kernel,
            &theta.kernel,
            theta.noise,
            self.points,
            self.residuals,
        )
    }

    /// Minus the log likelihood and the log prior (without its constant), in nats, with the
    /// gradient by `eta`.
    ///
    /// # Errors
    /// An `eta` of another length, or a covariance matrix that cannot be factorised.
    pub fn objective(&self, eta: &[f64]) -> Result<Evaluation, Error> {
        let theta = self.theta(eta)?;
        let likelihood = self.likelihood(&theta)?;
        let mut gradient = vec![0.0; theta.kernel.len()];
        let by_noise = likelihood.gradient(
            self.kernel,
            &theta.kernel,
            theta.noise,
            self.points,
            &mut gradient,
        );
        let known = matches!(self.noise, Noise::Fixed(_));
        gradient.extend((!known).then_some(by_noise));
        let mut value = likelihood.negative_log;
        let beliefs = self.parameters.iter().zip(eta);
        for ((parameter, eta), entry) in beliefs.zip(&mut gradient) {
            let (cost, slope) = parameter.prior.penalty(*eta);
            value += cost;
            *entry += slope;
        }
        Ok(Evaluation { value, gradient })
    }

    /// Minus the log prior at `eta`, without its constant.
    pub fn prior_cost(&self, eta: &[f64]) -> f64 {
        let beliefs = self.parameters.iter().zip(eta);
        beliefs
            .map(|(parameter, eta)| parameter.prior.penalty(*eta).0)
            .sum()
    }

    /// The priors' centres, then `seeded` random points around them.
    pub fn starts(&self, seeded: usize, seed: u64) -> Vec<Vec<f64>> {
        let priors: Vec<Prior> = self.parameters.iter().map(|p| p.prior).collect();
        starts_around(&priors, seeded, seed)
    }

    /// The lowest end of a descent from each of `starts`; of equals, the first.
    ///
    /// # Errors
    /// No start has a finite value.
    pub fn descend(&self, starts: &[Vec<f64>], effort: Effort) -> Result<Minimum, Error> {
        match lowest(starts, effort, |eta| self.objective(eta).ok()) {
            Ok(minimum) => Ok(minimum),
            Err(steps) => {
                self.objective(&starts[0])?;
                Err(Error::TrainingDiverged {
                    surrogate: SURROGATE,
                    steps,
                })
            }
        }
    }

    /// What a search that ended at `minimum` found.
    pub fn summary(
        &self,
        surrogate: &'static str,
        minimum: &Minimum,
        theta: &Theta,
        jitter: f64,
    ) -> Summary {
        let values = theta.kernel.iter().chain([&theta.noise]);
        let own = self.kernel.parameters(self.points.dimensions());
        let names = own.into_iter().map(|parameter| parameter.name);
        let names = names.chain(["noise".into()]);
        Summary {
            surrogate,
            hyperparameters: names
                .zip(values)
                .map(|(name, value)| Hyperparameter::new(name, *value))
                .collect(),
            objective: minimum.value,
            ending: minimum.ending,
            jitter,
            evaluations: minimum.evaluations,
            environments: None,
        }
    }
}

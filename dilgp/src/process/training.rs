//! Training: hyper-parameters of maximal marginal likelihood under weak priors on their
//! logarithms, by L-BFGS from one or several starts; the lowest end is kept.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::covariance::{Covariance, Parameter};
use super::likelihood::{Likelihood, Sample};
use super::prior::{self, Noise, NoiseVariance, Prior};
use crate::Error;
use crate::minimise::{Effort, Evaluation, Minimum, lowest};

/// What errors call it.
const SURROGATE: &str = "a Gaussian process";

/// Seeded starts in addition to the priors' centres.
pub const SEEDED_STARTS: usize = 2;

/// When one descent stops: differences of a millionth of a nat decide nothing.
pub const EFFORT: Effort = Effort {
    evaluations: 100,
    smallest_decrease: 1e-6,
    smallest_gradient: 1e-4,
};

/// How far from the priors' centres the seeded starts lie, in prior deviations.
const START_SPREAD: f64 = 0.5;

/// What is fitted: a covariance and perhaps a noise to a sample.
pub struct Task<'a> {
    kernel: &'a dyn Covariance,
    noise: Noise,
    sample: &'a Sample,
    parameters: Vec<Parameter>,
}

impl<'a> Task<'a> {
    /// To fit `kernel` and `noise` to the `sample`.
    pub fn new(kernel: &'a dyn Covariance, noise: Noise, sample: &'a Sample) -> Self {
        let mut parameters = kernel.parameters(sample.points.dimensions());
        match noise {
            Noise::Inferred => parameters.push(Parameter::new("noise", prior::NOISE)),
            Noise::WithPrior(prior) => parameters.push(Parameter::new("noise", prior)),
            Noise::Fixed(_) => {}
        }
        Self {
            kernel,
            noise,
            sample,
            parameters,
        }
    }

    /// The logarithms `eta` on their natural scale: the parameters of the covariance, and the noise
    /// variance on standardised targets.
    ///
    /// # Errors
    /// Not one finite entry for each hyper-parameter.
    pub fn theta(&self, eta: &[f64]) -> Result<(Vec<f64>, f64), Error> {
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
            Noise::Inferred | Noise::WithPrior(_) => kernel.pop().unwrap_or_default(),
        };
        Ok((kernel, noise))
    }

    /// The likelihood at `theta`.
    ///
    /// # Errors
    /// A covariance matrix that cannot be factorised.
    pub fn likelihood(&self, (theta, noise): &(Vec<f64>, f64)) -> Result<Likelihood, Error> {
        Likelihood::weigh(
            self.kernel,
            theta,
            &NoiseVariance::of(*noise, &self.sample.known),
            &self.sample.points,
            &self.sample.residuals,
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
        let noise = NoiseVariance::of(theta.1, &self.sample.known);
        let mut gradient = vec![0.0; theta.0.len()];
        let by_noise = likelihood.gradient(
            self.kernel,
            &theta.0,
            &noise,
            &self.sample.points,
            &mut gradient,
        );
        let fixed = matches!(self.noise, Noise::Fixed(_));
        gradient.extend((!fixed).then_some(by_noise));
        let mut whole = Evaluation {
            value: likelihood.negative_log,
            gradient,
        };
        prior::add_costs(&self.priors(), eta, 1.0, &mut whole);
        Ok(whole)
    }

    fn priors(&self) -> Vec<Prior> {
        self.parameters.iter().map(|own| own.prior).collect()
    }

    /// Minus the log prior at `eta`, without its constant.
    pub fn prior_cost(&self, eta: &[f64]) -> f64 {
        let priors = self.parameters.iter().zip(eta);
        priors.map(|(own, eta)| own.prior.penalty(*eta).0).sum()
    }

    /// The priors' centres, then `seeded` random points around them.
    pub fn starts(&self, seeded: usize, seed: u64) -> Vec<Vec<f64>> {
        starts_around(&self.priors(), seeded, seed)
    }

    /// The lowest end of a descent from each of `starts`; of equals, the first.
    ///
    /// # Errors
    /// As [`Task::objective`], or no start has a finite value.
    pub fn descend(&self, starts: &[Vec<f64>], effort: Effort) -> Result<Minimum, Error> {
        lowest(SURROGATE, starts, effort, |eta| self.objective(eta))
    }
}

/// The centres of `priors`, then `seeded` random points around them.
pub fn starts_around(priors: &[Prior], seeded: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut starts = vec![priors.iter().map(|prior| prior.centre).collect()];
    for _ in 0..seeded {
        let start = priors.iter().map(|prior| {
            let z: f64 = StandardNormal.sample(&mut random);
            prior.centre + START_SPREAD * prior.deviation * z
        });
        starts.push(start.collect());
    }
    starts
}

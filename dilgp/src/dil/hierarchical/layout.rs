//! Layout: which entry of the hierarchical process's eta is what.
//!
//! The shared covariance's parameters come first, then for each environment the variance of its
//! offset, its own covariance's parameters and its noise variance. With one environment: the
//! covariance's parameters and the noise. The covariance has its parameters, theta, by themselves.

use super::covariance::SharedAndOwn;
use crate::dil::family::Family;
use crate::process::prior::{self, Prior};
use crate::process::{Covariance, Parameter};

/// The places of all hyper-parameters, and what is believed of them.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The family of all covariances.
    pub family: Family,
    /// What they make together.
    pub covariance: SharedAndOwn,
    /// In the order of eta.
    pub parameters: Vec<Parameter>,
    /// The place in eta of each entry of theta.
    of_theta: Vec<usize>,
    /// The place in eta of each environment's noise variance.
    of_noise: Vec<usize>,
}

impl Layout {
    /// For points with these labels (from 0 without gaps) and that many coordinates.
    pub fn new(family: Family, labels: &[usize], dimensions: usize) -> Self {
        let covariance = SharedAndOwn {
            kernel: family.covariance(),
            environments: labels.iter().max().map_or(1, |last| last + 1),
        };
        let own = if covariance.has_own() {
            family.parameters() + 1
        } else {
            0
        };
        let mut of_covariance = covariance.parameters(dimensions + 1).into_iter();
        let mut layout = Self {
            family,
            parameters: of_covariance.by_ref().take(family.parameters()).collect(),
            of_theta: (0..family.parameters()).collect(),
            of_noise: Vec::new(),
            covariance,
        };
        for e in 0..layout.covariance.environments {
            let first = layout.parameters.len();
            layout.of_theta.extend(first..first + own);
            layout.parameters.extend(of_covariance.by_ref().take(own));
            layout.of_noise.push(first + own);
            let name = match own {
                0 => "noise".into(),
                _ => format!("noise_{e}"),
            };
            layout.parameters.push(Parameter::new(name, prior::NOISE));
        }
        layout
    }

    /// What is believed of each entry of eta.
    pub fn priors(&self) -> Vec<Prior> {
        let parameters = self.parameters.iter();
        parameters.map(|parameter| parameter.prior).collect()
    }

    /// The covariance's parameters and each environment's noise variance at `eta`.
    pub fn theta(&self, eta: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let at = |places: &[usize]| places.iter().map(|place| eta[*place].exp()).collect();
        (at(&self.of_theta), at(&self.of_noise))
    }

    /// Adds `factor` times a slope of environment `e`, by theta's logarithms and by that of its
    /// noise, to a gradient by eta.
    pub fn add(&self, e: usize, factor: f64, slope: &BySetting, gradient: &mut [f64]) {
        for (place, entry) in self.of_theta.iter().zip(&slope.theta) {
            gradient[*place] += factor * entry;
        }
        gradient[self.of_noise[e]] += factor * slope.noise;
    }
}

/// A slope in one environment.
pub struct BySetting {
    /// By the logarithms of the covariance's parameters.
    pub theta: Vec<f64>,
    /// By that of the environment's noise variance.
    pub noise: f64,
}

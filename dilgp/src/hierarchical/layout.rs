//! Layout: which entry of the hierarchical process's eta is what.
//!
//! The shared kernel's parameters come first, then for each environment the variance of its
//! offset, its own kernel's parameters and its noise variance. With one environment: the kernel's
//! parameters and the noise.

use std::ops::Range;
use std::sync::Arc;

use crate::Hyperparameter;
use crate::dil::kernel::Kernel;
use crate::prior::{self, Prior};

/// Weak belief about the logarithm of an offset's variance, on standardised targets.
const OFFSET: Prior = Prior {
    centre: 0.0,
    deviation: 1.5,
};

/// The places of all hyper-parameters, and what is believed of them.
#[derive(Debug, Clone)]
pub struct Layout {
    kernel: Arc<dyn Kernel>,
    environments: usize,
    priors: Vec<Prior>,
}

impl Layout {
    /// For points with these labels (from 0 without gaps) and that many coordinates.
    pub fn new(kernel: Arc<dyn Kernel>, labels: &[usize], dimensions: usize) -> Self {
        let environments = labels.iter().max().map_or(1, |last| last + 1);
        let of_kernel = kernel.priors(dimensions);
        let mut priors = of_kernel.clone();
        for _ in 0..environments {
            if environments > 1 {
                priors.push(OFFSET);
                priors.extend(&of_kernel);
            }
            priors.push(prior::NOISE);
        }
        Self {
            kernel,
            environments,
            priors,
        }
    }

    /// The family of the kernels.
    pub fn kernel(&self) -> &Arc<dyn Kernel> {
        &self.kernel
    }

    /// Number of environments, at least 1.
    pub fn environments(&self) -> usize {
        self.environments
    }

    /// What is believed of each entry of eta.
    pub fn priors(&self) -> &[Prior] {
        &self.priors
    }

    /// Whether environments have a part of their own.
    pub fn has_own(&self) -> bool {
        self.environments() > 1
    }

    /// The shared kernel's parameters.
    pub fn shared(&self) -> Range<usize> {
        0..self.kernel.parameters().len()
    }

    fn first_of(&self, environment: usize) -> usize {
        let parameters = self.kernel.parameters().len();
        let each = if self.has_own() { parameters + 2 } else { 1 };
        parameters + environment * each
    }

    /// The variance of an environment's offset; only where [`Layout::has_own`].
    pub fn offset(&self, environment: usize) -> usize {
        self.first_of(environment)
    }

    /// An environment's own kernel's parameters; only where [`Layout::has_own`].
    pub fn own(&self, environment: usize) -> Range<usize> {
        let first = self.first_of(environment) + 1;
        first..first + self.kernel.parameters().len()
    }

    /// An environment's noise variance.
    pub fn noise(&self, environment: usize) -> usize {
        if self.has_own() {
            self.own(environment).end
        } else {
            self.first_of(environment)
        }
    }

    /// The values at `eta` by name: `shared_amplitude`, `offset_0`, `amplitude_0`, `noise_0` ...
    pub fn hyperparameters(&self, eta: &[f64]) -> Vec<Hyperparameter> {
        if !self.has_own() {
            return crate::summary::hyperparameters(self.kernel.as_ref(), eta);
        }
        let names = self.kernel.parameters();
        let mut found: Vec<Hyperparameter> = names
            .iter()
            .zip(&eta[self.shared()])
            .map(|(name, eta)| Hyperparameter::new(format!("shared_{name}"), eta.exp()))
            .collect();
        for e in 0..self.environments() {
            found.push(Hyperparameter::new(
                format!("offset_{e}"),
                eta[self.offset(e)].exp(),
            ));
            for (name, eta) in names.iter().zip(&eta[self.own(e)]) {
                found.push(Hyperparameter::new(format!("{name}_{e}"), eta.exp()));
            }
            found.push(Hyperparameter::new(
                format!("noise_{e}"),
                eta[self.noise(e)].exp(),
            ));
        }
        found
    }
}

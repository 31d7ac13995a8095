//! Covariance of the hierarchical process, for points whose last coordinate is the number of their
//! environment.
//!
//! `k((z, e), (z', e')) = k_0(z, z') + 1[e = e'] (tau_e + k_e(z, z'))`; `theta` is that of k_0, then
//! for each environment tau_e and that of k_e. With one environment it is k_0.

use std::sync::Arc;

use crate::process::prior::Prior;
use crate::process::{Covariance, Parameter, View};

/// Weak belief about the logarithm of an offset's variance, on standardised targets.
const OFFSET: Prior = Prior {
    centre: 0.0,
    deviation: 1.5,
};

/// k_0 and what each environment adds to it.
#[derive(Debug, Clone)]
pub struct SharedAndOwn {
    /// The covariance of which k_0 and every k_e is one.
    pub kernel: Arc<dyn Covariance>,
    /// Number of environments, at least 1.
    pub environments: usize,
}

impl SharedAndOwn {
    /// Whether environments have a part of their own.
    pub fn has_own(&self) -> bool {
        self.environments > 1
    }

    /// The parameters of k_0, then tau_e followed by those of k_e, where there is an own part.
    pub fn split<'a>(&self, theta: &'a [f64], e: usize) -> (&'a [f64], Option<&'a [f64]>) {
        if !self.has_own() {
            return (theta, None);
        }
        let each = (theta.len() + 1) / (self.environments + 1);
        let shared = each - 1;
        let first = shared + e * each;
        (&theta[..shared], Some(&theta[first..first + each]))
    }
}

/// `view` without its last coordinate, and the environment of its one point.
fn entered<'a>(view: View<'a>) -> (View<'a>, usize) {
    let last = view.x.len() - 1;
    (view.part(0..last), view.x[last] as usize)
}

/// `weight` at the points of environment `e`, zero at the others.
fn of_environment(view: View, e: usize, weight: &[f64]) -> Vec<f64> {
    let labels = view.coordinate(view.x.len() - 1, 0, view.len());
    let pairs = labels.iter().zip(weight);
    pairs
        .map(|(label, weight)| if *label as usize == e { *weight } else { 0.0 })
        .collect()
}

impl Covariance for SharedAndOwn {
    /// Those of k_0 are called `shared_...`, those of environment e `offset_e` and `..._e`.
    fn parameters(&self, dimensions: usize) -> Vec<Parameter> {
        let own = self.kernel.parameters(dimensions - 1);
        if !self.has_own() {
            return own;
        }
        let named = |name: String, parameter: &Parameter| Parameter::new(name, parameter.prior);
        let mut all: Vec<Parameter> = own
            .iter()
            .map(|parameter| named(format!("shared_{}", parameter.name), parameter))
            .collect();
        for e in 0..self.environments {
            all.push(Parameter::new(format!("offset_{e}"), OFFSET));
            let own = own.iter();
            all.extend(own.map(|parameter| named(format!("{}_{e}", parameter.name), parameter)));
        }
        all
    }

    fn values(&self, theta: &[f64], view: View, value: &mut [f64]) {
        let (inner, e) = entered(view);
        let (shared, own) = self.split(theta, e);
        self.kernel.values(shared, inner, value);
        if let Some(own) = own {
            let mut added = vec![0.0; value.len()];
            self.kernel.values(&own[1..], inner, &mut added);
            added.iter_mut().for_each(|added| *added += own[0]);
            for (value, added) in value.iter_mut().zip(of_environment(view, e, &added)) {
                *value += added;
            }
        }
    }

    fn weigh_by_parameters(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let (inner, e) = entered(view);
        let (shared, own) = self.split(theta, e);
        gradient.fill(0.0);
        let by_shared = &mut gradient[..shared.len()];
        let mut sum = self
            .kernel
            .weigh_by_parameters(shared, inner, weight, by_shared);
        if let Some(own) = own {
            let weight = of_environment(view, e, weight);
            let first = shared.len() + e * own.len();
            let (by_offset, by_own) = gradient[first..first + own.len()].split_at_mut(1);
            by_offset[0] = own[0] * weight.iter().sum::<f64>();
            sum += by_offset[0];
            sum += self
                .kernel
                .weigh_by_parameters(&own[1..], inner, &weight, by_own);
        }
        sum
    }

    /// The slope within the environment of x: none is defined along the environments.
    fn weigh_by_input(
        &self,
        theta: &[f64],
        view: View,
        weight: &[f64],
        gradient: &mut [f64],
    ) -> f64 {
        let (inner, e) = entered(view);
        let (shared, own) = self.split(theta, e);
        gradient.fill(0.0);
        let along = &mut gradient[..inner.x.len()];
        let mut sum = self.kernel.weigh_by_input(shared, inner, weight, along);
        if let Some(own) = own {
            let weight = of_environment(view, e, weight);
            let mut added = vec![0.0; along.len()];
            sum += own[0] * weight.iter().sum::<f64>();
            sum += self
                .kernel
                .weigh_by_input(&own[1..], inner, &weight, &mut added);
            along
                .iter_mut()
                .zip(added)
                .for_each(|(all, own)| *all += own);
        }
        sum
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        let (z, e) = (&x[..x.len() - 1], x[x.len() - 1] as usize);
        let (shared, own) = self.split(theta, e);
        gradient.fill(0.0);
        let along = &mut gradient[..z.len()];
        let mut value = self.kernel.at_itself(shared, z, along);
        if let Some(own) = own {
            let mut added = vec![0.0; z.len()];
            value += own[0] + self.kernel.at_itself(&own[1..], z, &mut added);
            along
                .iter_mut()
                .zip(added)
                .for_each(|(all, own)| *all += own);
        }
        value
    }
}

//! Covariance of the hierarchical process, for points whose last coordinate is the number of their
//! environment.
//!
//! `k((z, e), (z', e')) = k_0(z, z') + 1[e = e'] (tau_e + k_e(z, z'))`; `theta` is that of k_0, then
//! for each environment tau_e and that of k_e. With one environment it is k_0.

use std::sync::Arc;

use crate::dil::family::Family;
use crate::process::prior::{self, Prior};
use crate::process::{Covariance, Parameter, View, add};

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

    /// The parameters of k_0, then tau_e followed by those of k_e, if there is an own part.
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
        let named = |p: &Parameter| Parameter::new(format!("shared_{}", p.name), p.prior);
        let mut all: Vec<Parameter> = own.iter().map(named).collect();
        for e in 0..self.environments {
            let named = |p: &Parameter| Parameter::new(format!("{}_{e}", p.name), p.prior);
            all.push(Parameter::new(format!("offset_{e}"), Prior::NEAR_ONE));
            all.extend(own.iter().map(named));
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
            add(value, &of_environment(view, e, &added));
        }
    }

    fn weigh_by_parameters(&self, theta: &[f64], view: View, gradient: &mut [f64]) -> f64 {
        let (inner, e) = entered(view);
        let (shared, own) = self.split(theta, e);
        gradient.fill(0.0);
        let by_shared = &mut gradient[..shared.len()];
        let mut sum = (self.kernel).weigh_by_parameters(shared, inner, by_shared);
        if let Some(own) = own {
            let weight = of_environment(view, e, view.weight);
            let first = shared.len() + e * own.len();
            let (by_offset, by_own) = gradient[first..first + own.len()].split_at_mut(1);
            by_offset[0] = own[0] * weight.iter().sum::<f64>();
            sum += by_offset[0];
            sum += (self.kernel).weigh_by_parameters(&own[1..], inner.weighed(&weight), by_own);
        }
        sum
    }

    /// The slope within the environment of x: none is defined along the environments.
    fn weigh_by_input(&self, theta: &[f64], view: View, gradient: &mut [f64]) -> f64 {
        let (inner, e) = entered(view);
        let (shared, own) = self.split(theta, e);
        gradient.fill(0.0);
        let by_input = &mut gradient[..inner.x.len()];
        let mut sum = self.kernel.weigh_by_input(shared, inner, by_input);
        if let Some(own) = own {
            let weight = of_environment(view, e, view.weight);
            let mut added = vec![0.0; by_input.len()];
            sum += own[0] * weight.iter().sum::<f64>();
            sum += (self.kernel).weigh_by_input(&own[1..], inner.weighed(&weight), &mut added);
            add(by_input, &added);
        }
        sum
    }

    fn at_itself(&self, theta: &[f64], x: &[f64], gradient: &mut [f64]) -> f64 {
        let (z, e) = (&x[..x.len() - 1], x[x.len() - 1] as usize);
        let (shared, own) = self.split(theta, e);
        gradient.fill(0.0);
        let by_input = &mut gradient[..z.len()];
        let mut value = self.kernel.at_itself(shared, z, by_input);
        if let Some(own) = own {
            let mut added = vec![0.0; z.len()];
            value += own[0] + self.kernel.at_itself(&own[1..], z, &mut added);
            add(by_input, &added);
        }
        value
    }
}

/// Which entry of the hierarchical process's eta is what: the shared covariance's parameters come
/// first, then for each environment the variance of its offset, its own covariance's parameters and its
/// noise variance. With one environment: the covariance's parameters and the noise.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The family of all covariances.
    pub family: Family,
    /// The covariance of which they are parts.
    pub covariance: SharedAndOwn,
    /// In the order of eta.
    pub parameters: Vec<Parameter>,
    /// The place in eta of each of the covariance's parameters.
    of_theta: Vec<usize>,
    /// The place in eta of each environment's noise variance.
    of_noise: Vec<usize>,
}

/// A slope in one environment: by the logarithms of the covariance's parameters, and by that of the
/// environment's noise variance.
pub type Slope = (Vec<f64>, f64);

impl Layout {
    /// For points with these labels (from 0 without gaps) and that many coordinates.
    pub fn new(family: Family, labels: &[usize], dimensions: usize) -> Self {
        let covariance = SharedAndOwn {
            kernel: family.covariance(),
            environments: labels.iter().max().map_or(1, |last| last + 1),
        };
        let shared = family.parameters();
        let own = if covariance.has_own() { shared + 1 } else { 0 };
        let environments = 0..covariance.environments;
        let of_noise: Vec<usize> = environments.map(|e| shared + e * (own + 1) + own).collect();
        let mut parameters = covariance.parameters(dimensions + 1);
        for (e, place) in of_noise.iter().enumerate() {
            let name = match own {
                0 => "noise".into(),
                _ => format!("noise_{e}"),
            };
            parameters.insert(*place, Parameter::new(name, prior::NOISE));
        }
        let all = 0..parameters.len();
        Self {
            family,
            covariance,
            of_theta: all.filter(|place| !of_noise.contains(place)).collect(),
            parameters,
            of_noise,
        }
    }

    /// The prior of each entry of eta.
    pub fn priors(&self) -> Vec<Prior> {
        self.parameters.iter().map(|own| own.prior).collect()
    }

    /// The covariance's parameters and each environment's noise variance at `eta`.
    pub fn theta(&self, eta: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let at = |places: &[usize]| places.iter().map(|place| eta[*place].exp()).collect();
        (at(&self.of_theta), at(&self.of_noise))
    }

    /// Adds `factor` times a slope of environment `e` to a gradient by eta.
    pub fn add(&self, e: usize, factor: f64, (theta, noise): &Slope, gradient: &mut [f64]) {
        for (place, entry) in self.of_theta.iter().zip(theta) {
            gradient[*place] += factor * entry;
        }
        gradient[self.of_noise[e]] += factor * noise;
    }
}

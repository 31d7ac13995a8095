//! The rational-quadratic kernel: a mixture of squared-exponential kernels of all length scales.
//!
//! `k(x, y) = a (1 + |x - y|^2 / (2 alpha l2))^-alpha`; small alpha mixes widely different
//! lengths, alpha to infinity gives the squared-exponential kernel. Rasmussen and Williams
//! (2006), eq. 4.19. The penalty's dummy weight scales a and l2 but not the exponent alpha.

use super::{
    Kernel, Mask, Parts, RadialParts, add_squared_distance_gradient, length_prior, squared_distance,
};
use crate::prior::Prior;

/// The rational-quadratic kernel; `eta = (log a, log l2, log alpha)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RationalQuadratic;

/// Beyond this ratio the kernel's derivatives no longer change; the cap keeps them finite for
/// any distance.
const LARGEST_RATIO: f64 = 1e100;

/// What the formulas share for one pair.
struct Terms {
    /// a R, the kernel.
    value: f64,
    /// B = 1 + t.
    base: f64,
    /// rho = alpha t / B = d log k / d log l2.
    rho: f64,
    /// rho - alpha log B = d log k / d log alpha.
    along_alpha: f64,
}

fn terms(eta: &[f64], distance: f64) -> Terms {
    let alpha = eta[2].exp();
    let t = (0.5 * distance * (-eta[1] - eta[2]).exp()).min(LARGEST_RATIO);
    let base = 1.0 + t;
    let alpha_log_base = alpha * t.ln_1p();
    let rho = alpha * t / base;
    Terms {
        value: (eta[0] - alpha_log_base).exp(),
        base,
        rho,
        along_alpha: rho - alpha_log_base,
    }
}

fn radial(terms: &[Terms], mask: Mask) -> RadialParts {
    let (in_a, in_l, _) = mask.weights();
    let collect = |entry: &dyn Fn(&Terms) -> f64| -> Vec<f64> {
        terms.iter().map(|term| term.value * entry(term)).collect()
    };
    let along = collect(&|term| in_a + in_l * term.rho);
    let along_length =
        collect(&|term| term.rho * (in_a + in_l * term.rho) - in_l * term.rho / term.base);
    // rho t / B, the change of rho with log alpha, written with t / B = 1 - 1 / B.
    let along_alpha = collect(&|term| {
        term.along_alpha * (in_a + in_l * term.rho) + in_l * term.rho * (1.0 - 1.0 / term.base)
    });
    RadialParts {
        by_parameter: vec![along.clone(), along_length, along_alpha],
        value: along,
    }
}

impl Kernel for RationalQuadratic {
    fn parameters(&self) -> &'static [&'static str] {
        &["amplitude", "length_squared", "alpha"]
    }

    /// log a ~ N(0, 1.5^2); log l2 as for the squared-exponential kernel; log alpha ~ N(0, 1.5^2).
    fn priors(&self, dimensions: usize) -> Vec<Prior> {
        let unit = Prior {
            centre: 0.0,
            deviation: 1.5,
        };
        vec![unit, length_prior(dimensions), unit]
    }

    fn compare(&self, x: &[f64], y: &[f64]) -> f64 {
        squared_distance(x, y)
    }

    fn add_compare_gradient(&self, x: &[f64], y: &[f64], weight: f64, out: &mut [f64]) {
        add_squared_distance_gradient(x, y, weight, out);
    }

    fn at_itself(&self, eta: &[f64], _x: &[f64], gradient: &mut [f64]) -> f64 {
        gradient.fill(0.0);
        eta[0].exp()
    }

    fn values(&self, eta: &[f64], compared: &[f64], value: &mut [f64], slope: Option<&mut [f64]>) {
        let alpha = eta[2].exp();
        let rate = 0.5 * (-eta[1] - eta[2]).exp();
        for (k, distance) in value.iter_mut().zip(compared) {
            *k = (eta[0] - alpha * (rate * distance).ln_1p()).exp();
        }
        if let Some(slope) = slope {
            for ((slope, k), distance) in slope.iter_mut().zip(value.iter()).zip(compared) {
                *slope = -alpha * rate * k / (1.0 + rate * distance);
            }
        }
    }

    fn parts(&self, eta: &[f64], compared: &[f64], mask: Option<Mask>) -> Parts {
        let terms: Vec<Terms> = compared.iter().map(|&d| terms(eta, d)).collect();
        let value: Vec<f64> = terms.iter().map(|term| term.value).collect();
        let times = |factor: &dyn Fn(&Terms) -> f64| -> Vec<f64> {
            terms.iter().map(|term| term.value * factor(term)).collect()
        };
        Parts {
            by_parameter: vec![
                value.clone(),
                times(&|term| term.rho),
                times(&|term| term.along_alpha),
            ],
            radial: mask.map(|mask| radial(&terms, mask)),
            value,
        }
    }
}

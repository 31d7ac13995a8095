//! The Matérn kernel of smoothness 5/2 with one length scale.
//!
//! `k(x, y) = a (1 + z + z^2 / 3) exp(-z)`, `z = sqrt(5 |x - y|^2 / l2)`. Rasmussen and Williams
//! (2006), eq. 4.17. Functions drawn from it have two derivatives, as many as most responses of
//! machines; those of the squared-exponential kernel have all.

use super::{
    Kernel, Mask, Parts, RadialParts, add_squared_distance_gradient, length_prior, squared_distance,
};
use crate::prior::Prior;

/// The Matérn 5/2 kernel; `eta = (log a, log l2)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Matern52;

/// Beyond this z the kernel is exactly zero; the cap keeps powers of z times zero at zero.
const LARGEST_RATIO: f64 = 1e6;

fn ratio(distance: f64, eta: &[f64]) -> f64 {
    (5.0 * distance * (-eta[1]).exp()).sqrt().min(LARGEST_RATIO)
}

impl Kernel for Matern52 {
    fn parameters(&self) -> &'static [&'static str] {
        &["amplitude", "length_squared"]
    }

    /// Those of the squared-exponential kernel.
    fn priors(&self, dimensions: usize) -> Vec<Prior> {
        let amplitude = Prior {
            centre: 0.0,
            deviation: 1.5,
        };
        vec![amplitude, length_prior(dimensions)]
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
        for (k, distance) in value.iter_mut().zip(compared) {
            let z = ratio(*distance, eta);
            *k = (eta[0] - z).exp() * (1.0 + z + z * z / 3.0);
        }
        if let Some(slope) = slope {
            let rate = 5.0 / 6.0 * (-eta[1]).exp();
            for (slope, distance) in slope.iter_mut().zip(compared) {
                let z = ratio(*distance, eta);
                *slope = -rate * (eta[0] - z).exp() * (1.0 + z);
            }
        }
    }

    /// With E = a exp(-z): `K_l = E z^2 (1 + z) / 6`, `K_ll = E z^2 (z^2 - 2 z - 2) / 12`.
    fn parts(&self, eta: &[f64], compared: &[f64], mask: Option<Mask>) -> Parts {
        let ratios: Vec<f64> = compared.iter().map(|d| ratio(*d, eta)).collect();
        let times = |factor: &dyn Fn(f64) -> f64| -> Vec<f64> {
            let ratios = ratios.iter();
            ratios.map(|&z| (eta[0] - z).exp() * factor(z)).collect()
        };
        let of_amplitude = |z: f64| 1.0 + z + z * z / 3.0;
        let of_length = |z: f64| z * z * (1.0 + z) / 6.0;
        let radial = mask.map(|mask| {
            let (in_a, in_l, _) = mask.weights();
            let twice = |z: f64| z * z * (z * z - 2.0 * z - 2.0) / 12.0;
            let along = times(&|z| in_a * of_amplitude(z) + in_l * of_length(z));
            RadialParts {
                by_parameter: vec![
                    along.clone(),
                    times(&|z| in_a * of_length(z) + in_l * twice(z)),
                ],
                value: along,
            }
        });
        let value = times(&of_amplitude);
        Parts {
            by_parameter: vec![value.clone(), times(&of_length)],
            radial,
            value,
        }
    }
}

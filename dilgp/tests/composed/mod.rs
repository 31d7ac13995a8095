//! Composed: every covariance, alone and composed, and the data that processes of them learn from.

use std::sync::Arc;

use dilgp::dil::family::Family;
use dilgp::process::{
    Covariance, Dot, Lengths, Level, Linear, Matern52, Noise, Part, Process, Radial,
    RationalQuadratic, Rbf, Scaled, Sum, Trend, WithPrior,
};
use dilgp::{Dataset, Prior};
use nalgebra::{DMatrix, DVector};

pub const DIMENSIONS: usize = 3;

pub fn points(n: usize) -> DMatrix<f64> {
    DMatrix::from_fn(n, DIMENSIONS, |i, j| {
        (((31 * i + 17 * j + 5) as f64) * 0.613).sin()
    })
}

pub fn sample(n: usize) -> Dataset {
    let x = points(n);
    let y = DVector::from_fn(n, |i, _| {
        (2.0 * x[(i, 0)]).sin() + 0.3 * x[(i, 1)] + 0.05 * (7.7 * i as f64).sin()
    });
    Dataset::new(x, y).unwrap()
}

/// Every covariance, alone and composed.
pub fn kernels() -> Vec<Arc<dyn Covariance>> {
    let matern = || Scaled(Radial::new(Matern52, Lengths::Each));
    let rq = Radial::new(RationalQuadratic, Lengths::Each);
    let trend = Trend {
        level: 16.0,
        about: 0.2,
    };
    let narrow = WithPrior::new(Scaled(Part::new(Linear, 2..3)), "amplitude", NARROW);
    // Two gains, and a covariate whose effect is added.
    let gains = Scaled(Part::new(Radial::new(Matern52, Lengths::Each), 0..2));
    vec![
        Arc::new(Scaled(Radial::new(Rbf, Lengths::Each))),
        Arc::new(Scaled(Radial::new(Rbf, Lengths::Shared))),
        Arc::new(matern()),
        Arc::new(Scaled(rq)),
        Arc::new(Scaled(Radial::new(RationalQuadratic, Lengths::Shared))),
        Arc::new(Scaled(Linear)),
        Family::RationalQuadratic.covariance(),
        Family::DotProduct.covariance(),
        Arc::new(Sum(matern(), Scaled(Linear))),
        Arc::new(Sum(Part::new(rq, 0..2), narrow)),
        Arc::new(Sum(gains, Scaled(Part::new(Dot, 2..3)))),
        Arc::new(Sum(matern(), Level(4.0))),
        Arc::new(Sum(matern(), trend)),
    ]
}

/// The slopes of `value` at `at` by central differences of fourth order, so that rounding is all that is
/// left.
pub fn slopes(at: &[f64], value: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let h = 1e-3;
    let slope = |k: usize| {
        let moved = |steps: f64| {
            let mut at = at.to_vec();
            at[k] += steps * h;
            value(&at)
        };
        (8.0 * (moved(1.0) - moved(-1.0)) - (moved(2.0) - moved(-2.0))) / (12.0 * h)
    };
    (0..at.len()).map(slope).collect()
}

/// Checks `found` against the [`slopes`] of `value`, relatively or as a share of `scale`.
pub fn assert_slopes(found: &[f64], at: &[f64], scale: f64, value: impl Fn(&[f64]) -> f64) {
    assert_eq!(found.len(), at.len());
    for (found, expected) in found.iter().zip(slopes(at, value)) {
        approx::assert_relative_eq!(
            *found,
            expected,
            max_relative = 1e-6,
            epsilon = 1e-7 * scale
        );
    }
}

pub const NARROW: Prior = Prior {
    centre: -1.4,
    deviation: 0.5,
};

pub fn with(kernel: Arc<dyn Covariance>, noise: Noise) -> Process {
    Process {
        kernel,
        noise,
        ..Process::matern()
    }
}

/// Hyper-parameters of ordinary size, no two alike.
pub fn eta(process: &Process) -> Vec<f64> {
    let count = process.kernel.parameters(DIMENSIONS).len();
    let noise = (process.noise == Noise::Inferred).then_some(-2.0);
    let kernel = (0..count).map(|i| 0.4 * ((3 * i + 1) as f64).sin());
    kernel.chain(noise).collect()
}

pub fn spread(y: &DVector<f64>) -> f64 {
    y.map(|v| (v - y.mean()).powi(2)).mean().sqrt()
}

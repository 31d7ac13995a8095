//! Composed: every covariance, alone and composed, and the data that processes of them learn from.

use std::sync::Arc;

use dilgp::dil::family::Family;
use dilgp::process::{
    Believed, Covariance, Dot, Lengths, Level, Linear, Matern52, Noise, Part, Process, Product,
    Radial, RationalQuadratic, Rbf, Scaled, Sum, Trend,
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
    vec![
        Arc::new(Scaled(Radial::new(Rbf, Lengths::Each))),
        Arc::new(Scaled(Radial::new(Rbf, Lengths::Shared))),
        Arc::new(Scaled(Radial::new(Matern52, Lengths::Each))),
        Arc::new(Scaled(Radial::new(RationalQuadratic, Lengths::Each))),
        Arc::new(Scaled(Radial::new(RationalQuadratic, Lengths::Shared))),
        Arc::new(Scaled(Linear)),
        Family::RationalQuadratic.covariance(),
        Family::DotProduct.covariance(),
        Arc::new(Sum(
            Scaled(Radial::new(Matern52, Lengths::Each)),
            Scaled(Linear),
        )),
        Arc::new(Scaled(Product(
            Radial::new(Rbf, Lengths::Shared),
            Radial::new(RationalQuadratic, Lengths::Each),
        ))),
        Arc::new(Product(
            Sum(Radial::new(Matern52, Lengths::Shared), Linear),
            Scaled(Radial::new(Rbf, Lengths::Each)),
        )),
        // Two gains in an environment that one number describes.
        Arc::new(Sum(
            Product(
                Scaled(Part::new(Linear, 2..3)),
                Part::new(Radial::new(RationalQuadratic, Lengths::Each), 0..2),
            ),
            Believed::new(Scaled(Part::new(Linear, 2..3)), "amplitude", NARROW),
        )),
        // Two gains, and a covariate whose effect is added.
        Arc::new(Sum(
            Scaled(Part::new(Radial::new(Matern52, Lengths::Each), 0..2)),
            Scaled(Part::new(Dot, 2..3)),
        )),
        Arc::new(Sum(
            Scaled(Radial::new(Matern52, Lengths::Each)),
            Level(4.0),
        )),
        Arc::new(Sum(
            Scaled(Radial::new(Matern52, Lengths::Each)),
            Trend {
                level: 16.0,
                about: 0.2,
            },
        )),
    ]
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

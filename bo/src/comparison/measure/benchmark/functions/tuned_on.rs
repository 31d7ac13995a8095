//! Test functions of global optimisation, with the boxes and optima under which they are usually
//! compared (Surjanovic and Bingham, "Virtual library of simulation experiments").

use super::Stated;
use std::f64::consts::{E, PI};

/// Least value of [`hartmann`].
pub const HARTMANN_OPTIMUM: f64 = -3.322_368_011_415_515;

/// Where [`hartmann`] is least.
const HARTMANN_MINIMISER: [f64; 6] = [
    0.201_689_509,
    0.150_010_7,
    0.476_873_973,
    0.275_332_432,
    0.311_651_615,
    0.657_300_532,
];

/// Names without noise.
pub const NAMES: [&str; 5] = ["branin2", "hartmann6", "ackley5", "levy4", "rosenbrock4"];

pub(super) fn stated(name: &str) -> Option<Stated> {
    Some(match name {
        "branin2" => {
            let bounds = vec![(-5.0, 10.0), (0.0, 15.0)];
            Stated {
                bounds,
                value: branin,
                minimiser: vec![PI, 2.275],
                optimum: 0.397_887_357_729_738_16,
                near: 5.54,
            }
        }
        "hartmann6" => Stated {
            bounds: vec![(0.0, 1.0); 6],
            value: hartmann,
            minimiser: HARTMANN_MINIMISER.to_vec(),
            optimum: HARTMANN_OPTIMUM,
            near: 2.6,
        },
        "ackley5" => Stated {
            bounds: vec![(-32.768, 32.768); 5],
            value: ackley,
            minimiser: vec![0.0; 5],
            optimum: 0.0,
            near: 20.1,
        },
        "levy4" => Stated {
            bounds: vec![(-10.0, 10.0); 4],
            value: levy,
            minimiser: vec![1.0; 4],
            optimum: 0.0,
            near: 12.0,
        },
        "rosenbrock4" => Stated {
            bounds: vec![(-5.0, 10.0); 4],
            value: rosenbrock,
            minimiser: vec![1.0; 4],
            optimum: 0.0,
            near: 18_400.0,
        },
        _ => return None,
    })
}

/// Branin's function: three minima, all global.
pub fn branin(x: &[f64]) -> f64 {
    let curve = x[1] - 5.1 / (4.0 * PI * PI) * x[0] * x[0] + 5.0 / PI * x[0] - 6.0;
    curve * curve + 10.0 * (1.0 - 1.0 / (8.0 * PI)) * x[0].cos() + 10.0
}

/// Hartmann's function of six variables: six minima, the second best .119 above the best.
pub fn hartmann(x: &[f64]) -> f64 {
    const HEIGHT: [f64; 4] = [1.0, 1.2, 3.0, 3.2];
    const STEEPNESS: [[f64; 6]; 4] = [
        [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
        [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
        [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
        [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
    ];
    const CENTRE: [[f64; 6]; 4] = [
        [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
        [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
        [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650],
        [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
    ];
    -(0..4)
        .map(|i| {
            let terms = (0..6).map(|j| STEEPNESS[i][j] * (x[j] - CENTRE[i][j]).powi(2));
            HEIGHT[i] * (-terms.sum::<f64>()).exp()
        })
        .sum::<f64>()
}

/// Ackley's function: a cone with ripples.
pub fn ackley(x: &[f64]) -> f64 {
    let count = x.len() as f64;
    let squares = x.iter().map(|x| x * x).sum::<f64>() / count;
    let waves = x.iter().map(|x| (2.0 * PI * x).cos()).sum::<f64>() / count;
    20.0 + E - 20.0 * (-0.2 * squares.sqrt()).exp() - waves.exp()
}

/// Levy's function: a bowl with waves.
pub fn levy(x: &[f64]) -> f64 {
    let w: Vec<f64> = x.iter().map(|x| 1.0 + (x - 1.0) / 4.0).collect();
    let last = w[w.len() - 1];
    let inner = w[..w.len() - 1]
        .iter()
        .map(|w| (w - 1.0).powi(2) * (1.0 + 10.0 * (PI * w + 1.0).sin().powi(2)));
    (PI * w[0]).sin().powi(2)
        + inner.sum::<f64>()
        + (last - 1.0).powi(2) * (1.0 + (2.0 * PI * last).sin().powi(2))
}

/// Rosenbrock's function: a narrow curved valley.
pub fn rosenbrock(x: &[f64]) -> f64 {
    let pairs = x.windows(2);
    pairs
        .map(|x| 100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2))
        .sum()
}

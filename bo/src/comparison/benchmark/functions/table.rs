//! The functions by name: box, value, minimiser and least value. A point that breaks a constraint is a crash.
//!
//! The development functions are those under which optimisers are usually compared (Surjanovic and Bingham,
//! "Virtual library of simulation experiments").
//!
//! `wedge2` and `parcel3` are problems 24 and 37 of Hock and Schittkowski (1981), "Test examples for
//! nonlinear programming codes". `adjiman2`, `kowalik4`, `yang7`, which is Xin-She Yang's second function,
//! and `maximum5`, Schwefel's 2.21, are those of Jamil and Yang (2013), "A literature survey of benchmark
//! functions for global optimization problems". `wavy6` is that of Courrieu (1997), "The hyperbell algorithm for
//! global optimization: a random walk using Cauchy densities", `vincent8` function F7 of Li, Engelbrecht and
//! Epitropakis (2013), "Benchmark functions for CEC'2013 special session and competition on niching methods
//! for multimodal function optimization", in eight parameters. `ridge9` is function 13 of Hansen et al.
//! (2009), "Real-parameter black-box optimization benchmarking: noiseless functions definitions", neither
//! rotated nor bent, and `bohachevsky10` the sum over neighbours of the first of Bohachevsky, Johnson and
//! Stein (1986), "Generalized simulated annealing for function optimization".

use super::{Stated, moved};
use std::f64::consts::{E, PI};

/// Where [`hartmann`] is least.
const HARTMANN_MINIMISER: [f64; 6] = [
    0.201_689_509,
    0.150_010_7,
    0.476_873_973,
    0.275_332_432,
    0.311_651_615,
    0.657_300_532,
];

/// The square root of 3.
const SQRT_3: f64 = 1.732_050_807_568_877_2;

/// Functions on which constants of the search may be chosen.
pub const DEVELOPMENT: [&str; 5] = ["branin2", "hartmann6", "ackley5", "levy4", "rosenbrock4"];

/// Functions on which none was chosen.
pub const TEST: [&str; 10] = [
    "wedge2",
    "adjiman2",
    "parcel3",
    "kowalik4",
    "maximum5",
    "wavy6",
    "yang7",
    "vincent8",
    "ridge9",
    "bohachevsky10",
];

pub(super) fn stated(name: &str) -> Option<Stated> {
    Some(match name {
        "branin2" => Stated {
            bounds: vec![(-5.0, 10.0), (0.0, 15.0)],
            value: branin,
            minimiser: vec![PI, 2.275],
            optimum: 0.397_887_357_729_738_16,
            near: 5.54,
        },
        "hartmann6" => Stated {
            bounds: vec![(0.0, 1.0); 6],
            value: hartmann,
            minimiser: HARTMANN_MINIMISER.to_vec(),
            optimum: -3.322_368_011_415_515,
            near: 2.6,
        },
        "ackley5" => Stated::of_zeros(ackley, vec![(-32.768, 32.768); 5], 20.1),
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
        "wedge2" => Stated {
            bounds: vec![(0.0, 6.0), (0.0, 4.0)],
            value: wedge,
            minimiser: vec![3.0, SQRT_3],
            optimum: -1.0,
            near: 0.691,
        },
        "adjiman2" => Stated {
            bounds: vec![(-1.0, 2.0), (-1.0, 1.0)],
            value: adjiman,
            minimiser: vec![2.0, 0.105_783_469_451_717],
            optimum: -2.021_806_783_359_786_7,
            near: 0.657,
        },
        "parcel3" => Stated {
            bounds: vec![(0.0, 42.0); 3],
            value: parcel,
            minimiser: vec![24.0, 12.0, 12.0],
            optimum: -3_456.0,
            near: 1_498.0,
        },
        "kowalik4" => Stated {
            bounds: vec![(0.0, 0.5); 4],
            value: kowalik,
            minimiser: vec![
                0.192_833_452_995_665,
                0.190_836_241_681_591,
                0.123_117_298_591_692,
                0.135_765_991_008_045,
            ],
            optimum: 3.074_859_878_056_06e-4,
            near: 0.007_645,
        },
        "maximum5" => Stated::of_zeros(maximum, moved(5, 20.0, 100.0, 10.0), 33.31),
        "wavy6" => Stated::of_zeros(wavy, moved(6, 0.8, 4.0, 0.4), 0.758),
        "yang7" => Stated::of_zeros(yang, moved(7, 3.0, 8.0, 0.4), 0.478),
        "vincent8" => Stated {
            bounds: vec![(0.25, 10.0); 8],
            value: vincent,
            minimiser: vec![(0.65 * PI).exp(); 8],
            optimum: -1.0,
            near: 0.640,
        },
        "ridge9" => Stated::of_zeros(ridge, moved(9, 1.0, 10.0, 1.0), 769.3),
        "bohachevsky10" => Stated::of_zeros(bohachevsky, moved(10, 0.5, 4.0, 0.25), 34.78),
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

/// A cubic in a wedge of two lines and under a third, where it is least in the corner; NaN beyond.
pub fn wedge(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    // Rounding must not put the optimum outside.
    if b > a / SQRT_3 + 1e-9 || a + SQRT_3 * b > 6.0 + 1e-9 {
        return f64::NAN;
    }
    ((a - 3.0).powi(2) - 9.0) * b.powi(3) / (27.0 * SQRT_3)
}

/// Adjiman's function: waves over a valley that ends at a face of the box.
pub fn adjiman(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    a.cos() * b.sin() - a / (b * b + 1.0)
}

/// The post office parcel problem: a volume, the more the better, of which length and girth have a limit;
/// NaN beyond.
pub fn parcel(x: &[f64]) -> f64 {
    // Rounding must not put the optimum outside.
    if x[0] + 2.0 * (x[1] + x[2]) > 72.0 + 1e-9 {
        return f64::NAN;
    }
    -x[0] * x[1] * x[2]
}

/// Kowalik and Osborne's function: the residuals of eleven measurements of an enzyme's reaction.
pub fn kowalik(x: &[f64]) -> f64 {
    let measured = [
        (0.1957, 4.0),
        (0.1947, 2.0),
        (0.1735, 1.0),
        (0.1600, 0.5),
        (0.0844, 0.25),
        (0.0627, 1.0 / 6.0),
        (0.0456, 0.125),
        (0.0342, 0.1),
        (0.0323, 1.0 / 12.0),
        (0.0235, 1.0 / 14.0),
        (0.0246, 0.0625),
    ];
    let residual = |(measured, u): (f64, f64)| {
        measured - x[0] * (u * u + u * x[1]) / (u * u + u * x[2] + x[3])
    };
    measured.map(residual).iter().map(|r| r * r).sum()
}

/// The largest coordinate by size: a cube's faces around the optimum.
pub fn maximum(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| x.abs().max(most))
}

/// Courrieu's wavy function: a wave of each coordinate that fades away from the optimum.
pub fn wavy(x: &[f64]) -> f64 {
    let wave = |x: &f64| (10.0 * x).cos() * (-0.5 * x * x).exp();
    1.0 - x.iter().map(wave).sum::<f64>() / x.len() as f64
}

/// Yang's second function: a cone over waves, sharp at the optimum.
pub fn yang(x: &[f64]) -> f64 {
    let cone: f64 = x.iter().map(|x| x.abs()).sum();
    let waves: f64 = x.iter().map(|x| (x * x).sin()).sum();
    cone * (-waves).exp()
}

/// Vincent's function: waves that widen with each coordinate, all equally low.
pub fn vincent(x: &[f64]) -> f64 {
    let wave = |x: &f64| (10.0 * x.ln()).sin();
    -x.iter().map(wave).sum::<f64>() / x.len() as f64
}

/// A sharp ridge along the first coordinate.
pub fn ridge(x: &[f64]) -> f64 {
    let across: f64 = x[1..].iter().map(|x| x * x).sum();
    x[0] * x[0] + 100.0 * across.sqrt()
}

/// Bohachevsky's bowl with shallow waves, of each pair of neighbours.
pub fn bohachevsky(x: &[f64]) -> f64 {
    let bowl = |pair: &[f64]| {
        let (a, b) = (pair[0], pair[1]);
        let waves = 0.3 * (3.0 * PI * a).cos() + 0.4 * (4.0 * PI * b).cos();
        a * a + 2.0 * b * b + 0.7 - waves
    };
    x.windows(2).map(bowl).sum()
}

//! Functions that judged the ninth form of `auto`. Two of them have constraints; a point that breaks
//! one is a crash.
//!
//! Jamil and Yang (2013), "A literature survey of benchmark functions for global optimization
//! problems", or Surjanovic and Bingham, "Virtual library of simulation experiments", some with the
//! box moved so that its middle is not the optimum; `townsend2` is Townsend (2014), "Constrained
//! optimization in Chebfun", and `hesse6` problem 2.10 of Floudas and others (1999), "Handbook of
//! test problems in local and global optimization", in a box of its own.

use crate::comparison::measure::benchmark::functions::Stated;
use std::f64::consts::{PI, TAU};

pub(super) fn stated(name: &str) -> Option<Stated> {
    Some(match name {
        "eggholder2" => Stated {
            bounds: vec![(-512.0, 512.0); 2],
            value: eggholder,
            minimiser: vec![512.0, 404.231_804_8],
            optimum: -959.640_662_720_850_7,
            near: 570.0,
        },
        "townsend2" => Stated {
            bounds: vec![(-2.25, 2.25), (-2.5, 1.75)],
            value: townsend,
            minimiser: vec![2.005_292_7, 1.194_452_8],
            optimum: -2.023_988_362_325_78,
            near: 0.658,
        },
        "boxbetts3" => Stated {
            bounds: vec![(0.9, 1.2), (9.0, 11.2), (0.9, 1.2)],
            value: box_betts,
            minimiser: vec![1.0, 10.0, 1.0],
            optimum: 0.0,
            near: 0.002_448,
        },
        "cosine4" => Stated {
            bounds: vec![(-0.7, 1.1); 4],
            value: cosine,
            minimiser: vec![0.0; 4],
            optimum: -0.4,
            near: 0.844,
        },
        "friedman5" => Stated {
            bounds: vec![(0.0, 1.0); 5],
            value: friedman,
            minimiser: vec![0.0, 0.3, 0.5, 0.0, 0.0],
            optimum: 0.0,
            near: 7.92,
        },
        "hesse6" => Stated {
            bounds: HESSE.to_vec(),
            value: hesse,
            minimiser: vec![5.0, 1.0, 5.0, 0.0, 5.0, 10.0],
            optimum: -310.0,
            near: 203.3,
        },
        "salomon7" => Stated {
            bounds: vec![(-40.0, 70.0); 7],
            value: salomon,
            minimiser: vec![0.0; 7],
            optimum: 0.0,
            near: 7.42,
        },
        "dette8" => Stated {
            bounds: vec![(0.0, 1.0); 8],
            value: dette,
            minimiser: vec![0.5, 0.75, 0.345_362_55, 0.0, 0.0, 0.0, 0.0, 0.0],
            optimum: 10.675_031_162_982_3,
            near: 22.43,
        },
        "brown9" => Stated {
            bounds: vec![(-0.8, 1.6); 9],
            value: brown,
            minimiser: vec![0.0; 9],
            optimum: 0.0,
            near: 4.83,
        },
        "paviani10" => Stated {
            bounds: vec![(2.001, 9.999); 10],
            value: paviani,
            minimiser: vec![9.350_265_89; 10],
            optimum: -45.778_469_707_446_2,
            near: 43.74,
        },
        _ => return None,
    })
}

const HESSE: [(f64, f64); 6] = [
    (0.0, 5.0),
    (0.0, 4.0),
    (1.0, 5.0),
    (0.0, 6.0),
    (1.0, 5.0),
    (0.0, 10.0),
];

/// The egg holder: many valleys, the deepest on a face.
pub fn eggholder(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1] + 47.0);
    -b * (a / 2.0 + b).abs().sqrt().sin() - a * (a - b).abs().sqrt().sin()
}

/// Townsend's function within a curve of four lobes; NaN elsewhere.
pub fn townsend(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    let turn = a.atan2(b);
    let lobes = 2.0 * turn.cos()
        - 0.5 * (2.0 * turn).cos()
        - 0.25 * (3.0 * turn).cos()
        - 0.125 * (4.0 * turn).cos();
    if a * a + b * b >= lobes.powi(2) + (2.0 * turn.sin()).powi(2) {
        return f64::NAN;
    }
    -((a - 0.1) * b).cos().powi(2) - a * (3.0 * a + b).sin()
}

/// The exponentials of Box and Betts: a fit with a long flat valley.
pub fn box_betts(x: &[f64]) -> f64 {
    let missed = |at: u32| {
        let at = f64::from(at);
        let wanted = (-0.1 * at).exp() - (-at).exp();
        (-0.1 * at * x[0]).exp() - (-0.1 * at * x[1]).exp() - wanted * x[2]
    };
    (1..=10).map(|at| missed(at).powi(2)).sum()
}

/// The cosine mixture: a bowl with waves.
pub fn cosine(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x - 0.1 * (5.0 * PI * x).cos()).sum()
}

/// Friedman's function: least on several faces.
pub fn friedman(x: &[f64]) -> f64 {
    let waves = 10.0 * (PI * x[0] * x[1]).sin();
    waves + 20.0 * (x[2] - 0.5).powi(2) + 10.0 * x[3] + 5.0 * x[4]
}

/// Hesse's concave quadratic, least at a corner of what is allowed; NaN elsewhere.
pub fn hesse(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    let curved = |x: f64, y: f64| (x - 3.0).powi(2) + y >= 4.0;
    let flat = a - 3.0 * b <= 2.0 && b - a <= 2.0 && (2.0..=6.0).contains(&(a + b));
    if !(flat && curved(x[2], x[3]) && curved(x[4], x[5])) {
        return f64::NAN;
    }
    let about = [2.0, 2.0, 1.0, 4.0, 1.0, 4.0];
    let squares = x.iter().zip(about).map(|(x, about)| (x - about).powi(2));
    -squares.sum::<f64>() - 24.0 * (a - 2.0).powi(2)
}

/// Salomon's function: rings about the optimum.
pub fn salomon(x: &[f64]) -> f64 {
    let radius = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    1.0 - (TAU * radius).cos() + 0.1 * radius
}

/// The curved function of Dette and Pepelyshev: least on five faces.
pub fn dette(x: &[f64]) -> f64 {
    let curved = 4.0 * (x[0] - 2.0 + 8.0 * x[1] - 8.0 * x[1] * x[1]).powi(2)
        + (3.0 - 4.0 * x[1]).powi(2)
        + 16.0 * (x[2] + 1.0).sqrt() * (2.0 * x[2] - 1.0).powi(2);
    let logarithms = (4u32..=8).map(|place| {
        let sum: f64 = x[2..place as usize].iter().sum();
        f64::from(place) * sum.ln_1p()
    });
    curved + logarithms.sum::<f64>()
}

/// Brown's function: powers of neighbours.
pub fn brown(x: &[f64]) -> f64 {
    let pairs = x.windows(2).map(|pair| {
        let (a, b) = (pair[0] * pair[0], pair[1] * pair[1]);
        a.powf(b + 1.0) + b.powf(a + 1.0)
    });
    pairs.sum()
}

/// Paviani's function: steep towards the faces.
pub fn paviani(x: &[f64]) -> f64 {
    let squares = x
        .iter()
        .map(|x| (x - 2.0).ln().powi(2) + (10.0 - x).ln().powi(2));
    squares.sum::<f64>() - x.iter().product::<f64>().powf(0.2)
}

//! Functions that judged the ninth form of `auto` a second time. Two of them have constraints; a
//! point that breaks one is a crash.
//!
//! Jamil and Yang (2013), "A literature survey of benchmark functions for global optimization
//! problems", or Surjanovic and Bingham, "Virtual library of simulation experiments", some with the
//! box moved so that its middle is not the optimum; `disc2` is Rosenbrock's function in a disc, as
//! Mishra (2006) has it, and `ibeam4` the deflection of a beam of Gold and Krishnamurty (1997),
//! "Trade-offs in robust engineering design".

use crate::comparison::measure::benchmark::functions::Stated;
use std::f64::consts::PI;

pub(super) fn stated(name: &str) -> Option<Stated> {
    Some(match name {
        "crossintray2" => Stated {
            bounds: vec![(-10.0, 10.0); 2],
            value: cross,
            minimiser: vec![1.349_406_6, -1.349_406_6],
            optimum: -2.062_611_870_822_739_7,
            near: 0.252,
        },
        "disc2" => Stated {
            bounds: vec![(-1.5, 1.5); 2],
            value: disc,
            minimiser: vec![1.0, 1.0],
            optimum: 0.0,
            near: 3.99,
        },
        "wolfe3" => Stated {
            bounds: vec![(0.0, 2.0); 3],
            value: wolfe,
            minimiser: vec![0.0; 3],
            optimum: 0.0,
            near: 1.42,
        },
        "ibeam4" => Stated {
            bounds: BEAM.to_vec(),
            value: beam,
            minimiser: vec![80.0, 50.0, 0.9, 228.0 / 98.2],
            optimum: 0.013_074_118_905_223,
            near: 0.0194,
        },
        "corrugated5" => Stated {
            bounds: vec![(1.5, 10.0); 5],
            value: corrugated,
            minimiser: vec![5.0; 5],
            optimum: -1.0,
            near: 2.46,
        },
        "stretched6" => Stated {
            bounds: vec![(-6.0, 10.0); 6],
            value: stretched,
            minimiser: vec![0.0; 6],
            optimum: 0.0,
            near: 4.52,
        },
        "absolute7" => Stated {
            bounds: vec![(-6.0, 10.0); 7],
            value: absolute,
            minimiser: vec![0.0; 7],
            optimum: 0.0,
            near: 85.0,
        },
        "sargan8" => Stated {
            bounds: vec![(-60.0, 100.0); 8],
            value: sargan,
            minimiser: vec![0.0; 8],
            optimum: 0.0,
            near: 68_540.0,
        },
        "csendes9" => Stated {
            bounds: vec![(-0.8, 1.2); 9],
            value: csendes,
            minimiser: vec![0.0; 9],
            optimum: 0.0,
            near: 0.921,
        },
        "trigonometric10" => Stated {
            bounds: vec![(-1.0, 2.0); 10],
            value: trigonometric,
            minimiser: vec![0.0; 10],
            optimum: 0.0,
            near: 120.7,
        },
        _ => return None,
    })
}

const BEAM: [(f64, f64); 4] = [(10.0, 80.0), (10.0, 50.0), (0.9, 5.0), (0.9, 5.0)];

/// The cross in a tray: four equal wells among many.
pub fn cross(x: &[f64]) -> f64 {
    let grown = (100.0 - x[0].hypot(x[1]) / PI).abs().exp();
    -1e-4 * ((x[0].sin() * x[1].sin() * grown).abs() + 1.0).powf(0.1)
}

/// Rosenbrock's valley, least where it leaves a disc; NaN outside.
pub fn disc(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    // Rounding must not put the optimum outside.
    if a * a + b * b > 2.0 + 1e-12 {
        return f64::NAN;
    }
    (1.0 - a).powi(2) + 100.0 * (b - a * a).powi(2)
}

/// Wolfe's function: least in a corner, where it has a kink.
pub fn wolfe(x: &[f64]) -> f64 {
    let square = x[0] * x[0] + x[1] * x[1] - x[0] * x[1];
    4.0 / 3.0 * square.max(0.0).powf(0.75) + x[2]
}

/// The deflection of an I-shaped beam [cm] of height, flange width, web and flange thickness [cm],
/// with at most 300 cm² and 56 kN/cm²; NaN beyond. Least on three faces and at the first limit.
pub fn beam(x: &[f64]) -> f64 {
    let (height, width, web, flange) = (x[0], x[1], x[2], x[3]);
    let inner = height - 2.0 * flange;
    let upright =
        web * inner.powi(3) + 2.0 * width * web * (4.0 * flange * flange + 3.0 * height * inner);
    let sideways = inner * web.powi(3) + 2.0 * web * width.powi(3);
    let stress = 18e4 * height / upright + 15e3 * width / sideways;
    // Rounding must not put the optimum outside.
    if 2.0 * width * flange + web * inner > 300.0 + 1e-9 || stress > 56.0 {
        return f64::NAN;
    }
    let lever = 0.5 * (height - flange);
    5_000.0
        / (web * inner.powi(3) / 12.0
            + width * flange.powi(3) / 6.0
            + 2.0 * width * flange * lever * lever)
}

/// The deflected corrugated spring: a bowl with waves about its bottom.
pub fn corrugated(x: &[f64]) -> f64 {
    let square: f64 = x.iter().map(|x| (x - 5.0).powi(2)).sum();
    0.1 * square - (5.0 * square.sqrt()).cos()
}

/// The stretched sine of neighbours: rings that grow wider.
pub fn stretched(x: &[f64]) -> f64 {
    let pairs = x.windows(2).map(|pair| {
        let square = pair[0] * pair[0] + pair[1] * pair[1];
        square.powf(0.25) * ((50.0 * square.powf(0.1)).sin().powi(2) + 0.1)
    });
    pairs.sum()
}

/// Schwefel's sum and product of absolute values: a kink at the optimum.
pub fn absolute(x: &[f64]) -> f64 {
    let sizes = || x.iter().map(|x| x.abs());
    sizes().sum::<f64>() + sizes().product::<f64>()
}

/// Sargan's bowl: a long one, along no axis.
pub fn sargan(x: &[f64]) -> f64 {
    let sum: f64 = x.iter().sum();
    let squares: f64 = x.iter().map(|x| x * x).sum();
    x.len() as f64 * (0.6 * squares + 0.4 * sum * sum)
}

/// Csendes' function: flat at the optimum, with ever finer waves.
pub fn csendes(x: &[f64]) -> f64 {
    let of = |x: &f64| match *x == 0.0 {
        true => 0.0,
        false => x.powi(6) * (2.0 + (1.0 / x).sin()),
    };
    x.iter().map(of).sum()
}

/// The trigonometric function of Spedicato: each term hears of all.
pub fn trigonometric(x: &[f64]) -> f64 {
    let count = x.len() as f64;
    let cosines: f64 = x.iter().map(|x| x.cos()).sum();
    let term = |(place, x): (usize, &f64)| {
        let own = (place + 1) as f64 * (1.0 - x.cos() - x.sin());
        (count - cosines + own).powi(2)
    };
    x.iter().enumerate().map(term).sum()
}

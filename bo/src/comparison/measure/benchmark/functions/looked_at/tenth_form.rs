//! Functions that judged the tenth form of `auto`. Two of them have constraints; a point that breaks
//! one is a crash.
//!
//! Jamil and Yang (2013), "A literature survey of benchmark functions for global optimization
//! problems", some with the box moved so that its middle is not the optimum; `gulf3`, `watson6` and
//! `broyden8` are those of Moré, Garbow and Hillstrom (1981), "Testing unconstrained optimization
//! software", `truss2` the three-bar truss of Nowacki (1974) and `keane5` the bump of Keane (1994).

use crate::comparison::measure::benchmark::functions::Stated;
use std::f64::consts::{PI, SQRT_2};

pub(super) fn stated(name: &str) -> Option<Stated> {
    Some(match name {
        "truss2" => Stated {
            bounds: vec![(0.05, 1.0); 2],
            value: truss,
            minimiser: vec![0.788_675_134_6, 0.408_248_290_5],
            optimum: 263.895_843_376_468,
            near: 12.27,
        },
        "bukin2" => Stated {
            bounds: vec![(-15.0, -3.0), (-3.0, 3.0)],
            value: bukin,
            minimiser: vec![-10.0, 1.0],
            optimum: 0.0,
            near: 54.8,
        },
        "gulf3" => Stated {
            bounds: vec![(0.1, 100.0), (0.0, 25.6), (0.0, 5.0)],
            value: gulf,
            minimiser: vec![50.0, 25.0, 1.5],
            optimum: 0.0,
            near: 8.85,
        },
        "miele4" => Stated {
            bounds: vec![(-1.0, 1.5), (0.2, 1.6), (0.2, 1.6), (0.2, 1.6)],
            value: miele,
            minimiser: vec![0.0, 1.0, 1.0, 1.0],
            optimum: 0.0,
            near: 0.148,
        },
        "keane5" => Stated {
            bounds: vec![(0.05, 10.0); 5],
            value: keane,
            minimiser: vec![
                3.075_819_332_1,
                2.991_995_214_2,
                1.475_793_736_4,
                0.236_691_361_91,
                0.233_308_990_91,
            ],
            optimum: -0.634_448_686_949,
            near: 0.489,
        },
        "watson6" => Stated {
            bounds: vec![(-2.0, 2.0); 6],
            value: watson,
            minimiser: vec![
                -0.015_725_085_4,
                1.012_434_868_1,
                -0.232_991_612_6,
                1.260_430_060_3,
                -1.513_728_898_8,
                0.992_996_427_3,
            ],
            optimum: 0.002_287_670_053_552,
            near: 60.2,
        },
        "quintic7" => Stated {
            bounds: vec![(-6.0, 10.0); 7],
            value: quintic,
            minimiser: vec![-1.0; 7],
            optimum: 0.0,
            near: 11_400.0,
        },
        "broyden8" => Stated {
            bounds: vec![(-2.0, 1.5); 8],
            value: broyden,
            minimiser: vec![
                -0.570_469_836_964_552,
                -0.681_140_590_333_191,
                -0.700_428_470_816_958,
                -0.700_672_453_789_823,
                -0.691_736_332_776_106,
                -0.665_767_426_351_784,
                -0.596_029_239_130_7,
                -0.416_410_999_418_88,
            ],
            optimum: 0.0,
            near: 65.4,
        },
        "montalvo9" => Stated {
            bounds: vec![(-5.0, 6.0); 9],
            value: montalvo,
            minimiser: vec![1.0; 9],
            optimum: 0.0,
            near: 8.37,
        },
        "whitley10" => Stated {
            bounds: vec![(-1.5, 2.5); 10],
            value: whitley,
            minimiser: vec![1.0; 10],
            optimum: 0.0,
            near: 4_171.0,
        },
        _ => return None,
    })
}

/// The volume of a truss of three bars, two of one cross-section, under stresses of at most 2; NaN
/// beyond. Least where the first limit is reached.
pub fn truss(x: &[f64]) -> f64 {
    let (outer, inner) = (x[0], x[1]);
    let both = SQRT_2 * outer * outer + 2.0 * outer * inner;
    let stresses = [
        2.0 * (SQRT_2 * outer + inner) / both,
        2.0 * inner / both,
        2.0 / (SQRT_2 * inner + outer),
    ];
    // Rounding must not put the optimum outside.
    if stresses.iter().any(|stress| *stress > 2.0 + 1e-9) {
        return f64::NAN;
    }
    100.0 * (2.0 * SQRT_2 * outer + inner)
}

/// Bukin's sixth function: a narrow bent valley with a kink along its bottom.
pub fn bukin(x: &[f64]) -> f64 {
    100.0 * (x[1] - 0.01 * x[0] * x[0]).abs().sqrt() + 0.01 * (x[0] + 10.0).abs()
}

/// The gulf research and development function: 99 residuals of a distribution with three
/// parameters; flat where its width is small.
pub fn gulf(x: &[f64]) -> f64 {
    let residual = |i: i32| {
        let share = 0.01 * f64::from(i);
        let at = 25.0 + (-50.0 * share.ln()).powf(1.0 / 1.5);
        ((-(at - x[1]).abs().powf(x[2]) / x[0]).exp() - share).powi(2)
    };
    (1..100).map(residual).sum()
}

/// Miele and Cantrell's function: flat at the optimum in every direction.
pub fn miele(x: &[f64]) -> f64 {
    (x[0].exp() - x[1]).powi(4)
        + 100.0 * (x[1] - x[2]).powi(6)
        + (x[2] - x[3]).tan().powi(4)
        + x[0].powi(8)
}

/// Keane's bump: many peaks, the highest where the product of all coordinates is as small as it may
/// be, 0.75; NaN below, and where their sum exceeds 7.5 times their number.
pub fn keane(x: &[f64]) -> f64 {
    let product: f64 = x.iter().product();
    // Rounding must not put the optimum outside.
    if product < 0.75 - 1e-8 || x.iter().sum::<f64>() > 7.5 * x.len() as f64 {
        return f64::NAN;
    }
    let fourth: f64 = x.iter().map(|x| x.cos().powi(4)).sum();
    let squares: f64 = x.iter().map(|x| x.cos().powi(2)).product();
    let weighted = x.iter().zip(1_i32..).map(|(x, i)| f64::from(i) * x * x);
    -(fourth - 2.0 * squares).abs() / weighted.sum::<f64>().sqrt()
}

/// Watson's function: the residuals of a polynomial that solves a differential equation.
pub fn watson(x: &[f64]) -> f64 {
    let residual = |i: i32| {
        let at = f64::from(i) / 29.0;
        let powers = x.iter().zip(0_i32..);
        let value: f64 = powers.clone().map(|(x, j)| x * at.powi(j)).sum();
        let slopes = powers.skip(1);
        let slope: f64 = slopes.map(|(x, j)| f64::from(j) * x * at.powi(j - 1)).sum();
        (slope - value * value - 1.0).powi(2)
    };
    let residuals: f64 = (1..30).map(residual).sum();
    residuals + x[0] * x[0] + (x[1] - x[0] * x[0] - 1.0).powi(2)
}

/// The quintic function: each coordinate has a kink at each of its two best values, -1 and 2.
pub fn quintic(x: &[f64]) -> f64 {
    let of = |x: &f64| {
        let polynomial = ((((x - 3.0) * x + 4.0) * x + 2.0) * x - 10.0) * x - 4.0;
        polynomial.abs()
    };
    x.iter().map(of).sum()
}

/// Broyden's tridiagonal function: each residual hears of its neighbours.
pub fn broyden(x: &[f64]) -> f64 {
    let residual = |i: usize| {
        let before = if i > 0 { x[i - 1] } else { 0.0 };
        let after = x.get(i + 1).copied().unwrap_or(0.0);
        ((3.0 - 2.0 * x[i]) * x[i] - before - 2.0 * after + 1.0).powi(2)
    };
    (0..x.len()).map(residual).sum()
}

/// The second function of Levy and Montalvo: a bowl with waves, higher where neighbours are wrong.
pub fn montalvo(x: &[f64]) -> f64 {
    let wave = |x: f64, waves: f64| (waves * PI * x).sin().powi(2);
    let pairs = x.windows(2);
    let inner: f64 = pairs
        .map(|pair| (pair[0] - 1.0).powi(2) * (1.0 + wave(pair[1], 3.0)))
        .sum();
    let last = x[x.len() - 1];
    0.1 * (wave(x[0], 3.0) + inner + (last - 1.0).powi(2) * (1.0 + wave(last, 2.0)))
}

/// Whitley's function: a valley of Rosenbrock's between all pairs, with waves.
pub fn whitley(x: &[f64]) -> f64 {
    let pair = |a: f64, b: f64| {
        let valley = 100.0 * (a * a - b).powi(2) + (1.0 - b).powi(2);
        valley * valley / 4_000.0 - valley.cos() + 1.0
    };
    let from = |a: &f64| -> f64 { x.iter().map(|b| pair(*a, *b)).sum() };
    x.iter().map(from).sum()
}

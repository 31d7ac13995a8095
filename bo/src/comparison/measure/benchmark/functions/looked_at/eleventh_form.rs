//! Functions that judged the eleventh form of `auto`. Two of them have constraints; a point that breaks
//! one is a crash.
//!
//! `bard3`, `osborne5` and `biggs6` are those of Moré, Garbow and Hillstrom (1981), "Testing
//! unconstrained optimization software"; `langermann2` and `pinter7` those of Jamil and Yang (2013), "A
//! literature survey of benchmark functions for global optimization problems". `floudas2` is problem
//! g24 of Liang et al. (2006), "Problem definitions and evaluation criteria for the CEC 2006 special
//! session on constrained real-parameter optimization", and `suzuki4` problem 43, Rosen and Suzuki's,
//! of Hock and Schittkowski (1981), "Test examples for nonlinear programming codes". `flood8` is the
//! river's level over its dyke of Iooss and Lemaître (2015), "A review on global sensitivity analysis
//! methods". `lunacek10` and `cigar9` are functions 24 and 12 of Hansen et al. (2009), "Real-parameter
//! black-box optimization benchmarking: noiseless functions definitions", neither rotated nor bent.

use crate::comparison::measure::benchmark::functions::{Stated, moved};
use std::f64::consts::{PI, TAU};

pub(super) fn stated(name: &str) -> Option<Stated> {
    Some(match name {
        "floudas2" => Stated {
            bounds: vec![(0.0, 3.0), (0.0, 4.0)],
            value: floudas,
            minimiser: vec![2.329_520_197_477_6, 3.178_493_074_117_7],
            optimum: -5.508_013_271_595_3,
            near: 1.552,
        },
        "langermann2" => Stated {
            bounds: vec![(0.0, 10.0); 2],
            value: langermann,
            minimiser: vec![2.793_402_209_6, 1.597_232_502_1],
            optimum: -4.155_809_291_847_79,
            near: 3.162,
        },
        "bard3" => Stated {
            bounds: vec![(-0.25, 0.25), (0.01, 2.5), (0.01, 2.5)],
            value: bard,
            minimiser: vec![0.082_410_559_2, 1.133_036_092_6, 2.343_695_177_5],
            optimum: 0.008_214_877_306_578_96,
            near: 0.319,
        },
        "suzuki4" => Stated {
            bounds: vec![(-2.0, 3.0), (-2.0, 3.0), (-2.0, 3.0), (-3.0, 2.0)],
            value: suzuki,
            minimiser: vec![0.0, 1.0, 2.0, -1.0],
            optimum: -44.0,
            near: 20.47,
        },
        "osborne5" => Stated {
            bounds: vec![(0.0, 3.0), (0.0, 3.0), (-3.0, 0.0), (0.0, 0.1), (0.0, 0.1)],
            value: osborne,
            minimiser: vec![
                0.375_410_052_647_36,
                1.935_846_999_336,
                -1.464_687_172_221_25,
                0.012_867_534_807_865,
                0.022_122_699_348_352,
            ],
            optimum: 5.464_894_697_483e-5,
            near: 4.10,
        },
        "biggs6" => Stated {
            bounds: vec![(0.0, 12.0); 6],
            value: biggs,
            minimiser: vec![1.0, 10.0, 1.0, 5.0, 4.0, 3.0],
            optimum: 0.0,
            near: 5.88,
        },
        "pinter7" => Stated {
            bounds: moved(7, 2.0, 12.0, 1.5),
            value: pinter,
            minimiser: vec![0.0; 7],
            optimum: 0.0,
            near: 579.0,
        },
        "flood8" => Stated {
            bounds: FLOOD.to_vec(),
            value: flood,
            minimiser: vec![500.0, 55.0, 49.0, 55.0, 9.0, 56.0, 4_990.0, 305.0],
            optimum: -15.086_792_911_594_34,
            near: 2.762,
        },
        "cigar9" => Stated {
            bounds: moved(9, 1.0, 10.0, 1.0),
            value: cigar,
            minimiser: vec![0.0; 9],
            optimum: 0.0,
            near: 5.549e7,
        },
        "lunacek10" => Stated {
            bounds: vec![(-5.0, 5.0); 10],
            value: lunacek,
            minimiser: vec![2.5; 10],
            optimum: 0.0,
            near: 151.6,
        },
        _ => return None,
    })
}

/// A plane over two lobes between two quartics; NaN above them. Least where they meet.
pub fn floudas(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    let first = ((2.0 * a - 8.0) * a + 8.0) * a * a + 2.0;
    let second = (((4.0 * a - 32.0) * a + 88.0) * a - 96.0) * a + 36.0;
    // Rounding must not put the optimum outside.
    if b > first.min(second) + 1e-9 {
        return f64::NAN;
    }
    -a - b
}

/// Langermann's function: five bells with waves, the deepest ring beside the highest bell.
pub fn langermann(x: &[f64]) -> f64 {
    let bells = [
        (3.0, 5.0, 1.0),
        (5.0, 2.0, 2.0),
        (2.0, 1.0, 5.0),
        (1.0, 4.0, 2.0),
        (7.0, 9.0, 3.0),
    ];
    let of = |(a, b, height): (f64, f64, f64)| {
        let square = (x[0] - a).powi(2) + (x[1] - b).powi(2);
        height * (-square / PI).exp() * (PI * square).cos()
    };
    bells.map(of).iter().sum()
}

/// Bard's function: the residuals of fifteen measurements from a rational model.
pub fn bard(x: &[f64]) -> f64 {
    let measured = [
        0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39,
    ];
    let residual = |(measured, u): (&f64, f64)| {
        let v = 16.0 - u;
        measured - (x[0] + u / (v * x[1] + u.min(v) * x[2]))
    };
    let at = (1..=15_i32).map(f64::from);
    measured.iter().zip(at).map(residual).map(|r| r * r).sum()
}

/// Rosen and Suzuki's problem: a bowl under three quadratic limits, of which two meet at the
/// optimum; NaN beyond.
pub fn suzuki(x: &[f64]) -> f64 {
    let (a, b, c, d) = (x[0], x[1], x[2], x[3]);
    let squares = a * a + b * b + c * c;
    let limits = [
        squares + d * d + a - b + c - d - 8.0,
        squares + b * b + 2.0 * d * d - a - d - 10.0,
        squares + a * a + 2.0 * a - b - d - 5.0,
    ];
    // Rounding must not put the optimum outside.
    if limits.iter().any(|limit| *limit > 1e-9) {
        return f64::NAN;
    }
    squares + c * c + d * d - 5.0 * (a + b) - 21.0 * c + 7.0 * d
}

/// Osborne's first function: the residuals of 33 measurements from two decays.
pub fn osborne(x: &[f64]) -> f64 {
    let measured = [
        0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.850, 0.818, 0.784, 0.751, 0.718, 0.685,
        0.658, 0.628, 0.603, 0.580, 0.558, 0.538, 0.522, 0.506, 0.490, 0.478, 0.467, 0.457, 0.448,
        0.438, 0.431, 0.424, 0.420, 0.414, 0.411, 0.406,
    ];
    let residual = |(measured, k): (&f64, i32)| {
        let t = 10.0 * f64::from(k);
        measured - (x[0] + x[1] * (-t * x[3]).exp() + x[2] * (-t * x[4]).exp())
    };
    measured.iter().zip(0..).map(residual).map(|r| r * r).sum()
}

/// Biggs' function of six parameters: the residuals of thirteen measurements from three decays.
pub fn biggs(x: &[f64]) -> f64 {
    let residual = |k: i32| {
        let t = 0.1 * f64::from(k);
        let decay = |rate: f64| (-t * rate).exp();
        let measured = decay(1.0) - 5.0 * decay(10.0) + 3.0 * decay(4.0);
        x[2] * decay(x[0]) - x[3] * decay(x[1]) + x[5] * decay(x[4]) - measured
    };
    (1..=13).map(residual).map(|r| r * r).sum()
}

/// Pintér's function: a bowl with waves of neighbours, in a ring.
pub fn pinter(x: &[f64]) -> f64 {
    let count = x.len();
    let term = |i: usize| {
        let (before, own, after) = (x[(i + count - 1) % count], x[i], x[(i + 1) % count]);
        let weight = (i + 1) as f64;
        let wave = before * own.sin() + after.sin();
        let fold = before * before - 2.0 * own + 3.0 * after - own.cos() + 1.0;
        weight * own * own
            + 20.0 * weight * wave.sin().powi(2)
            + weight * (1.0 + weight * fold * fold).log10()
    };
    (0..count).map(term).sum()
}

const FLOOD: [(f64, f64); 8] = [
    (500.0, 3_000.0),
    (15.0, 55.0),
    (49.0, 51.0),
    (54.0, 55.0),
    (7.0, 9.0),
    (55.0, 56.0),
    (4_990.0, 5_010.0),
    (295.0, 305.0),
];

/// How far a river [m] rises over its dyke, of its flow [m³/s], the bed's Strickler coefficient, its
/// lower and upper level, the heights of the dyke and of the bank, the length and width of the reach
/// [m]. Least in a corner.
pub fn flood(x: &[f64]) -> f64 {
    let (flow, strickler, lower, upper) = (x[0], x[1], x[2], x[3]);
    let (dyke, bank, length, width) = (x[4], x[5], x[6], x[7]);
    let slope = (upper - lower) / length;
    let depth = (flow / (width * strickler * slope.sqrt())).powf(0.6);
    lower + depth - dyke - bank
}

/// The cigar: one direction counts a millionth of the others.
pub fn cigar(x: &[f64]) -> f64 {
    let others: f64 = x[1..].iter().map(|x| x * x).sum();
    x[0] * x[0] + 1e6 * others
}

/// Lunacek's double funnel with Rastrigin's waves; the wider funnel ends higher.
pub fn lunacek(x: &[f64]) -> f64 {
    const BEST: f64 = 2.5;
    let count = x.len() as f64;
    let width = 1.0 - 1.0 / (2.0 * (count + 20.0).sqrt() - 8.2);
    let other = -((BEST * BEST - 1.0) / width).sqrt();
    let squares = |centre: f64| -> f64 { x.iter().map(|x| (x - centre).powi(2)).sum() };
    let waves: f64 = x.iter().map(|x| 1.0 - (TAU * (x - BEST)).cos()).sum();
    squares(BEST).min(count + width * squares(other)) + 10.0 * waves
}

//! Functions that judged the fifth form of `auto` once more, with other units of values. Two of them
//! have constraints; a point that breaks one is a crash.
//!
//! Surjanovic and Bingham, "Virtual library of simulation experiments", or Jamil and Yang (2013), "A
//! literature survey of benchmark functions for global optimization problems", some with the box
//! moved so that its middle is not the optimum; `helical3` is the helical valley of Fletcher and
//! Powell (1963), and `himmelblau5` the problem of Himmelblau (1972), "Applied nonlinear
//! programming", that later collections call G04.

use crate::comparison::measure::benchmark::functions::Stated;
use std::f64::consts::{PI, TAU};

pub(super) fn stated(name: &str) -> Option<Stated> {
    Some(match name {
        "holder2" => Stated {
            bounds: vec![(-10.0, 10.0); 2],
            value: holder,
            minimiser: vec![-8.055_023_46, 9.664_590_05],
            optimum: -19.208_502_567_886_736,
            near: 13.0,
        },
        "bird2" => Stated {
            bounds: vec![(-10.0, 0.0), (-6.5, 0.0)],
            value: bird,
            minimiser: vec![-3.130_246_81, -1.582_142_17],
            optimum: -106.764_536_749_264_75,
            near: 94.5,
        },
        "helical3" => Stated {
            bounds: vec![(-10.0, 10.0); 3],
            value: helical,
            minimiser: vec![1.0, 0.0, 0.0],
            optimum: 0.0,
            near: 2_549.0,
        },
        "perm4" => Stated {
            bounds: vec![(-4.0, 4.0); 4],
            value: perm,
            minimiser: vec![1.0, 2.0, 3.0, 4.0],
            optimum: 0.0,
            near: 8_455.0,
        },
        "himmelblau5" => Stated {
            bounds: HIMMELBLAU.to_vec(),
            value: himmelblau,
            minimiser: vec![78.0, 33.0, 29.995_256_1, 45.0, 36.775_812_9],
            optimum: -30_665.538_671_783_32,
            near: 2_015.0,
        },
        "schwefel6" => Stated {
            bounds: vec![(-500.0, 500.0); 6],
            value: schwefel,
            minimiser: vec![420.968_746_91; 6],
            optimum: 0.0,
            near: 1_904.0,
        },
        "powers7" => Stated {
            bounds: vec![(-1.0, 1.5); 7],
            value: powers,
            minimiser: vec![0.0; 7],
            optimum: 0.0,
            near: 1.22,
        },
        "qing8" => Stated {
            bounds: vec![(-5.0, 5.0); 8],
            value: qing,
            minimiser: (1..=8).map(|place| f64::from(place).sqrt()).collect(),
            optimum: 0.0,
            near: 223.0,
        },
        "alpine9" => Stated {
            bounds: vec![(-4.0, 8.0); 9],
            value: alpine,
            minimiser: vec![0.0; 9],
            optimum: 0.0,
            near: 11.7,
        },
        "quartic10" => Stated {
            bounds: vec![(-0.8, 1.6); 10],
            value: quartic,
            minimiser: vec![0.0; 10],
            optimum: 0.0,
            near: 13.9,
        },
        _ => return None,
    })
}

const HIMMELBLAU: [(f64, f64); 5] = [
    (78.0, 102.0),
    (33.0, 45.0),
    (27.0, 45.0),
    (27.0, 45.0),
    (27.0, 45.0),
];

/// Holder's table: waves that grow towards four least values near the corners.
pub fn holder(x: &[f64]) -> f64 {
    let grown = (1.0 - x[0].hypot(x[1]) / PI).abs().exp();
    -(x[0].sin() * x[1].cos() * grown).abs()
}

/// Mishra's bird, two deep wells of which one is the deeper, within a circle; NaN elsewhere.
pub fn bird(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    if (a + 5.0).powi(2) + (b + 5.0).powi(2) >= 25.0 {
        return f64::NAN;
    }
    let wells = b.sin() * (1.0 - a.cos()).powi(2).exp() + a.cos() * (1.0 - b.sin()).powi(2).exp();
    wells + (a - b).powi(2)
}

/// The helical valley: a spiral stair around an axis, level at one step.
pub fn helical(x: &[f64]) -> f64 {
    let turn = x[1].atan2(x[0]) / TAU;
    // The stair is cut where both of the first two are negative and the second is nearly 0.
    let turn = if turn < -0.25 { turn + 1.0 } else { turn };
    100.0 * ((x[2] - 10.0 * turn).powi(2) + (x[0].hypot(x[1]) - 1.0).powi(2)) + x[2].powi(2)
}

/// The permutation function with parameter 1/2: least where each number is its place.
pub fn perm(x: &[f64]) -> f64 {
    let of = |power: i32| {
        let places = x.iter().zip([1.0f64, 2.0, 3.0, 4.0]);
        let terms =
            places.map(|(x, place)| (place.powi(power) + 0.5) * ((x / place).powi(power) - 1.0));
        terms.sum::<f64>().powi(2)
    };
    (1..=4).map(of).sum()
}

/// Himmelblau's quadratic programme with three products kept between limits; NaN elsewhere.
pub fn himmelblau(x: &[f64]) -> f64 {
    let (a, b, c, d, e) = (x[0], x[1], x[2], x[3], x[4]);
    let limited = [
        (
            85.334_407 + 0.005_685_8 * b * e + 0.000_626_2 * a * d - 0.002_205_3 * c * e,
            0.0..=92.0,
        ),
        (
            80.512_49 + 0.007_131_7 * b * e + 0.002_995_5 * a * b + 0.002_181_3 * c * c,
            90.0..=110.0,
        ),
        (
            9.300_961 + 0.004_702_6 * c * e + 0.001_254_7 * a * c + 0.001_908_5 * c * d,
            20.0..=25.0,
        ),
    ];
    if !limited
        .iter()
        .all(|(product, range)| range.contains(product))
    {
        return f64::NAN;
    }
    5.357_854_7 * c * c + 0.835_689_1 * a * e + 37.293_239 * a - 40_792.141
}

/// Schwefel's function: the best valley is far from the next one.
pub fn schwefel(x: &[f64]) -> f64 {
    let wave = |x: &f64| 418.982_887_272_433_9 - x * x.abs().sqrt().sin();
    x.iter().map(wave).sum()
}

/// The sum of different powers: flatter and flatter along the axes.
pub fn powers(x: &[f64]) -> f64 {
    let terms = (2..).zip(x);
    terms.map(|(power, x)| x.abs().powi(power)).sum()
}

/// Qing's function: a well for each choice of signs, all as deep.
pub fn qing(x: &[f64]) -> f64 {
    let terms = (1u32..).zip(x);
    terms
        .map(|(place, x)| (x * x - f64::from(place)).powi(2))
        .sum()
}

/// The first function of Alpine: waves with edges.
pub fn alpine(x: &[f64]) -> f64 {
    x.iter().map(|x| (x * x.sin() + 0.1 * x).abs()).sum()
}

/// The quartic function without its noise.
pub fn quartic(x: &[f64]) -> f64 {
    let terms = (1u32..).zip(x);
    terms.map(|(place, x)| f64::from(place) * x.powi(4)).sum()
}

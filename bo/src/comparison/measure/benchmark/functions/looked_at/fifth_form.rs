//! Functions that judged the fifth form of `auto`. Two of them have constraints; a point that breaks
//! one is a crash.
//!
//! Surjanovic and Bingham, "Virtual library of simulation experiments", but for `bars2`, the
//! three-bar truss as Ray and Saini (2001), "Engineering design optimization using a swarm with an
//! intelligent information sharing among individuals", state it, and `cantilever5`, the stepped
//! beam of Svanberg (1987), "The method of moving asymptotes", with heights from 1 to 10.

use crate::comparison::measure::benchmark::functions::Stated;
use std::f64::consts::{PI, SQRT_2, TAU};

pub(super) fn stated(name: &str) -> Option<Stated> {
    Some(match name {
        "mccormick2" => Stated {
            bounds: vec![(-1.5, 4.0), (-3.0, 4.0)],
            value: mccormick,
            minimiser: vec![-0.547_197_55, -1.547_197_55],
            optimum: -1.913_222_954_981_037,
            near: 1.60,
        },
        "bars2" => Stated {
            bounds: vec![(0.0, 1.0); 2],
            value: bars,
            minimiser: vec![(3.0 + 3f64.sqrt()) / 6.0 + 1e-10, 1.0 / 6f64.sqrt() + 1e-10],
            optimum: 263.895_843_376_468,
            near: 12.4,
        },
        "ishigami3" => Stated {
            bounds: vec![(-PI, PI); 3],
            value: ishigami,
            minimiser: vec![-PI / 2.0, 0.0, PI],
            optimum: -1.0 - 0.1 * PI.powi(4),
            near: 9.91,
        },
        "powersum4" => Stated {
            bounds: vec![(0.0, 4.0); 4],
            value: power_sum,
            minimiser: vec![2.0, 1.0, 3.0, 2.0],
            optimum: 0.0,
            near: 421.0,
        },
        "cantilever5" => Stated {
            bounds: vec![(1.0, 10.0); 5],
            value: cantilever,
            minimiser: cantilever_heights(),
            optimum: 1.339_956_360_599,
            near: 0.412,
        },
        "otl6" => Stated {
            bounds: OTL.to_vec(),
            value: otl,
            minimiser: vec![150.0, 25.0, 0.5, 2.5, 1.2, 300.0],
            optimum: 2.603_714_845_846_85,
            near: 1.38,
        },
        "piston7" => Stated {
            bounds: PISTON.to_vec(),
            value: piston,
            minimiser: vec![30.0, 0.02, 0.002, 5e3, 1.1e5, 290.0, 360.0],
            optimum: 0.164_228_849_162_531,
            near: 0.128,
        },
        "robot8" => {
            let joints = [[(0.0, TAU); 4], [(0.0, 1.0); 4]];
            Stated {
                bounds: joints.concat(),
                value: robot,
                minimiser: vec![0.3, PI, PI, PI, 1.0, 1.0, 0.5, 0.5],
                optimum: 0.0,
                near: 0.379,
            }
        }
        "griewank9" => Stated {
            bounds: vec![(-5.0, 10.0); 9],
            value: griewank,
            minimiser: vec![0.0; 9],
            optimum: 0.0,
            near: 1.02,
        },
        "ellipsoid10" => Stated {
            bounds: vec![(-5.0, 10.0); 10],
            value: ellipsoid,
            minimiser: vec![0.0; 10],
            optimum: 0.0,
            near: 403.0,
        },
        _ => return None,
    })
}

/// The heights of the lightest [`cantilever`], by a multiplier of Lagrange: they go with the fourth
/// root of the shares.
fn cantilever_heights() -> Vec<f64> {
    let roots = SINKING.map(|share| share.powf(0.25));
    let size = roots.iter().sum::<f64>().cbrt();
    // Rounding must not put the optimum outside.
    roots.map(|root| size * root * (1.0 + 1e-12)).to_vec()
}

/// Share of each piece of a cantilever in how far its end sinks.
const SINKING: [f64; 5] = [61.0, 37.0, 19.0, 7.0, 1.0];

/// Resistances b1, b2, f, c1, c2 \[kOhm\] and current gain.
const OTL: [(f64, f64); 6] = [
    (50.0, 150.0),
    (25.0, 70.0),
    (0.5, 3.0),
    (1.2, 2.5),
    (0.25, 1.2),
    (50.0, 300.0),
];

/// Mass \[kg\] and surface \[m^2\] of the piston, initial volume of the gas \[m^3\], stiffness of the
/// spring \[N/m\], pressure \[Pa\] and temperature \[K\] outside, temperature of the gas \[K\].
const PISTON: [(f64, f64); 7] = [
    (30.0, 60.0),
    (0.005, 0.02),
    (0.002, 0.01),
    (1_000.0, 5_000.0),
    (90_000.0, 110_000.0),
    (290.0, 296.0),
    (340.0, 360.0),
];

/// McCormick's function: a wavy plate in a bent valley.
pub fn mccormick(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    (a + b).sin() + (a - b).powi(2) - 1.5 * a + 2.5 * b + 1.0
}

/// Volume of a truss of two outer bars and a middle one of these cross-sections \[cm^2\], 100 cm high,
/// that carries 2 kN/cm^2 within stresses of as much; NaN elsewhere.
pub fn bars(x: &[f64]) -> f64 {
    let (outer, middle) = (x[0], x[1]);
    let shared = SQRT_2 * outer * outer + 2.0 * outer * middle;
    let stresses = [
        (SQRT_2 * outer + middle) / shared,
        middle / shared,
        1.0 / (SQRT_2 * middle + outer),
    ];
    // Of the load to the limit; of no bars at all it is not a number.
    if !stresses.iter().all(|stress| *stress <= 1.0) {
        return f64::NAN;
    }
    100.0 * (2.0 * SQRT_2 * outer + middle)
}

/// Ishigami's function: two least values at faces for each of three waves.
pub fn ishigami(x: &[f64]) -> f64 {
    x[0].sin() + 7.0 * x[1].sin().powi(2) + 0.1 * x[2].powi(4) * x[0].sin()
}

/// The power sum function: least at the orders of 1, 2, 2, 3.
pub fn power_sum(x: &[f64]) -> f64 {
    let of = |(power, sum): (i32, f64)| {
        let powers = x.iter().map(|x| x.powi(power));
        (powers.sum::<f64>() - sum).powi(2)
    };
    [(1, 8.0), (2, 18.0), (3, 44.0), (4, 114.0)]
        .map(of)
        .iter()
        .sum()
}

/// Weight of a cantilever of five hollow pieces of these heights whose end does not sink too far;
/// NaN elsewhere.
pub fn cantilever(x: &[f64]) -> f64 {
    let terms = SINKING.iter().zip(x);
    let sinks: f64 = terms.map(|(share, height)| share / height.powi(3)).sum();
    if sinks > 1.0 {
        return f64::NAN;
    }
    0.0624 * x.iter().sum::<f64>()
}

/// Midpoint voltage of a push-pull circuit without a transformer \[V\], least at a corner of the box.
pub fn otl(x: &[f64]) -> f64 {
    let base = 12.0 * x[1] / (x[0] + x[1]) + 0.74;
    let amplified = x[5] * (x[4] + 9.0);
    let whole = amplified + x[2];
    (base * amplified + 11.35 * x[2] + 0.74 * x[2] * amplified / x[3]) / whole
}

/// Time of a piston's cycle in its cylinder \[s\], least at a corner of the box.
pub fn piston(x: &[f64]) -> f64 {
    let (mass, surface, volume, stiffness, pressure) = (x[0], x[1], x[2], x[3], x[4]);
    let heat = pressure * volume / x[6] * x[5];
    let force = pressure * surface + 19.62 * mass - stiffness * volume / surface;
    let gas =
        surface / (2.0 * stiffness) * ((force * force + 4.0 * stiffness * heat).sqrt() - force);
    TAU * (mass / (stiffness + (surface / gas).powi(2) * heat)).sqrt()
}

/// Distance of a planar arm's hand from its shoulder: four angles, each from the piece before, and four
/// lengths. Least where it is folded.
pub fn robot(x: &[f64]) -> f64 {
    let (angles, lengths) = x.split_at(4);
    let mut angle = 0.0;
    let (mut across, mut along) = (0.0, 0.0);
    for (turn, length) in angles.iter().zip(lengths) {
        angle += turn;
        across += length * f64::cos(angle);
        along += length * f64::sin(angle);
    }
    across.hypot(along)
}

/// Griewank's function: a bowl with ripples.
pub fn griewank(x: &[f64]) -> f64 {
    let squares: f64 = x.iter().map(|x| x * x).sum();
    let wave = |(k, x): (usize, &f64)| (x / ((k + 1) as f64).sqrt()).cos();
    squares / 4_000.0 - x.iter().enumerate().map(wave).product::<f64>() + 1.0
}

/// Schwefel's double sum, an ellipsoid that is turned against the axes.
pub fn ellipsoid(x: &[f64]) -> f64 {
    let sums = x.iter().scan(0.0, |sum, x| {
        *sum += x;
        Some(*sum * *sum)
    });
    sums.sum()
}

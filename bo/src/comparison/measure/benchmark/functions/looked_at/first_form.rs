//! Functions that judged the first form of `auto`. Two of them have constraints; a point that breaks
//! one is a crash.
//!
//! Surjanovic and Bingham, "Virtual library of simulation experiments"; `gramacy2` is equation 2 of
//! Gramacy, Gray, Le Digabel, Lee, Ranjan, Wells and Wild (2016), "Modeling an augmented Lagrangian
//! for blackbox constrained optimization"; `pressure4` is the pressure vessel of Kannan and Kramer
//! (1994), its thicknesses not rounded.

use crate::comparison::measure::benchmark::functions::Stated;
use std::f64::consts::PI;

pub(super) fn stated(name: &str) -> Option<Stated> {
    let thickness = (0.0625, 6.1875);
    Some(match name {
        "camel2" => Stated {
            bounds: vec![(-3.0, 3.0), (-2.0, 2.0)],
            value: camel,
            minimiser: vec![-0.089_842_01, 0.712_656_40],
            optimum: -1.031_628_453_489_877_6,
            near: 1.34,
        },
        "goldstein2" => Stated {
            bounds: vec![(-2.0, 2.0); 2],
            value: goldstein,
            minimiser: vec![0.0, -1.0],
            optimum: 3.0,
            near: 240.0,
        },
        "gramacy2" => Stated {
            bounds: vec![(0.0, 1.0); 2],
            value: gramacy,
            minimiser: vec![0.195_122_69, 0.404_665_38],
            optimum: 0.599_788_052_010_067_6,
            near: 0.306,
        },
        "hartmann3" => Stated {
            bounds: vec![(0.0, 1.0); 3],
            value: hartmann,
            minimiser: vec![0.114_588_86, 0.555_648_9, 0.852_546_98],
            optimum: -3.862_779_787_332_663,
            near: 1.35,
        },
        "shekel4" => Stated {
            bounds: vec![(0.0, 10.0); 4],
            value: shekel,
            minimiser: vec![4.000_746_53, 4.000_592_93, 3.999_663_4, 3.999_509_8],
            optimum: -10.536_409_816_692_048,
            near: 10.04,
        },
        "pressure4" => {
            let bounds = vec![thickness, thickness, (10.0, 200.0), (10.0, 200.0)];
            Stated {
                bounds,
                value: pressure,
                minimiser: vec![0.778_168_65, 0.384_649_17, 40.319_618_73, 199.999_999_99],
                optimum: 5_885.332_773_616_465,
                near: 43_600.0,
            }
        }
        "michalewicz5" => Stated {
            bounds: vec![(0.0, PI); 5],
            value: michalewicz,
            minimiser: vec![
                2.202_905_52,
                PI / 2.0,
                1.284_991_57,
                1.923_058_47,
                1.720_469_77,
            ],
            optimum: -4.687_658_179_088_15,
            near: 3.44,
        },
        "styblinski5" => Stated {
            bounds: vec![(-5.0, 5.0); 5],
            value: styblinski,
            minimiser: vec![-2.903_534_03; 5],
            optimum: -195.830_828_518_857_12,
            near: 94.0,
        },
        "dixon7" => Stated {
            bounds: vec![(-10.0, 10.0); 7],
            value: dixon,
            minimiser: (1..=7).map(|i| 2f64.powf(2f64.powi(1 - i) - 1.0)).collect(),
            optimum: 0.0,
            near: 64_300.0,
        },
        "trid10" => Stated {
            bounds: vec![(-100.0, 100.0); 10],
            value: trid,
            minimiser: (1..=10).map(|i| f64::from(i * (11 - i))).collect(),
            optimum: -210.0,
            near: 17_100.0,
        },
        _ => return None,
    })
}

/// The camel with six humps: two of its minima are global.
pub fn camel(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    (4.0 - 2.1 * a * a + a.powi(4) / 3.0) * a * a + a * b + (4.0 * b * b - 4.0) * b * b
}

/// Goldstein and Price's function: its values span six decades.
pub fn goldstein(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    let near = 19.0 - 14.0 * a + 3.0 * a * a - 14.0 * b + 6.0 * a * b + 3.0 * b * b;
    let far = 18.0 - 32.0 * a + 12.0 * a * a + 48.0 * b - 36.0 * a * b + 27.0 * b * b;
    (1.0 + (a + b + 1.0).powi(2) * near) * (30.0 + (2.0 * a - 3.0 * b).powi(2) * far)
}

/// A plane under two constraints, which 46 % of the box keep; NaN elsewhere.
pub fn gramacy(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    let wave = 1.5 - a - 2.0 * b - 0.5 * (2.0 * PI * (a * a - 2.0 * b)).sin();
    let circle = a * a + b * b - 1.5;
    if wave > 0.0 || circle > 0.0 {
        return f64::NAN;
    }
    a + b
}

/// Hartmann's function of three variables: four minima.
pub fn hartmann(x: &[f64]) -> f64 {
    const HEIGHT: [f64; 4] = [1.0, 1.2, 3.0, 3.2];
    const STEEPNESS: [[f64; 3]; 2] = [[3.0, 10.0, 30.0], [0.1, 10.0, 35.0]];
    const CENTRE: [[f64; 3]; 4] = [
        [0.3689, 0.1170, 0.2673],
        [0.4699, 0.4387, 0.7470],
        [0.1091, 0.8732, 0.5547],
        [0.0381, 0.5743, 0.8828],
    ];
    let hill = |i: usize| {
        let terms = (0..3).map(|j| STEEPNESS[i % 2][j] * (x[j] - CENTRE[i][j]).powi(2));
        HEIGHT[i] * (-terms.sum::<f64>()).exp()
    };
    -(0..4).map(hill).sum::<f64>()
}

/// Shekel's function with ten minima.
pub fn shekel(x: &[f64]) -> f64 {
    const PLACE: [[f64; 2]; 10] = [
        [4.0, 4.0],
        [1.0, 1.0],
        [8.0, 8.0],
        [6.0, 6.0],
        [3.0, 7.0],
        [2.0, 9.0],
        [5.0, 3.0],
        [8.0, 1.0],
        [6.0, 2.0],
        [7.0, 3.6],
    ];
    const WIDTH: [f64; 10] = [0.1, 0.2, 0.2, 0.4, 0.4, 0.6, 0.3, 0.7, 0.5, 0.5];
    // Its places repeat after two coordinates, but for the seventh.
    let at = |i: usize, j: usize| match (i, j) {
        (6, _) => [5.0, 5.0, 3.0, 3.0][j],
        _ => PLACE[i][j % 2],
    };
    let well = |i: usize| {
        let square: f64 = (0..4).map(|j| (x[j] - at(i, j)).powi(2)).sum();
        1.0 / (square + WIDTH[i])
    };
    -(0..10).map(well).sum::<f64>()
}

/// Cost of a cylindrical vessel of shell and head thickness, radius and length \[in\] that holds
/// 1,296,000 cubic inches and stands its pressure, as 40 % of the box do; NaN elsewhere.
pub fn pressure(x: &[f64]) -> f64 {
    let (shell, head, radius, length) = (x[0], x[1], x[2], x[3]);
    let volume = PI * radius * radius * length + 4.0 / 3.0 * PI * radius.powi(3);
    if 0.0193 * radius > shell || 0.00954 * radius > head || volume < 1_296_000.0 {
        return f64::NAN;
    }
    0.6224 * shell * radius * length
        + 1.7781 * head * radius * radius
        + 3.1661 * shell * shell * length
        + 19.84 * shell * shell * radius
}

/// Michalewicz's function of steepness 10: narrow valleys in a plain.
pub fn michalewicz(x: &[f64]) -> f64 {
    let valley = |(i, x): (usize, &f64)| x.sin() * ((i + 1) as f64 * x * x / PI).sin().powi(20);
    -x.iter().enumerate().map(valley).sum::<f64>()
}

/// Styblinski and Tang's function: a minimum for each corner.
pub fn styblinski(x: &[f64]) -> f64 {
    let of = |x: &f64| x.powi(4) - 16.0 * x * x + 5.0 * x;
    0.5 * x.iter().map(of).sum::<f64>()
}

/// Dixon and Price's function: a long valley.
pub fn dixon(x: &[f64]) -> f64 {
    let pairs = x.windows(2).enumerate();
    let of = |(i, x): (usize, &[f64])| (i + 2) as f64 * (2.0 * x[1] * x[1] - x[0]).powi(2);
    (x[0] - 1.0).powi(2) + pairs.map(of).sum::<f64>()
}

/// Neumaier's third function: a bowl whose axes are those of none of the variables.
pub fn trid(x: &[f64]) -> f64 {
    let own: f64 = x.iter().map(|x| (x - 1.0).powi(2)).sum();
    own - x.windows(2).map(|x| x[0] * x[1]).sum::<f64>()
}

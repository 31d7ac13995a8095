//! Order: which motor of a log turns which rotor of the airframe.

use super::super::flight_log::LogFormat;
use super::fit::rotors::Rotors;
use super::part::Part;
use crate::Rotors as Airframes;
use nalgebra::{DMatrix, DVector, Vector3};

/// Distance of the instants that are compared [s].
const STEP_S: f64 = 0.02;

/// Lags of which one is near enough to tell one rotor from another, and such a delay [s].
const LAGS_S: [f64; 4] = [0.005, 0.015, 0.035, 0.07];
const DELAY_S: f64 = 0.008;

/// Correlation of motors' effects and rotors' levers from which on the log itself tells the order.
const TOLD: f64 = 0.8;

/// Share of the turning that the motors must explain for that.
const EXPLAINED: f64 = 0.3;

/// Which rotor each motor of the log turns, and how that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// Of each motor the number of its rotor, from 0.
    pub rotors: Vec<usize>,
    /// Whether the log shows it; else it is the format's.
    pub seen: bool,
    /// Whether the log shows another order than its format has.
    pub unusual: bool,
}

/// Signs of x and y of each motor of a quadrotor in X, as `format` counts them.
fn quad(format: LogFormat) -> [[f64; 2]; 4] {
    let (fl, fr, rr, rl) = ([1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]);
    match format {
        LogFormat::Ulog | LogFormat::Dataflash => [fr, rl, fl, rr],
        LogFormat::Blackbox => [rr, fr, rl, fl],
        LogFormat::Crazyflie => [fr, rr, rl, fl],
        LogFormat::Mcap | LogFormat::Csv => [fl, fr, rr, rl],
    }
}

impl Order {
    /// That of `format`, for `rotors`.
    fn usual(format: LogFormat, rotors: &Airframes) -> Vec<usize> {
        let at = |signs: [f64; 2]| {
            (rotors.positions_m.iter())
                .position(|[x, y, _]| x * signs[0] > 0.0 && y * signs[1] > 0.0)
        };
        let found: Option<Vec<usize>> = match rotors.count() {
            4 => quad(format).into_iter().map(at).collect(),
            _ => None,
        };
        found.unwrap_or_else(|| (0..rotors.count()).collect())
    }

    /// The order that `parts` show, or else that of `format`.
    pub(super) fn of(parts: &[Part], format: LogFormat, rotors: &Airframes) -> Order {
        let usual = Order::usual(format, rotors);
        let levers: Vec<Vector3<f64>> = (0..rotors.count())
            .map(|i| {
                let [x, y, _] = rotors.positions_m[i];
                Vector3::new(y, -x, 0.0)
            })
            .collect();
        let found = LAGS_S
            .iter()
            .filter_map(|lag_s| effects(parts, rotors.count(), *lag_s));
        let found = found.max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((effects, explained)) = found else {
            return Order {
                rotors: usual,
                seen: false,
                unusual: false,
            };
        };
        let [levers, effects] = [levers, effects].map(scaled);
        let of_motor = |effect: &Vector3<f64>| levers.iter().map(|l| effect.dot(l)).collect();
        let scores: Vec<Vec<f64>> = effects.iter().map(of_motor).collect();
        let score = |order: &[usize]| -> f64 {
            let each = order.iter().zip(&scores).map(|(i, of_motor)| of_motor[*i]);
            each.sum()
        };
        let best = best(&scores);
        let seen = score(&best) >= TOLD && explained >= EXPLAINED;
        // Rotors of a pair have one lever: the usual order is as good there.
        let same = score(&usual) > score(&best) - 0.05;
        Order {
            unusual: seen && !same,
            rotors: if seen && !same { best } else { usual },
            seen,
        }
    }
}

/// The order of which the sum of `scores`, of each motor with its rotor, is greatest: rotors are given to one motor
/// after the other, and of every set of rotors given the best order is kept.
fn best(scores: &[Vec<f64>]) -> Vec<usize> {
    let count = scores.len();
    let mut kept: Vec<Option<(f64, Vec<usize>)>> = vec![None; 1 << count];
    kept[0] = Some((0.0, Vec::new()));
    for set in 0..kept.len() {
        let Some((score, order)) = kept[set].clone() else {
            continue;
        };
        for (rotor, more) in scores.get(order.len()).into_iter().flatten().enumerate() {
            let with = set | 1 << rotor;
            let better = |(known, _): &(f64, Vec<usize>)| score + more > *known;
            if with != set && kept[with].as_ref().is_none_or(better) {
                kept[with] = Some((score + more, [&order[..], &[rotor]].concat()));
            }
        }
    }
    let last = kept.pop().flatten();
    last.map_or_else(|| (0..count).collect(), |(_, order)| order)
}

/// The same of length 1 together, each axis weighing as much.
fn scaled(mut vectors: Vec<Vector3<f64>>) -> Vec<Vector3<f64>> {
    for axis in 0..2 {
        let size = vectors
            .iter()
            .map(|v| v[axis] * v[axis])
            .sum::<f64>()
            .sqrt();
        vectors
            .iter_mut()
            .for_each(|v| v[axis] /= (size * 2f64.sqrt()).max(1e-300));
    }
    vectors
}

/// How fast each motor's thrust turns the vehicle about x and y, by least squares with rotors of that lag, and the share
/// of all turning that this explains. `None` where the motors never differ enough.
fn effects(parts: &[Part], count: usize, lag_s: f64) -> Option<(Vec<Vector3<f64>>, f64)> {
    let mut square = DMatrix::zeros(count + 1, count + 1);
    let mut with = [DVector::zeros(count + 1), DVector::zeros(count + 1)];
    let mut all = [0.0; 2];
    for part in parts {
        let every = ((STEP_S / part.period_s()).round() as usize).max(1);
        let mut rotors = Rotors::new(part, lag_s, DELAY_S, 0.0);
        let mut row = DVector::from_element(count + 1, 1.0);
        for pair in part
            .instants
            .iter()
            .step_by(every)
            .collect::<Vec<_>>()
            .windows(2)
        {
            let span_s = pair[1].time_s - pair[0].time_s;
            rotors.advance(0.5 * (pair[0].time_s + pair[1].time_s));
            for i in 0..count {
                row[i] = rotors.share(i).value.powi(2);
            }
            square.ger(1.0, &row, &row, 1.0);
            for (axis, with) in with.iter_mut().enumerate() {
                let turned = pair[1].rates_rad_s[axis] - pair[0].rates_rad_s[axis];
                with.axpy(turned / span_s, &row, 1.0);
                all[axis] += (turned / span_s).powi(2);
            }
        }
    }
    let solved = square.cholesky()?;
    let [roll, pitch] = with.each_ref().map(|with| solved.solve(with));
    let explained = (roll.dot(&with[0]) / all[0]).min(pitch.dot(&with[1]) / all[1]);
    let each = (0..count).map(|i| Vector3::new(roll[i], pitch[i], 0.0));
    Some((each.collect(), explained))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_of_the_rotors_is_found() {
        let levers = [[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]];
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        for order in (0..256usize).map(|k| [k % 4, k / 4 % 4, k / 16 % 4, k / 64]) {
            if (0..4).any(|i| !order.contains(&i)) {
                continue;
            }
            let of_motor = |i: usize| levers.iter().map(|l| dot(levers[i], *l)).collect();
            let scores: Vec<Vec<f64>> = order.map(of_motor).to_vec();
            assert_eq!(best(&scores), order);
        }
    }
}

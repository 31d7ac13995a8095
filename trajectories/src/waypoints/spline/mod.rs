//! Spline: the piecewise polynomial of degree 7 through values at given times, at rest at both
//! ends, with the least integral of its squared fourth derivative.
//!
//! Among all curves through the values with the first three derivatives given at both ends, the
//! least ∫ |p⁗|² belongs to the spline of degree 7 with simple knots at the times (de Boor, "A
//! Practical Guide to Splines", 2001, chapters VI and XIII: the complete spline interpolant).
//! It is written in B-splines ([`b_splines`]) and evaluated by powers. Where two values in a row have one
//! position the curve rests there: it is such a spline before and one behind. The heading is a spline of
//! its own ([`heading`]).

mod b_splines;
mod heading;

use b_splines::{control_points, corners, knots, powers};
use nalgebra::{Vector3, Vector4};

/// Degree of the polynomials.
const DEGREE: usize = 7;

type Value = Vector4<f64>;

/// The curve: three coordinates and the heading, as functions of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Spline {
    /// When each polynomial begins, and when the last one ends [s].
    times: Vec<f64>,
    /// Coefficients of every polynomial in τ = (t − begin)/(end − begin), the constant first.
    pieces: Vec<[Value; DEGREE + 1]>,
    /// The value at the last time, to the last digit.
    last: Value,
}

impl Spline {
    /// The curve that has `values` at `times`: as many of both, at least two, times ascending.
    pub fn through(times: &[f64], values: &[Value]) -> Self {
        let last = values.len() - 1;
        let holds = |point: usize| values[point].xyz() == values[point + 1].xyz();
        let (mut pieces, mut begin) = (Vec::with_capacity(last), 0);
        while begin < last {
            let moves = (begin..last).take_while(|point| !holds(*point)).count();
            let end = begin + moves.max(1);
            pieces.extend(match moves {
                0 => {
                    let mut still = [Value::zeros(); DEGREE + 1];
                    still[0] = values[begin];
                    vec![still]
                }
                _ => Self::smoothest(&times[begin..=end], &values[begin..=end]).pieces,
            });
            begin = end;
        }
        heading::turn(&mut pieces, times, values);
        Self {
            times: times.to_vec(),
            pieces,
            last: values[last],
        }
    }

    /// The spline that has `values` at `times`, in all four components.
    fn smoothest(times: &[f64], values: &[Value]) -> Self {
        let knots = knots(times);
        let control = control_points(times, values, &knots);
        let pieces = (0..times.len() - 1)
            .map(|piece| {
                let mut corners = corners(&knots, &control, piece);
                // The equations hold up to rounding; this makes the points exact.
                corners[0] = values[piece];
                corners[DEGREE] = values[piece + 1];
                powers(&corners)
            })
            .collect();
        Self {
            times: times.to_vec(),
            pieces,
            last: values[values.len() - 1],
        }
    }

    /// When the curve ends [s].
    pub fn last_time(&self) -> f64 {
        self.times[self.times.len() - 1]
    }

    /// Seven positions inside a piece [m].
    pub fn inside(&self, piece: usize) -> impl Iterator<Item = Vector3<f64>> {
        let inside = (1..8).map(|eighth| f64::from(eighth) / 8.0);
        inside.map(move |tau| horner(&self.pieces[piece], tau)[0].xyz())
    }

    /// Value, first and second time derivative; at rest outside the times.
    pub fn at(&self, t_s: f64) -> [Value; 3] {
        let rest = |value| [value, Value::zeros(), Value::zeros()];
        if t_s >= self.last_time() {
            return rest(self.last);
        }
        if t_s <= self.times[0] {
            return rest(self.pieces[0][0]);
        }
        let piece = self.times.partition_point(|&begin| begin <= t_s) - 1;
        let interval_s = self.times[piece + 1] - self.times[piece];
        let tau = (t_s - self.times[piece]) / interval_s;
        let [value, first, half_second] = horner(&self.pieces[piece], tau);
        [
            value,
            first / interval_s,
            half_second * (2.0 / interval_s.powi(2)),
        ]
    }
}

/// A polynomial, its derivative and half its second derivative.
fn horner(coefficients: &[Value; DEGREE + 1], tau: f64) -> [Value; 3] {
    let mut sums = [Value::zeros(); 3];
    for coefficient in coefficients.iter().rev() {
        sums[2] = sums[2] * tau + sums[1];
        sums[1] = sums[1] * tau + sums[0];
        sums[0] = sums[0] * tau + coefficient;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from 0 to 1 (Knuth's congruential generator).
    fn uniform(state: &mut u64) -> f64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Points at intervals from 0.2 s to 2.2 s.
    fn points(count: usize, mut seed: u64) -> (Vec<f64>, Vec<Value>) {
        let mut time = 0.0;
        (0..count)
            .map(|_| {
                let value = Value::from_fn(|_, _| 4.0 * uniform(&mut seed) - 2.0);
                let now = time;
                time += 0.2 + 2.0 * uniform(&mut seed);
                (now, value)
            })
            .unzip()
    }

    /// Derivative `order` of a piece at τ, by time.
    fn derivative(spline: &Spline, piece: usize, order: usize, tau: f64) -> Value {
        let interval = spline.times[piece + 1] - spline.times[piece];
        let mut sum = Value::zeros();
        for (power, coefficient) in spline.pieces[piece].iter().enumerate().skip(order) {
            let factor: f64 = (power - order + 1..=power).map(|n| n as f64).product();
            sum += coefficient * (factor * tau.powi((power - order) as i32));
        }
        sum / interval.powi(order as i32)
    }

    /// ∫ |p⁗|² dt by Gauss and Legendre's four points, exact for the sixth degree.
    fn snap(spline: &Spline) -> f64 {
        let (a, b) = (
            (3.0 - 2.0 * 1.2_f64.sqrt()) / 7.0,
            (3.0 + 2.0 * 1.2_f64.sqrt()) / 7.0,
        );
        let (heavy, light) = ((18.0 + 30_f64.sqrt()) / 36.0, (18.0 - 30_f64.sqrt()) / 36.0);
        let nodes = [
            (-b.sqrt(), light),
            (-a.sqrt(), heavy),
            (a.sqrt(), heavy),
            (b.sqrt(), light),
        ];
        let mut sum = 0.0;
        for piece in 0..spline.pieces.len() {
            let interval = spline.times[piece + 1] - spline.times[piece];
            for (node, weight) in nodes {
                let value = derivative(spline, piece, 4, 0.5 + 0.5 * node);
                sum += 0.5 * interval * weight * value.norm_squared();
            }
        }
        sum
    }

    #[test]
    fn two_points_give_the_known_polynomial() {
        let [from, to] = [
            Value::new(1.0, 2.0, 3.0, 0.0),
            Value::new(2.0, 0.0, 3.0, 1.0),
        ];
        let spline = Spline::smoothest(&[1.0, 5.0], &[from, to]);
        for k in 0..=20 {
            let tau = f64::from(k) / 20.0;
            let step = tau.powi(4) * (35.0 - 84.0 * tau + 70.0 * tau.powi(2) - 20.0 * tau.powi(3));
            let [value, ..] = spline.at(1.0 + 4.0 * tau);
            assert!(
                (value - (from + (to - from) * step)).norm() < 1e-13,
                "{tau}"
            );
        }
        // ∫ (d⁴/dτ⁴)² dτ of this polynomial is 100 800, with h⁻⁷ for its length.
        let known = 100_800.0 * (to - from).norm_squared() / 4_f64.powi(7);
        assert!((snap(&spline) / known - 1.0).abs() < 1e-12);
    }

    #[test]
    fn six_derivatives_go_on_through_the_joints_and_three_are_zero_at_the_ends() {
        let (times, values) = points(40, 3);
        let spline = Spline::smoothest(&times, &values);
        for order in 0..=6 {
            for joint in 1..spline.pieces.len() {
                let before = derivative(&spline, joint - 1, order, 1.0);
                let after = derivative(&spline, joint, order, 0.0);
                let size = before.norm().max(after.norm()).max(1.0);
                assert!(
                    (before - after).norm() < 1e-8 * size,
                    "order {order}, joint {joint}"
                );
            }
        }
        for order in 1..=3 {
            let last = spline.pieces.len() - 1;
            assert!(derivative(&spline, 0, order, 0.0).norm() < 1e-9);
            assert!(derivative(&spline, last, order, 1.0).norm() < 1e-9);
        }
    }

    #[test]
    fn no_other_curve_through_the_points_has_less_snap() {
        let (times, values) = points(12, 5);
        let best = Spline::smoothest(&times, &values);
        let refined = |shift: f64, seed: u64| {
            let mut seed = seed;
            let (mut more_times, mut more_values) = (vec![times[0]], vec![values[0]]);
            for pair in 1..times.len() {
                let middle = 0.5 * (times[pair - 1] + times[pair]);
                let [value, ..] = best.at(middle);
                more_times.extend([middle, times[pair]]);
                let off = Value::from_fn(|_, _| shift * (uniform(&mut seed) - 0.5));
                more_values.extend([value + off, values[pair]]);
            }
            snap(&Spline::smoothest(&more_times, &more_values))
        };
        // More knots on the curve itself change nothing: it is the best of a larger family.
        assert!((refined(0.0, 1) / snap(&best) - 1.0).abs() < 1e-8);
        for seed in 0..50 {
            assert!(refined(1e-3, seed) > snap(&best));
            assert!(refined(0.1, seed) > snap(&best));
        }
    }

    #[test]
    fn reversing_the_time_reverses_the_curve() {
        let (times, values) = points(30, 8);
        let last = times[times.len() - 1];
        let forward = Spline::smoothest(&times, &values);
        let times: Vec<f64> = times.iter().rev().map(|time| last - time).collect();
        let values: Vec<Value> = values.into_iter().rev().collect();
        let backward = Spline::smoothest(&times, &values);
        for k in 0..=500 {
            let time = last * f64::from(k) / 500.0;
            let [there, back] = [forward.at(time), backward.at(last - time)];
            assert!((there[0] - back[0]).norm() < 1e-9 && (there[1] + back[1]).norm() < 1e-8);
        }
    }

    #[test]
    fn without_a_hold_the_positions_are_the_smoothest_to_the_last_bit() {
        let (times, values) = points(25, 4);
        let (whole, curve) = (
            Spline::smoothest(&times, &values),
            Spline::through(&times, &values),
        );
        for (a, b) in whole
            .pieces
            .iter()
            .flatten()
            .zip(curve.pieces.iter().flatten())
        {
            assert_eq!(a.xyz().map(f64::to_bits), b.xyz().map(f64::to_bits));
        }
    }
}

//! Spline: the piecewise polynomial of degree 7 through values at given times, at rest at both
//! ends, with the least integral of its squared fourth derivative.
//!
//! Among all curves through the values with the first three derivatives given at both ends, the
//! least ∫ |p⁗|² belongs to the spline of degree 7 with simple knots at the times (de Boor, "A
//! Practical Guide to Splines", 2001, chapters VI and XIII: the complete spline interpolant).
//! Written in B-splines its equations are banded and totally positive, so elimination without
//! pivoting is stable however uneven the times are, which the usual equations in derivatives at
//! the points are not: there the entries grow with the inverse seventh power of an interval.

use nalgebra::Vector4;

/// Degree of the polynomials.
const DEGREE: usize = 7;
/// Control points at each end that rest fixes: the value and three derivatives that are zero.
const FIXED: usize = 4;
/// Control points that a value at a knot depends on, besides the middle one, to either side.
const HALF_BAND: usize = 3;
/// Binomial coefficients of the degree.
const BINOMIAL: [f64; DEGREE + 1] = [1.0, 7.0, 21.0, 35.0, 35.0, 21.0, 7.0, 1.0];

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
    /// The spline that has `values` at `times`: as many of both, at least two, times ascending.
    pub fn through(times: &[f64], values: &[Value]) -> Self {
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

    /// The largest distance from the origin among seven places inside a piece [m].
    pub fn reach(&self, piece: usize) -> f64 {
        let inside = (1..8).map(|eighth| f64::from(eighth) / 8.0);
        inside
            .map(|tau| horner(&self.pieces[piece], tau)[0].xyz().norm())
            .fold(0.0, f64::max)
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

/// The times, with those of the ends repeated so that the spline ends there.
fn knots(times: &[f64]) -> Vec<f64> {
    let ends = [times[0], times[times.len() - 1]].map(|end| [end; DEGREE]);
    [&ends[0], times, &ends[1]].concat()
}

/// The control points: those at the ends are the end values, because the derivatives are zero
/// there; the others solve the banded equations "the spline has its value at each inner time".
fn control_points(times: &[f64], values: &[Value], knots: &[f64]) -> Vec<Value> {
    let (inner, last) = (times.len() - 2, values.len() - 1);
    let mut rows = Vec::with_capacity(inner);
    let mut right = Vec::with_capacity(inner);
    for point in 1..=inner {
        let mut row = weights(knots, point);
        let mut side = values[point];
        for (offset, weight) in row.iter_mut().enumerate() {
            // Weights of control points that the ends fix move to the right-hand side.
            let control = point + offset;
            if control < FIXED || control >= FIXED + inner {
                let end = if control < FIXED { 0 } else { last };
                side -= values[end] * *weight;
                *weight = 0.0;
            }
        }
        rows.push(row);
        right.push(side);
    }
    solve(&mut rows, &mut right);
    [&[values[0]; FIXED][..], &right, &[values[last]; FIXED]].concat()
}

/// Weights of control points `point` to `point + 6` in the value at the time of inner `point`
/// (de Boor 1978, algorithm BSPLVB). The eighth weight is zero at a knot.
fn weights(knots: &[f64], point: usize) -> [f64; 2 * HALF_BAND + 1] {
    let span = DEGREE + point;
    let time = knots[span];
    let mut all = [0.0; DEGREE + 1];
    all[0] = 1.0;
    for degree in 1..=DEGREE {
        let mut carried = 0.0;
        for index in 0..degree {
            let after = knots[span + 1 + index] - time;
            let before = time - knots[span + 1 + index - degree];
            let share = all[index] / (after + before);
            all[index] = carried + after * share;
            carried = before * share;
        }
        all[degree] = carried;
    }
    std::array::from_fn(|index| all[index])
}

/// Gaussian elimination of a matrix with three diagonals on either side of the main one; `rows`
/// holds the seven entries about the diagonal. The solution replaces the right-hand side.
fn solve(rows: &mut [[f64; 2 * HALF_BAND + 1]], right: &mut [Value]) {
    let count = rows.len();
    for pivot in 0..count {
        for below in pivot + 1..(pivot + 1 + HALF_BAND).min(count) {
            let shift = below - pivot;
            let factor = rows[below][HALF_BAND - shift] / rows[pivot][HALF_BAND];
            for entry in 1..=HALF_BAND {
                rows[below][HALF_BAND - shift + entry] -= factor * rows[pivot][HALF_BAND + entry];
            }
            let share = right[pivot] * factor;
            right[below] -= share;
        }
    }
    for row in (0..count).rev() {
        for after in 1..=HALF_BAND.min(count - 1 - row) {
            let known = right[row + after] * rows[row][HALF_BAND + after];
            right[row] -= known;
        }
        right[row] /= rows[row][HALF_BAND];
    }
}

/// The Bézier points of a piece: the polar form of the spline at its beginning and its end, in
/// all eight mixtures (Ramshaw, "Blossoming", 1987). All weights lie between 0 and 1.
fn corners(knots: &[f64], control: &[Value], piece: usize) -> [Value; DEGREE + 1] {
    let (begin, end) = (knots[DEGREE + piece], knots[DEGREE + piece + 1]);
    std::array::from_fn(|ends| {
        let mut level: [Value; DEGREE + 1] = std::array::from_fn(|index| control[piece + index]);
        for depth in 1..=DEGREE {
            let time = if depth <= ends { end } else { begin };
            for index in (depth..=DEGREE).rev() {
                let left = knots[piece + index];
                let right = knots[piece + index + DEGREE + 1 - depth];
                let weight = (time - left) / (right - left);
                level[index] = level[index - 1] * (1.0 - weight) + level[index] * weight;
            }
        }
        level[DEGREE]
    })
}

/// Coefficients of powers from Bézier points: binomials times forward differences.
fn powers(corners: &[Value; DEGREE + 1]) -> [Value; DEGREE + 1] {
    let mut differences = *corners;
    for order in 1..=DEGREE {
        for index in (order..=DEGREE).rev() {
            let before = differences[index - 1];
            differences[index] -= before;
        }
    }
    std::array::from_fn(|order| differences[order] * BINOMIAL[order])
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
        let spline = Spline::through(&[1.0, 5.0], &[from, to]);
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
        let spline = Spline::through(&times, &values);
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
        let best = Spline::through(&times, &values);
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
            snap(&Spline::through(&more_times, &more_values))
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
        let forward = Spline::through(&times, &values);
        let times: Vec<f64> = times.iter().rev().map(|time| last - time).collect();
        let values: Vec<Value> = values.into_iter().rev().collect();
        let backward = Spline::through(&times, &values);
        for k in 0..=500 {
            let time = last * f64::from(k) / 500.0;
            let [there, back] = [forward.at(time), backward.at(last - time)];
            assert!((there[0] - back[0]).norm() < 1e-9 && (there[1] + back[1]).norm() < 1e-8);
        }
    }
}

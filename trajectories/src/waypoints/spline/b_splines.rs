//! B-splines: the control points of a spline of degree 7, and each of its polynomials from them.
//!
//! In B-splines the equations of the interpolant are banded and totally positive, so elimination
//! without pivoting is stable however uneven the times are, which the usual equations in
//! derivatives at the points are not: there the entries grow with the inverse seventh power of an
//! interval.

use super::{DEGREE, Value};

/// Control points at each end that rest fixes: the value and three derivatives that are zero.
const FIXED: usize = 4;
/// Control points that a value at a knot depends on, besides the middle one, to either side.
const HALF_BAND: usize = 3;
/// Binomial coefficients of the degree.
const BINOMIAL: [f64; DEGREE + 1] = [1.0, 7.0, 21.0, 35.0, 35.0, 21.0, 7.0, 1.0];

/// The times, with those of the ends repeated so that the spline ends there.
pub(super) fn knots(times: &[f64]) -> Vec<f64> {
    let ends = [times[0], times[times.len() - 1]].map(|end| [end; DEGREE]);
    [&ends[0], times, &ends[1]].concat()
}

/// The control points: those at the ends are the end values, because the derivatives are zero
/// there; the others solve the banded equations "the spline has its value at each inner time".
pub(super) fn control_points(times: &[f64], values: &[Value], knots: &[f64]) -> Vec<Value> {
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
pub(super) fn corners(knots: &[f64], control: &[Value], piece: usize) -> [Value; DEGREE + 1] {
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
pub(super) fn powers(corners: &[Value; DEGREE + 1]) -> [Value; DEGREE + 1] {
    let mut differences = *corners;
    for order in 1..=DEGREE {
        for index in (order..=DEGREE).rev() {
            let before = differences[index - 1];
            differences[index] -= before;
        }
    }
    std::array::from_fn(|order| differences[order] * BINOMIAL[order])
}

//! Heading: of all curves through the angles that do not turn at both ends, the one with the least
//! ∫ |d²ψ/dt²|² dt, which is the cubic spline of that kind (de Boor, "A Practical Guide to Splines",
//! 2001, chapter IV). It swings less than the curve of least snap where times are uneven, and a
//! heading has no further derivative that anything follows. Between two equal angles it rests.

use super::{DEGREE, Value};

/// Writes the heading, the fourth component of `values`, into the polynomials.
pub(super) fn turn(pieces: &mut [[Value; DEGREE + 1]], times: &[f64], values: &[Value]) {
    let rates = rates(times, values);
    for (index, piece) in pieces.iter_mut().enumerate() {
        let interval_s = times[index + 1] - times[index];
        let turned = values[index + 1].w - values[index].w;
        let [begin, end] = [index, index + 1].map(|point| rates[point] * interval_s);
        let powers = [
            values[index].w,
            begin,
            3.0 * turned - 2.0 * begin - end,
            begin + end - 2.0 * turned,
        ];
        for (power, coefficient) in piece.iter_mut().enumerate() {
            coefficient.w = powers.get(power).copied().unwrap_or(0.0);
        }
    }
}

/// How fast the heading turns at each time: the solution of "the second derivative goes on through each
/// inner time", three diagonals of which the middle one outweighs the others.
fn rates(times: &[f64], values: &[Value]) -> Vec<f64> {
    let last = times.len() - 1;
    let rests = |point: usize| {
        let [before, here] = [point.saturating_sub(1), point].map(|point| values[point].w);
        point == 0 || point == last || before == here || here == values[point + 1].w
    };
    // Of each row what remains above the diagonal, and the right-hand side, both over the diagonal.
    let mut rows: Vec<[f64; 2]> = Vec::with_capacity(times.len());
    for point in 0..=last {
        let row = match rests(point) {
            true => [0.0; 2],
            false => {
                let [before, after] =
                    [point - 1, point].map(|point| (times[point + 1] - times[point]).recip());
                let [turned, turns] =
                    [point - 1, point].map(|point| values[point + 1].w - values[point].w);
                let [above, known] = rows[point - 1];
                let diagonal = 2.0 * (before + after) - before * above;
                let right = 3.0 * (turned * before.powi(2) + turns * after.powi(2));
                [after / diagonal, (right - before * known) / diagonal]
            }
        };
        rows.push(row);
    }
    let mut rates = vec![0.0; times.len()];
    for point in (0..last).rev() {
        let [above, known] = rows[point];
        rates[point] = known - above * rates[point + 1];
    }
    rates
}

#[cfg(test)]
mod tests {
    use super::super::{Spline, horner};
    use super::*;

    fn headings(angles: &[f64]) -> (Vec<f64>, Vec<Value>) {
        let times = (0..angles.len()).map(|k| (k * (k + 1)) as f64 * 0.4);
        let value = |angle: &f64| Value::new(0.0, 0.0, 0.0, *angle);
        (times.collect(), angles.iter().map(value).collect())
    }

    #[test]
    fn the_second_derivative_goes_on_and_both_ends_rest() {
        let (times, values) = headings(&[0.3, -1.0, 2.0, 2.5, 0.1, 4.0]);
        let spline = Spline::through(&times, &values);
        let curvature = |piece: usize, tau: f64| {
            let interval_s = times[piece + 1] - times[piece];
            2.0 * horner(&spline.pieces[piece], tau)[2].w / interval_s.powi(2)
        };
        for joint in 1..5 {
            let [before, after] = [curvature(joint - 1, 1.0), curvature(joint, 0.0)];
            assert!((before - after).abs() < 1e-12, "{before} {after}");
        }
        for (end, tau) in [(0, 0.0), (4, 1.0)] {
            assert!(horner(&spline.pieces[end], tau)[1].w.abs() < 1e-13);
        }
    }

    #[test]
    fn between_equal_angles_it_rests() {
        let (times, values) = headings(&[0.0, 1.0, 1.92, 1.92, 0.5, 3.0]);
        let spline = Spline::through(&times, &values);
        for k in 0..=20 {
            let [value, first, _] =
                spline.at(times[2] + (times[3] - times[2]) * f64::from(k) / 20.0);
            assert!((value.w - 1.92).abs() < 1e-15 && first.w.abs() < 1e-15);
        }
    }
}

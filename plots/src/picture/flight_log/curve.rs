//! Curve: one quantity over time, dashed so that it is told apart and whole so that no peak is
//! lost in a gap.

use crate::page::sheet::{Place, Sheet};
use crate::page::style::{Colour, DOT_RADIUS, OVER_WIDTH};

/// Width of the line below the dashes, which shows what falls between them \[px\].
const UNDER_WIDTH: f64 = 1.4;
/// Its opacity.
const UNDER_ALPHA: f64 = 0.5;

/// The stretches of samples between steps larger than the largest.
pub fn unwrapped_stretches(values: &[f64], largest: f64) -> Vec<std::ops::Range<usize>> {
    let mut stretches = Vec::new();
    let mut from = 0;
    for index in 1..=values.len() {
        if index == values.len() || (values[index] - values[index - 1]).abs() > largest {
            stretches.push(from..index);
            from = index;
        }
    }
    stretches
}

/// A curve with dashes that are measured along the time axis: measured along a noisy curve they
/// would not be seen. A thin full line below them shows what falls between.
pub fn draw(sheet: &mut Sheet, points: Vec<Place>, dash: &[f64], colour: Colour) {
    if let [only] = points[..] {
        return sheet.disc(only, DOT_RADIUS, colour);
    }
    if dash.is_empty() {
        return sheet.line(points, OVER_WIDTH, colour);
    }
    for piece in dashes_along_x(&points, dash) {
        sheet.line(piece, OVER_WIDTH, colour);
    }
    sheet.line(points, UNDER_WIDTH, colour.faded(UNDER_ALPHA));
}

/// Cuts a line into the pieces that a dash pattern along x leaves.
fn dashes_along_x(points: &[Place], dash: &[f64]) -> Vec<Vec<Place>> {
    let mut edges = Vec::new();
    let (mut from, mut phase) = (points[0][0], 0);
    let last = points[points.len() - 1][0];
    while from <= last {
        if phase % 2 == 0 {
            edges.push([from, from + dash[phase]]);
        }
        from += dash[phase];
        phase = (phase + 1) % dash.len();
    }
    let between = |a: Place, b: Place, x: f64| {
        let part = (x - a[0]) / (b[0] - a[0]);
        [x, a[1] + part * (b[1] - a[1])]
    };
    let mut pieces = vec![Vec::new(); edges.len()];
    for pair in points.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let first = edges.partition_point(|edge| edge[1] < a[0]);
        for (piece, edge) in pieces[first..].iter_mut().zip(&edges[first..]) {
            if edge[0] > b[0] {
                break;
            }
            let start = if edge[0] > a[0] {
                between(a, b, edge[0])
            } else {
                a
            };
            let end = if edge[1] < b[0] {
                between(a, b, edge[1])
            } else {
                b
            };
            if piece.is_empty() {
                piece.push(start);
            }
            piece.push(end);
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_are_as_wide_as_the_pattern_and_lie_on_the_line() {
        let points: Vec<Place> = (0..=100)
            .map(|k| [f64::from(k), if k % 2 == 0 { 0.0 } else { 50.0 }])
            .collect();
        let pieces = dashes_along_x(&points, &[10.5, 5.0]);
        assert_eq!(pieces.len(), 7);
        for (index, piece) in pieces.iter().enumerate() {
            let [from, to] = [piece[0][0], piece[piece.len() - 1][0]];
            assert!((from - 15.5 * index as f64).abs() < 1e-9);
            assert!((to - (from + 10.5).min(100.0)).abs() < 1e-9);
            assert!(piece.iter().any(|place| place[1] == 50.0));
        }
    }

    #[test]
    fn a_vertical_stretch_has_no_infinite_slope() {
        let pieces = dashes_along_x(
            &[[0.0, 0.0], [5.0, 0.0], [5.0, 90.0], [8.0, 90.0]],
            &[5.0, 1.0],
        );
        assert!(
            pieces
                .iter()
                .flatten()
                .flatten()
                .all(|number| number.is_finite())
        );
        assert!(pieces[0].contains(&[5.0, 90.0]));
    }

    #[test]
    fn a_heading_that_wraps_is_cut_there() {
        let stretches = unwrapped_stretches(&[170.0, 179.0, -179.0, -170.0], 180.0);
        assert_eq!(stretches, [0..2, 2..4]);
    }
}

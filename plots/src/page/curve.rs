//! Curves of many points: fewer of them for the same picture, and dashes. Of a curve over time, of the
//! points in one pixel column the first, the lowest, the highest and the last stay, so that every peak is
//! drawn at its full height; of a path in space, those that lie apart.

use crate::page::sheet::{Place, Sheet, dashes};
use crate::page::style::{Colour, DOT_RADIUS, OVER_WIDTH};

/// Points of a path closer than this to their predecessor are left out \[px\].
const LEAST_PIECE: f64 = 1.5;
/// Width of the line below the dashes, which shows what falls between them \[px\].
const UNDER_WIDTH: f64 = 1.4;
/// Its opacity.
const UNDER_ALPHA: f64 = 0.5;

/// The line without points that lie closer to their predecessor than can be seen.
pub fn thinned(points: Vec<Place>) -> Vec<Place> {
    let mut kept: Vec<Place> = Vec::with_capacity(points.len());
    let count = points.len();
    for (index, point) in points.into_iter().enumerate() {
        let near = kept
            .last()
            .is_some_and(|last| (point[0] - last[0]).hypot(point[1] - last[1]) < LEAST_PIECE);
        if near && index + 1 == count && kept.len() > 1 {
            kept.pop();
        }
        if !near || index + 1 == count {
            kept.push(point);
        }
    }
    kept
}

/// The points that matter, in order; `points` go to the right, or stay.
pub fn decimate(points: &[Place]) -> Vec<Place> {
    let mut kept = Vec::new();
    let mut from = 0;
    while from < points.len() {
        let column = points[from][0].floor();
        let same = |point: &&Place| point[0].floor() == column;
        let to = from + points[from..].iter().take_while(same).count().max(1);
        let by_height = |a: &usize, b: &usize| points[*a][1].total_cmp(&points[*b][1]);
        let lowest = (from..to).min_by(by_height).unwrap_or(from);
        let highest = (from..to).max_by(by_height).unwrap_or(from);
        let mut indices = [from, lowest.min(highest), lowest.max(highest), to - 1].to_vec();
        indices.dedup();
        kept.extend(indices.into_iter().map(|index| points[index]));
        from = to;
    }
    kept
}

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
    for piece in dashes(&points, dash, |a, b| b[0] - a[0]) {
        sheet.line(piece, OVER_WIDTH, colour);
    }
    sheet.line(points, UNDER_WIDTH, colour.faded(UNDER_ALPHA));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_and_ends_survive_and_the_rest_goes() {
        let mut points: Vec<Place> = (0..100_000)
            .map(|k| [f64::from(k) * 0.01, f64::from((k * 7919) % 101)])
            .collect();
        points[43_217][1] = 500.0;
        points[77_777][1] = -500.0;
        let kept = decimate(&points);
        assert!(kept.len() <= 4 * 1000, "{}", kept.len());
        assert!(kept.contains(&points[43_217]) && kept.contains(&points[77_777]));
        assert_eq!((kept[0], kept[kept.len() - 1]), (points[0], points[99_999]));
        assert!(kept.windows(2).all(|pair| pair[0][0] <= pair[1][0]));
        // Every column keeps its range.
        for (column, group) in points.chunks(100).enumerate() {
            let inside = |p: &&Place| p[0].floor() == column as f64;
            let top = |all: &mut dyn Iterator<Item = f64>| all.fold(f64::MIN, f64::max);
            let group: Vec<&Place> = group.iter().filter(inside).collect();
            let whole = top(&mut group.iter().map(|p| p[1]));
            let left = top(&mut kept.iter().filter(inside).map(|p| p[1]));
            assert!(left >= whole, "column {column}");
        }
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let points = [[0.5, 3.0], [7.0, 1.0], [7.0, 4.0], [20.0, 2.0]];
        assert_eq!(decimate(&points), points);
        assert!(decimate(&[]).is_empty());
    }

    #[test]
    fn dashes_are_as_wide_as_the_pattern_and_lie_on_the_line() {
        let points: Vec<Place> = (0..=100)
            .map(|k| [f64::from(k), if k % 2 == 0 { 0.0 } else { 50.0 }])
            .collect();
        let pieces = dashes(&points, &[10.5, 5.0], |a, b| b[0] - a[0]);
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
        let points = [[0.0, 0.0], [5.0, 0.0], [5.0, 90.0], [8.0, 90.0]];
        let pieces = dashes(&points, &[5.0, 1.0], |a, b| b[0] - a[0]);
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

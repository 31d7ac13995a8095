//! Swing: how far the smoothest curve leaves the box of its points.

use super::Waypoint;
use super::spline::Spline;
use crate::Remark;
use nalgebra::Vector3;

/// A swing by a greater share of the size of the points about it is remarked.
const SWING: f64 = 0.5;

/// A lesser swing is none [m].
const LEAST_SWING_M: f64 = 0.1;

/// The greatest swing: by how much the curve between two points leaves the box of these and of those before
/// and behind, where that is more than half of the box's diagonal.
pub(super) fn swing(points: &[Waypoint], spline: &Spline, lines: &[usize]) -> Option<Remark> {
    let swing = |piece: usize| {
        let near = points[piece.saturating_sub(1)..]
            .iter()
            .take(piece.min(1) + 3);
        let corner = |choose: fn(f64, f64) -> f64| -> Vector3<f64> {
            let places = near.clone().map(|point| point.position_m);
            let first = points[piece].position_m;
            places.fold(first, |corner, place| corner.zip_map(&place, choose))
        };
        let (low, high) = (corner(f64::min), corner(f64::max));
        let beyond = |p: Vector3<f64>| (p - p.sup(&low).inf(&high)).norm();
        let beyond_m = spline.inside(piece).map(beyond).fold(0.0, f64::max);
        (piece, beyond_m, (high - low).norm())
    };
    let far =
        |(_, beyond_m, size_m): &(usize, f64, f64)| *beyond_m > LEAST_SWING_M.max(SWING * size_m);
    let swings = (0..points.len() - 1).map(swing).filter(far);
    let worst = swings.max_by(|a, b| a.1.total_cmp(&b.1));
    worst.map(|(piece, beyond_m, size_m)| Remark::Swing {
        line: lines[piece + 1],
        beyond_m,
        size_m,
    })
}

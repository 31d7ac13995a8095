//! Heading: the angles of waypoints as they are flown.

use super::Waypoint;
use crate::Remark;
use std::f64::consts::{PI, TAU};

/// A log rounds π to its digits.
const ROUNDED: f64 = 1e-3;

/// The headings as they are flown, and the steps over the seam of a log, where there are any: as written,
/// but for whole turns behind each such step.
pub(super) fn unwrapped(points: &[Waypoint], lines: &[usize]) -> (Vec<f64>, Option<Remark>) {
    let within = |low: f64, high: f64| {
        let range = low - ROUNDED..=high + ROUNDED;
        points.iter().all(|point| range.contains(&point.yaw_rad))
    };
    let (half, whole) = (within(-PI, PI), within(0.0, TAU));
    let (mut turns, mut seams) = (0.0, Vec::new());
    let mut yaws = vec![points[0].yaw_rad];
    for (index, pair) in points.windows(2).enumerate() {
        let step_rad = pair[1].yaw_rad - pair[0].yaw_rad;
        let fast = step_rad.abs() > PI * (pair[1].t_s - pair[0].t_s);
        if step_rad.abs() > PI && (half || (whole && fast)) {
            turns -= step_rad.signum();
            seams.push((index + 1, step_rad));
        }
        yaws.push(pair[1].yaw_rad + turns * TAU);
    }
    let seam = seams.first().map(|(index, step_rad)| Remark::Seam {
        line: lines[*index],
        step_rad: *step_rad,
        turn_rad: step_rad - TAU * step_rad.signum(),
        count: seams.len(),
    });
    (yaws, seam)
}

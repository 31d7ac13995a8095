//! The open loops as pictures.

use super::{AXES, drawn};
use plots::{OpenLoop, OpenLoopPoint, OpenLoopsPicture};
use shell::Failure;
use sim::margins::{CurvePoint, Linearised, Loop};
use std::f64::consts::TAU;
use std::path::Path;

/// A picture of the inner loops and one of the outer; a vehicle that is not stable has no margins to
/// mark.
pub(super) fn draw(linear: &Linearised, airframe: &str, folder: &Path) -> Result<(), Failure> {
    let pictures = [
        (
            "inner-loops",
            "rate and attitude loops",
            [Loop::Rate, Loop::Attitude],
        ),
        (
            "outer-loops",
            "velocity and position loops",
            [Loop::Velocity, Loop::Position],
        ),
    ];
    let stable = linear.mode().is_stable();
    let how = if stable { "" } else { " (NOT STABLE)" };
    for (file, what, pair) in pictures {
        let loops: Vec<OpenLoop> = pair
            .into_iter()
            .flat_map(|l| curves(linear, l))
            .filter(|curve| curve.points.len() > 1)
            .map(|curve| if stable { curve } else { unmarked(curve) })
            .collect();
        if loops.is_empty() {
            continue;
        }
        let title = format!("{airframe} at hover{how}: {what}, each opened alone");
        let picture = OpenLoopsPicture {
            title: &title,
            loops: &loops,
        };
        drawn(folder, file, |stem| plots::draw(&picture, stem))?;
    }
    Ok(())
}

/// One curve, with its marks.
fn curve(linear: &Linearised, which: Loop, axis: usize) -> OpenLoop {
    let curve = linear.curve(which, axis, &linear.margins(which, axis));
    OpenLoop {
        label: format!("{} {}", which.name(), AXES[axis]),
        points: curve.points.iter().map(drawn_point).collect(),
        gain_margins: curve.gain_margins.iter().map(drawn_point).collect(),
        phase_margin: curve.phase_margin.as_ref().map(drawn_point),
    }
}

/// A curve without its marks.
fn unmarked(curve: OpenLoop) -> OpenLoop {
    OpenLoop {
        gain_margins: Vec::new(),
        phase_margin: None,
        ..curve
    }
}

/// The curves of a loop: that of y is left out where it would hide that of x.
fn curves(linear: &Linearised, which: Loop) -> Vec<OpenLoop> {
    let [x, y, z] = [0, 1, 2].map(|axis| curve(linear, which, axis));
    match alike(&x.points, &y.points) {
        true => vec![
            OpenLoop {
                label: format!("{} x and y", which.name()),
                ..x
            },
            z,
        ],
        false => vec![x, y, z],
    }
}

/// Whether two curves cannot be distinguished in a picture.
fn alike(one: &[OpenLoopPoint], other: &[OpenLoopPoint]) -> bool {
    let near = |(a, b): (&OpenLoopPoint, &OpenLoopPoint)| {
        let decibels = 20.0 * (a.magnitude / b.magnitude).log10();
        decibels.abs() < 0.3
            && (a.phase_deg - b.phase_deg).abs() < 2.0
            && a.frequency_hz == b.frequency_hz
    };
    one.len() == other.len() && one.iter().zip(other).all(near)
}

fn drawn_point(point: &CurvePoint) -> OpenLoopPoint {
    OpenLoopPoint {
        frequency_hz: point.frequency_rad_s / TAU,
        magnitude: point.magnitude,
        phase_deg: point.phase_rad.to_degrees(),
    }
}

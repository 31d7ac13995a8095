//! The open loops as pictures.

use super::AXES;
use crate::failure::Failure;
use nalgebra::Complex;
use plots::{OpenLoop, OpenLoopPoint, OpenLoopsPicture, draw_open_loops};
use sim::margins::{Linearised, Loop};
use std::path::Path;

/// Frequencies of a curve.
const FREQUENCIES: usize = 300;

/// A picture of the inner loops and one of the outer.
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
    for (file, what, pair) in pictures {
        let curves: Vec<(String, Vec<OpenLoopPoint>)> = pair
            .into_iter()
            .flat_map(|l| [0, 1, 2].map(|axis| (l, axis)))
            .map(|(l, axis)| {
                (
                    format!("{} {}", l.name(), AXES[axis]),
                    curve(linear, l, axis),
                )
            })
            .filter(|(_, points)| points.len() > 1)
            .collect();
        let loops: Vec<OpenLoop> = curves
            .iter()
            .map(|(label, points)| OpenLoop { label, points })
            .collect();
        if loops.is_empty() {
            continue;
        }
        let title = format!("{airframe} at hover: {what}, each opened by itself");
        let stem = folder.join(file);
        let picture = OpenLoopsPicture {
            title: &title,
            loops: &loops,
        };
        draw_open_loops(&picture, &stem).map_err(|source| Failure::drawing(stem, source))?;
    }
    Ok(())
}

/// The open loop up to its Nyquist frequency; nothing of one without gains.
fn curve(linear: &Linearised, which: Loop, axis: usize) -> Vec<OpenLoopPoint> {
    let [low, high] = Linearised::range_rad_s(which);
    let mut before: Option<Complex<f64>> = None;
    let mut phase = 0.0;
    let mut points = Vec::new();
    for k in 0..=FREQUENCIES {
        let frequency_rad_s = low * (high / low).powf(k as f64 / FREQUENCIES as f64);
        let value = linear.response(which, axis, frequency_rad_s);
        let magnitude = value.norm();
        if magnitude <= 1e-12 || !magnitude.is_finite() {
            continue;
        }
        phase = match before {
            Some(before) => phase + (value * before.conj()).arg(),
            // Loops begin behind an integrator or two.
            None if value.arg() > 0.0 => value.arg() - std::f64::consts::TAU,
            None => value.arg(),
        };
        before = Some(value);
        points.push(OpenLoopPoint {
            frequency_rad_s,
            magnitude,
            phase_deg: phase.to_degrees(),
        });
    }
    points
}
